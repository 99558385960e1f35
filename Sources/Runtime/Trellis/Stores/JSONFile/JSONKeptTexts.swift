import Foundation

/// A value of a file of which the text says more than the program knows.
struct JSONKeptText {
  let row: Int64
  let slot: Int
  /// As the file has it.
  let text: [UInt8]
  /// What the column is to hold instead of the default the value reads as; nil for a value that the
  /// program knows in part.
  let unknown: SQLValue?
}

/// The texts a file keeps until the program gives their properties other values: enum values nobody
/// knows, members of structs the schema does not have.
struct JSONKeptTexts {
  private struct Text {
    let slot: Int
    let text: [UInt8]
    /// What the engine holds of the property as long as nobody has written it.
    let columns: [SQLValue]
  }

  /// By table and key.
  private var texts: [String: [Int64: [Text]]] = [:]

  /// Puts into an engine what the program does not know, and notes what it holds of the rest; nil when
  /// there is nothing to be kept.
  init?(_ kept: [(plan: EntityStatements, text: JSONKeptText)], in engine: DefaultStore) throws {
    guard !kept.isEmpty else { return nil }
    try engine.writing { connection in
      try connection.write {
        for (plan, kept) in kept {
          if let unknown = kept.unknown { try Self.put(unknown, kept, plan, engine, connection) }
        }
      }
      for (plan, kept) in kept {
        let columns = try Self.columns(kept.slot, of: kept.row, plan, connection)
        texts[plan.entity.table, default: [:]][kept.row, default: []]
          .append(Text(slot: kept.slot, text: kept.text, columns: columns))
      }
    }
  }

  private static func put(
    _ value: SQLValue, _ kept: JSONKeptText, _ plan: EntityStatements, _ engine: DefaultStore,
    _ connection: Connection
  ) throws {
    let column = plan.entity.columns[kept.slot]
    if case .text(let text) = value, text.utf8.contains(where: { $0 >= 0xCC }) {
      engine.marks.formUnion([
        ColumnFlags.Mark(kind: .nonNFC, table: plan.entity.table, column: column.name)
      ])
    }
    try connection.executeCached(
      """
      UPDATE \(name: plan.entity.table) SET \(name: column.name) = \(value: value)
      WHERE \(name: plan.entity.keyColumn) = \(value: .integer(kept.row))
      """)
  }

  private static func columns(
    _ slot: Int, of row: Int64, _ plan: EntityStatements, _ connection: Connection
  ) throws -> [SQLValue] {
    let names = plan.entity.columns[slot].names.map { "\(name: $0)" as SQLFragment }
    return try connection.rows(
      """
      SELECT \(names.joined(separator: ", ")) FROM \(name: plan.entity.table)
      WHERE \(name: plan.entity.keyColumn) = \(value: .integer(row))
      """
    ).first ?? []
  }

  /// What the file says of properties of a row that nobody has written since it was read, by slot.
  func texts(
    of row: Int64, _ plan: EntityStatements, _ connection: Connection
  ) throws -> [(slot: Int, text: [UInt8])] {
    guard let kept = texts[plan.entity.table]?[row] else { return [] }
    return try kept.compactMap { text in
      let now = try Self.columns(text.slot, of: row, plan, connection)
      return now == text.columns ? (text.slot, text.text) : nil
    }
  }
}
