package import Trellis

/// A connection for tools. All reads see one state of the database.
package final class DatabaseSession {
  /// The server, the database and the schema, without user and password.
  package let place: String
  private let connection: PostgresConnection
  private let tables: InternalTables
  private let dialect: PostgresDialect

  private static let begin: SQLFragment = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

  /// Connects to the server.
  ///
  /// - Throws: ``PostgresError`` if the settings are invalid or the server cannot be reached.
  package init(_ configuration: PostgresConfiguration) throws {
    let pool = try PostgresPool(configuration)
    place = pool.place + (configuration.schemaName.map { ", schema \($0)" } ?? "")
    tables = InternalTables(schemaName: configuration.schemaName)
    dialect = PostgresDialect(engine: configuration.engine)
    connection = try pool.separateConnection()
    try connection.execute([Self.begin])
  }

  /// The name of a table together with its schema, for `\(name:)` in a fragment.
  package func qualified(_ table: String) -> String { tables.qualified(table) }

  /// The number of a table in the database's catalogue; NULL if there is no such table.
  package func number(of table: String) -> SQLFragment {
    "to_regclass(\(value: .text(dialect.name(tables.qualified(table)))))"
  }

  /// The name that the database has for a table or a column.
  package func shortened(_ name: String) -> String { PostgresName.shortened(name) }

  /// The sequences of a store with some tables of models.
  package func sequences(of models: [String]) -> [String] {
    models.map(PostgresLayout.keySequence) + [InternalTables.numbersName]
  }

  /// The column that the store keeps for original texts.
  package static let exactColumn = PostgresLayout.exactColumn
  /// The number of the type of columns with JSON.
  package static let jsonType = Int64(PostgresType.json.oid)

  /// Runs a query. Its results are integers and texts.
  ///
  /// - Throws: ``PostgresError``.
  package func rows(_ fragment: SQLFragment) throws -> [[SQLValue]] {
    try connection.rows(fragment) { row in
      (0..<row.count).map { column in
        row.integer(column).map { .integer($0) } ?? row.string(column).map { .text($0) } ?? .null
      }
    }
  }

  /// Runs statements in one transaction. Later reads see the state afterwards.
  ///
  /// - Throws: ``PostgresError``. Nothing is changed then.
  package func change(_ statements: [SQLFragment]) throws {
    try connection.execute(["ROLLBACK"])
    try connection.execute(statements)
    try connection.execute([Self.begin])
  }
}
