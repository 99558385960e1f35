/// The tables a store keeps its history in.
///
/// ```sql
/// SELECT id, datetime(time + 978307200, 'unixepoch'), author FROM trellis_history;
/// ```
enum HistoryTables {
  /// One row a transaction. Without `changes` it is the place of one that was deleted: the last one stays, so
  /// that its number is not used again.
  static let transactions = "trellis_history"
  /// What is kept of deleted rows.
  static let tombstones = "trellis_tombstones"
  /// What the numbers in `changes` stand for, of each version of the schema.
  static let names = "trellis_history_names"

  /// So many values fit in one row of the tombstones; models that keep more have several.
  static let valuesPerRow = 8

  static func value(_ position: Int) -> String { "v\(position)" }

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

  /// Makes the tables of a store that has none.
  static func prepare(_ connection: Connection) throws {
    guard try !exist(connection) else { return }
    for statement in definitions.flatMap(\.statements) { try connection.execute(statement) }
  }

  static func exist(_ connection: Connection) throws -> Bool {
    try !connection.rows(
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = \(value: .text(transactions))"
    ).isEmpty
  }

  /// The number of the last transaction; 0 before the first.
  static func last(_ connection: Connection) throws -> Int64 {
    let found = try connection.rows("SELECT MAX(\"id\") FROM \(name: transactions)")
    guard case .integer(let last)? = found.first?.first else { return 0 }
    return max(0, last)
  }

  /// The number of the next transaction.
  ///
  /// - Throws: ``SwiftDataError`` with ``StoreProblem/damaged`` when there is none left.
  static func next(_ connection: Connection) throws -> Int64 {
    let last = try last(connection)
    guard last < .max - 1 else { throw exhausted(connection) }
    return last + 1
  }

  /// Tokens go by numbers that only grow. No store gets to their end by saving.
  static func exhausted(_ connection: Connection) -> SwiftDataError {
    connection.damage(
      "the last transaction of its history has the highest number there is, so that none can follow, and "
        + "nothing was saved; to keep the models, delete the rows with an 'id' above \(Int64.max - 2) from the "
        + "table '\(transactions)', or in a JSON file the number '\(HistoryExchange.numberKey)'")
  }
}
