import Foundation
import Trellis

/// A value of a file whose text says more than the program knows.
struct JSONKeptText {
  let entity: StoredClass
  let row: Int64
  let slot: Int
  /// As the file has it.
  let text: Data
  /// The value for the column in place of the default that the program reads; nil for a value that the program knows in
  /// part.
  let unknown: SQLValue?
}

/// The texts that a file keeps until the program gives their properties other values: enum cases and members of structs
/// that the schema does not have.
struct JSONKeptTexts {
  private struct Text {
    let kept: JSONKeptText
    /// The values of the columns as long as no save writes the property.
    let columns: [SQLValue]
  }

  /// By table and key.
  private var texts: [String: [Int64: [Text]]] = [:]

  /// Puts the values that the program does not know into an engine.
  init(_ kept: [JSONKeptText], in engine: DefaultStore) throws {
    guard !kept.isEmpty else { return }
    try engine.exclusively(for: .opening) { connection in
      try connection.write {
        for text in kept {
          if let unknown = text.unknown { try text.entity.put(unknown, into: text.slot, of: text.row, connection) }
        }
      }
      for text in kept {
        let columns = try text.entity.values(of: text.slot, text.row, connection)
        texts[text.entity.table, default: [:]][text.row, default: []].append(Text(kept: text, columns: columns))
      }
    }
  }

  var isEmpty: Bool { texts.isEmpty }

  /// The texts of properties of a row that no save has written since the file was read.
  func texts(of row: Int64, _ entity: StoredClass, _ connection: Connection) throws -> [JSONKeptText] {
    try (texts[entity.table]?[row] ?? []).filter { text in
      try text.kept.entity.values(of: text.kept.slot, row, connection) == text.columns
    }.map(\.kept)
  }
}
