/// The tables for a store's history.
///
/// ```sql
/// SELECT id, datetime(time + 978307200, 'unixepoch'), author FROM trellis_history;
/// ```
package enum HistoryTables {
  /// One row per transaction. A row with NULL `changes` is a deleted transaction: the last row is kept so that its
  /// number is never reused.
  package static let transactions = "trellis_history"
  /// Preserved values from deleted rows.
  package static let tombstones = "trellis_tombstones"
  /// The names behind the numbers in `changes`, per schema version.
  package static let names = "trellis_history_names"

  /// The values per tombstone row. Models that preserve more values use several rows.
  package static let valuesPerRow = 8

  package static func value(_ position: Int) -> String { "v\(position)" }

  package static let definitions = [
    TableDefinition(
      name: transactions,
      columns: [
        ColumnDefinition(name: "id", type: .integer, isRowKey: true),
        ColumnDefinition(name: "time", type: .any, isRequired: true),
        ColumnDefinition(name: "author", type: .text),
        ColumnDefinition(name: "bundle", type: .text, isRequired: true),
        ColumnDefinition(name: "process", type: .text, isRequired: true),
        ColumnDefinition(name: "changes", type: .blob),
      ]),
    TableDefinition(
      name: tombstones,
      columns: ["transaction", "entity", "key", "part"].map {
        ColumnDefinition(name: $0, type: .integer, isRequired: true)
      } + (0..<valuesPerRow).map { ColumnDefinition(name: value($0), type: .any) },
      key: ["transaction", "entity", "key", "part"]),
    TableDefinition(
      name: names,
      columns: [
        ColumnDefinition(name: "epoch", type: .integer, isRowKey: true),
        ColumnDefinition(name: "names", type: .text, isRequired: true),
      ]),
  ]

  /// The transaction columns, in statement order.
  static let columns: SQLFragment = "\"id\", \"time\", \"author\", \"bundle\", \"process\", \"changes\""

  /// The tombstone value columns.
  package static var values: SQLFragment {
    (0..<valuesPerRow).map { "\(name: value($0))" as SQLFragment }.joined(separator: ", ")
  }

  /// Returns the last transaction number; 0 before the first transaction.
  static func last(_ connection: Connection) throws -> Int64 {
    let found = try connection.rows("SELECT MAX(\"id\") FROM \(name: transactions)")
    guard case .integer(let last)? = found.first?.first else { return 0 }
    return max(0, last)
  }

  /// Returns the next transaction number.
  ///
  /// - Throws: ``SwiftDataError`` with ``StoreProblem/damaged`` if the numbers are exhausted.
  static func next(_ connection: Connection) throws -> Int64 {
    let last = try last(connection)
    guard last < .max - 1 else { throw exhausted(connection) }
    return last + 1
  }

  /// Returns the error for exhausted transaction numbers. They only increase, but saving alone never exhausts them.
  static func exhausted(_ connection: Connection) -> SwiftDataError {
    connection.damage(
      "its history already contains the highest possible transaction number, so nothing was saved; to keep the "
        + "models, delete the rows with an 'id' above \(Int64.max - 2) from the table '\(transactions)'")
  }
}

/// A row in the transactions table.
package struct HistoryRow {
  package var id: Int64 = 0
  /// Seconds since the reference date; 0 if the column is not a number.
  package var time = 0.0
  package var author: String?
  package var program: String?
  package var process: String?
  /// The encoded changes; `nil` for a deleted transaction.
  package var changes: [UInt8]?
  /// The server's transaction ID.
  package var xid: UInt64 = 0
  /// The server's save number.
  package var save: String?

  package init() {}

  /// Reads a statement's current row, selected with ``HistoryTables/columns``.
  init(_ statement: Statement) {
    id = statement.integer(0)
    if case .real(let stored) = statement.value(1) { time = stored }
    author = statement.text(2)
    program = statement.text(3)
    process = statement.text(4)
    if case .blob(let bytes) = statement.value(5) { changes = bytes }
  }
}

extension EntityLayout {
  /// The attributes preserved on deletion.
  package var preservedColumns: [ColumnLayout] {
    columns.filter { $0.property.attribute?.options.contains(.preserveValueOnDeletion) == true }
  }
}
