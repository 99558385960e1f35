import Trellis

/// The statements that create the tables.
extension PostgresLayout {
  /// Creates all tables, their indexes and their sequences.
  ///
  /// - Parameter hasForeignKeys: true to let the database check references and apply delete rules.
  func definitions(hasForeignKeys: Bool, _ dialect: PostgresDialect) -> [SQLFragment] {
    tables.map { creation($0, dialect) }
      + tables.filter { $0.key.isEmpty }.map { Self.sequence($0.name) }
      + tables.flatMap { table in table.indexes.map { creation($0, on: table.name) } }
      + (hasForeignKeys ? tables.flatMap(foreignKeys) : [])
  }

  func creation(_ table: TableDefinition, _ dialect: PostgresDialect) -> SQLFragment {
    var lines = table.columns.map { definition($0, in: table.name, dialect) }
    if hasExactColumn(table.name) { lines.append("\(name: Self.exactColumn) \(dialect.exactType)") }
    if !table.key.isEmpty { lines.append("PRIMARY KEY (\(Self.names(table.key)))") }
    return "CREATE TABLE \(name: table.name) (\n  \(lines.joined(separator: ",\n  "))\n)"
  }

  private func definition(_ column: ColumnDefinition, in table: String, _ dialect: PostgresDialect) -> SQLFragment {
    let type = type(of: column.name, in: table)
    var fragment: SQLFragment = "\(name: column.name) \(type.sql)"
    if type == .text { fragment += dialect.byteOrder }
    if column.isRowKey { fragment += " PRIMARY KEY" }
    if column.isRequired { fragment += " NOT NULL" }
    return fragment
  }

  /// - Parameter isConcurrent: true to let others write to the table meanwhile; not in a transaction.
  func creation(_ index: IndexDefinition, on table: String, isConcurrent: Bool = false) -> SQLFragment {
    let kind: SQLFragment = index.isUnique ? "CREATE UNIQUE INDEX" : "CREATE INDEX"
    let mode: SQLFragment = isConcurrent ? " CONCURRENTLY" : ""
    var fragment: SQLFragment = "\(kind)\(mode) \(name: index.name) ON \(name: table) (\(Self.names(index.columns)))"
    if let condition = index.condition {
      let values = condition.values.map { "\(literal: $0)" as SQLFragment }
      fragment += " WHERE \(name: condition.column) IN (\(values.joined(separator: ", ")))"
    }
    return fragment
  }

  /// The constraints are named by us, so that a migration finds them.
  func foreignKeys(of table: TableDefinition) -> [SQLFragment] {
    table.columns.compactMap { column in
      guard let reference = column.reference else { return nil }
      let action: SQLFragment =
        switch reference.onDelete {
        case .cascade: " ON DELETE CASCADE"
        case .setNull: " ON DELETE SET NULL"
        case .noAction: ""
        }
      return """
        ALTER TABLE \(name: table.name) ADD CONSTRAINT \(name: Self.constraint(column.name, of: table.name))
        FOREIGN KEY (\(name: column.name)) REFERENCES \(name: reference.table)\(action)
        DEFERRABLE INITIALLY DEFERRED
        """
    }
  }

  static func constraint(_ column: String, of table: String) -> String {
    "\(table.split(separator: PostgresName.separator).last ?? "")_\(column)_reference"
  }

  /// The sequence of the keys of a table, which gives a thousand of them at once.
  static func sequence(_ table: String) -> SQLFragment {
    "CREATE SEQUENCE \(name: keySequence(of: table)) INCREMENT \(number: keysPerBlock)"
  }

  static func keySequence(of table: String) -> String { "\(table)_keys" }

  /// The keys that one value of a sequence stands for.
  static let keysPerBlock = 1_000

  private static func names(_ names: [String]) -> SQLFragment {
    names.map { "\(name: $0)" as SQLFragment }.joined(separator: ", ")
  }
}
