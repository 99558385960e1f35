import Foundation
package import Trellis

/// Reads the tables of a store whose models this program may not have. For tools.
///
/// All reads see one state of the database and change nothing. Tables and columns have the names that the store recorded,
/// which ``PostgresName`` may have shortened.
package final class StoreTables {
  /// The server, the database and the schema, without user and password.
  package let place: String
  private let connection: PostgresConnection
  private let tables: InternalTables
  private let dialect: PostgresDialect

  /// Connects to the server.
  ///
  /// - Throws: ``PostgresError`` if the settings are invalid or the server cannot be reached.
  package init(_ configuration: PostgresConfiguration) throws {
    let pool = try PostgresPool(configuration)
    place = pool.place + (configuration.schemaName.map { ", schema \($0)" } ?? "")
    tables = InternalTables(schemaName: configuration.schemaName)
    dialect = PostgresDialect(engine: configuration.engine)
    connection = try pool.separateConnection()
    try connection.run([PostgresStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", isPrepared: false)])
  }

  /// The texts in which the store describes itself; nil if there are no tables of a store.
  ///
  /// - Throws: ``PostgresError``.
  package func metadata() throws -> [String: String]? {
    guard try exists(StoreCatalogue.metadataTable) else { return nil }
    var values: [String: String] = [:]
    try run("SELECT \"key\", \"value\" FROM \(name: tables.metadata)") { row in
      if let key = row.string(0) { values[key] = row.string(1) }
    }
    return values
  }

  /// The tables that the store recorded; nil for a store without a record.
  private func recordedTables() throws -> [TableDefinition]? {
    try metadata()?[PostgresMetadata.Key.tables].flatMap {
      try? JSONColumn.value([TableDefinition].self, from: Data($0.utf8))
    }
  }

  /// The existing tables with models. Without a record, every table beside the metadata that is not internal.
  ///
  /// - Throws: ``PostgresError``.
  package func names() throws -> [String] {
    var existing: [String] = []
    try run(
      """
      SELECT c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_class m ON m.relnamespace = c.relnamespace
      WHERE m.oid = to_regclass(\(value: .text(dialect.name(tables.metadata)))) AND c.relkind IN ('r', 'p')
      ORDER BY c.oid
      """
    ) { if let name = $0.string(0) { existing.append(name) } }
    guard let recorded = try recordedTables() else { return existing.filter { !$0.hasPrefix("trellis_") } }
    return recorded.map(\.name).filter { existing.contains(PostgresName.shortened($0)) }
  }

  /// The existing columns of a table, without the one that the store keeps for original texts.
  ///
  /// - Throws: ``PostgresError``.
  package func columns(of table: String) throws -> [String] {
    let recorded = try recordedTables()?.first { $0.name == table }?.columns.map(\.name) ?? []
    let long = Dictionary(recorded.map { (PostgresName.shortened($0), $0) }, uniquingKeysWith: { first, _ in first })
    return try types(of: table).map(\.column).filter { $0 != PostgresLayout.exactColumn }.map { long[$0] ?? $0 }
  }

  private func types(of table: String) throws -> [(column: String, type: Int64)] {
    var found: [(String, Int64)] = []
    try run(
      """
      SELECT a.attname, a.atttypid::bigint FROM pg_catalog.pg_attribute a
      WHERE a.attrelid = to_regclass(\(value: .text(dialect.name(tables.qualified(table)))))
      AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
      """
    ) { if let name = $0.string(0) { found.append((name, $0.integer(1) ?? 0)) } }
    return found
  }

  /// True if the database can compare the values of a column with each other: it cannot compare JSON.
  ///
  /// - Throws: ``PostgresError``.
  package func isComparable(_ column: String, of table: String) throws -> Bool {
    let name = PostgresName.shortened(column)
    return try types(of: table).first { $0.column == name }?.type != Int64(PostgresType.json.oid)
  }

  /// The size of the tables and their indexes in bytes.
  ///
  /// - Throws: ``PostgresError``.
  package func size() throws -> Int {
    var names = try names().map(PostgresName.shortened)
    names += [tables.metadata, tables.transactions, tables.tombstones, tables.names].compactMap {
      $0.split(separator: PostgresName.separator).last.map(String.init)
    }
    var size: Int64?
    try run(
      """
      SELECT sum(pg_catalog.pg_total_relation_size(c.oid))::bigint FROM pg_catalog.pg_class c
      JOIN pg_catalog.pg_class m ON m.relnamespace = c.relnamespace
      WHERE m.oid = to_regclass(\(value: .text(dialect.name(tables.metadata))))
      AND c.relname = ANY (\(value: .list(names.map { .text($0) })))
      """
    ) { size = $0.integer(0) }
    return Int(size ?? 0)
  }

  /// The name of a table together with its schema, for `\(name:)` in a fragment.
  package func qualified(_ table: String) -> String { tables.qualified(table) }

  /// Runs a query. Its results are integers and texts.
  ///
  /// - Throws: ``PostgresError``.
  package func rows(_ fragment: SQLFragment) throws -> [[SQLValue]] {
    var rows: [[SQLValue]] = []
    try run(fragment) { row in
      rows.append(
        (0..<row.count).map { column in
          row.integer(column).map { .integer($0) } ?? row.string(column).map { .text($0) } ?? .null
        })
    }
    return rows
  }

  private func exists(_ table: String) throws -> Bool {
    var exists = false
    try run(
      """
      SELECT count(*) FROM pg_catalog.pg_class
      WHERE oid = to_regclass(\(value: .text(dialect.name(tables.qualified(table)))))
      """
    ) { exists = $0.integer(0) == 1 }
    return exists
  }

  private func run(_ fragment: SQLFragment, row: (ResultRow) throws -> Void) throws {
    try connection.run(PostgresStatement(fragment, dialect, isPrepared: false), row: row)
  }

  /// Deletes the tables of the store and their sequences, in one transaction. Other tables stay.
  ///
  /// - Throws: ``PostgresError`` if other objects of the database depend on them. Nothing is deleted then.
  package func remove() throws {
    let models = try names()
    let own =
      models + [
        StoreCatalogue.metadataTable, HistoryTables.transactions, HistoryTables.tombstones, HistoryTables.names,
      ]
    let names = own.map { "\(name: tables.qualified($0))" as SQLFragment }
    var statements: [SQLFragment] = ["DROP TABLE IF EXISTS \(names.joined(separator: ", "))"]
    let sequences = models.map(PostgresLayout.keySequence) + [InternalTables.numbersName]
    statements += sequences.map { "DROP SEQUENCE IF EXISTS \(name: tables.qualified($0))" }
    try connection.run([PostgresStatement("ROLLBACK", isPrepared: false)])
    try connection.run(statements.map { PostgresStatement($0, dialect, isPrepared: false) })
    try connection.run([PostgresStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", isPrepared: false)])
  }
}
