/// The tables in which a store keeps its history.
///
/// ```sql
/// SELECT id, datetime(time + 978307200, 'unixepoch'), author FROM trellis_history;
/// ```
package enum HistoryTables {
  /// One row per transaction. A row without `changes` is a deleted transaction: the last one stays, so that its number
  /// is not used again.
  package static let transactions = "trellis_history"
  /// The preserved values of deleted rows.
  package static let tombstones = "trellis_tombstones"
  /// The names that the numbers in `changes` stand for, per version of the schema.
  package static let names = "trellis_history_names"

  /// The number of values in one row of the tombstones. Models that preserve more values have several rows.
  static let valuesPerRow = 8

  package static func value(_ position: Int) -> String { "v\(position)" }

  static let definitions = [
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

  /// The columns of a transaction, in the order in which statements name them.
  static let columns: SQLFragment = "\"id\", \"time\", \"author\", \"bundle\", \"process\", \"changes\""

  /// The columns of the values of a tombstone.
  static var values: SQLFragment {
    (0..<valuesPerRow).map { "\(name: value($0))" as SQLFragment }.joined(separator: ", ")
  }

  /// The number of the last transaction; 0 before the first.
  static func last(_ connection: Connection) throws -> Int64 {
    let found = try connection.rows("SELECT MAX(\"id\") FROM \(name: transactions)")
    guard case .integer(let last)? = found.first?.first else { return 0 }
    return max(0, last)
  }

  /// The number of the next transaction.
  ///
  /// - Throws: ``SwiftDataError`` with ``StoreProblem/damaged`` if there is none left.
  static func next(_ connection: Connection) throws -> Int64 {
    let last = try last(connection)
    guard last < .max - 1 else { throw exhausted(connection) }
    return last + 1
  }

  /// Tokens contain numbers that only grow. No store reaches the highest number by saving.
  static func exhausted(_ connection: Connection) -> SwiftDataError {
    connection.damage(
      "the last transaction of its history has the highest number there is, so that none can follow, and "
        + "nothing was saved; to keep the models, delete the rows with an 'id' above \(Int64.max - 2) from the "
        + "table '\(transactions)'")
  }
}

/// A row of the table of transactions.
package struct HistoryRow {
  package var id: Int64 = 0
  /// Seconds since the reference date; 0 if the column has no number.
  package var time = 0.0
  package var author: String?
  package var program: String?
  package var process: String?
  /// The coded changes; nil in the row of a deleted transaction.
  package var changes: [UInt8]?
  /// The transaction ID on a server.
  package var xid: UInt64 = 0
  /// The number of the save on a server.
  package var save: String?

  package init() {}

  /// Reads the current row of a statement with ``HistoryTables/columns``.
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
  /// The attributes whose values a deletion preserves.
  package var preservedColumns: [ColumnLayout] {
    columns.filter { $0.property.attribute?.options.contains(.preserveValueOnDeletion) == true }
  }
}
