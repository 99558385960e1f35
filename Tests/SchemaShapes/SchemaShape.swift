/// A kind of large schema, as no person writes it: one thing in it grows, and everything else stays.
package struct SchemaShape: Sendable, CustomStringConvertible {
  /// A part of the text. Those that repeat do so equally often.
  package enum Piece: Sendable {
    case once(String)
    /// The text by its number, from 0.
    case each(@Sendable (Int) -> String)
    /// A text by how often the others repeat.
    case last(@Sendable (Int) -> String)
  }

  package let name: String
  private let pieces: [Piece]

  package init(_ name: String, _ pieces: Piece...) {
    self.name = name
    self.pieces = pieces
  }

  package var description: String { name }

  /// A text of about as many bytes.
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

  /// All there are; the first one is what a schema looks like that has grown.
  package static let all = models + members + comments + mistakes + nesting
}
