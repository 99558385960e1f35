package import Trellis

/// A connection for tools. All reads see a single database state.
package final class DatabaseSession {
  /// The server, the database and the schema, excluding user and password.
  package let place: String
  private let connection: PostgresConnection
  private let tables: InternalTables
  private let dialect: PostgresDialect

  private static let begin: SQLFragment = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

  /// Connects to the server.
  ///
  /// - Throws: ``PostgresError`` if the settings are not valid or the server cannot be reached.
  package init(_ configuration: PostgresConfiguration) throws {
    let pool = try PostgresPool(configuration)
    place = pool.place + (configuration.schemaName.map { ", schema \($0)" } ?? "")
    tables = InternalTables(schemaName: configuration.schemaName)
    dialect = PostgresDialect(engine: configuration.engine)
    connection = try pool.separateConnection()
    try connection.execute([Self.begin])
  }

  /// A table name qualified with the schema, for `\(name:)` in a fragment.
  package func qualified(_ table: String) -> String { tables.qualified(table) }

  /// A table's object identifier in the database catalog; NULL if the table does not exist.
  package func number(of table: String) -> SQLFragment {
    "to_regclass(\(value: .text(dialect.name(tables.qualified(table)))))"
  }

  /// The object identifier of the JSON column type.
  package static let jsonType = Int64(PostgresType.json.oid)

  /// Runs a query.
  ///
  /// - Throws: ``PostgresError``.
  package func rows(_ fragment: SQLFragment) throws -> [[SQLValue]] { try connection.rows(fragment) { $0.values } }

  /// Runs statements in one transaction. Later reads see the resulting state.
  ///
  /// - Throws: ``PostgresError``. Nothing is changed in that case.
  package func change(_ statements: [SQLFragment]) throws {
    try connection.execute(["ROLLBACK"])
    try connection.execute(statements)
    try connection.execute([Self.begin])
  }
}
