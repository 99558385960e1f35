/// A kind of large schema in which one part grows and the rest stays constant.
package struct SchemaShape: Sendable, CustomStringConvertible {
  /// A part of the text. All repeated parts have equal numbers of repetitions.
  package enum Piece: Sendable {
    case once(String)
    /// A text for each repetition, by its number from 0.
    case each(@Sendable (Int) -> String)
    /// A text that depends on the number of repetitions.
    case last(@Sendable (Int) -> String)
  }

  package let name: String
  private let pieces: [Piece]

  package init(_ name: String, _ pieces: Piece...) {
    self.name = name
    self.pieces = pieces
  }

  package var description: String { name }

  /// A text of approximately the given number of bytes.
  package func text(_ size: Int) -> [UInt8] {
    var texts = [[UInt8]](repeating: [], count: pieces.count)
    var total = 0
    for (place, piece) in pieces.enumerated() {
      guard case .once(let text) = piece else { continue }
      texts[place] = Array(text.utf8)
      total += text.utf8.count
    }
    var index = 0
    while total < size {
      for (place, piece) in pieces.enumerated() {
        guard case .each(let text) = piece else { continue }
        let new = text(index).utf8
        texts[place] += new
        total += new.count
      }
      index += 1
    }
    for (place, piece) in pieces.enumerated() {
      if case .last(let text) = piece { texts[place] = Array(text(index).utf8) }
    }
    return Array(texts.joined())
  }

  /// All shapes. The first one is a typical large schema.
  package static let all = models + members + comments + mistakes + nesting
}
