import Foundation
import Trellis
import TrellisPostgres

/// Reads a store's tables. Does not use the models, which this process might not have.
///
/// Tables and columns are identified by the names that the store records. The database may use shortened names.
final class StoreTables {
  private let session: DatabaseSession

  var place: String { session.place }

  /// Connects to the server.
  ///
  /// - Throws: `PostgresError` if the settings are invalid or the server cannot be reached.
  init(_ configuration: PostgresConfiguration) throws { session = try DatabaseSession(configuration) }

  private var metadataNumber: SQLFragment { session.number(of: StoreCatalogue.metadataTable) }

  /// Returns the store's metadata, or nil if the schema does not contain a store.
  ///
  /// - Throws: `PostgresError`, like all functions of this class.
  func metadata() throws -> [String: String]? {
    guard try rows("SELECT 1 FROM pg_catalog.pg_class WHERE oid = \(metadataNumber)").count == 1 else { return nil }
    let found = try rows("SELECT \"key\", \"value\" FROM \(name: qualified(StoreCatalogue.metadataTable))")
    return Dictionary(
      found.compactMap { row in row[0].string.flatMap { key in row[1].string.map { (key, $0) } } },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the tables that the store's metadata lists, or nil if it lists none.
  private func recordedTables() throws -> [TableDefinition]? {
    try metadata()?["tables"].flatMap { try? JSONColumn.value([TableDefinition].self, from: Data($0.utf8)) }
  }

  /// Returns the names of the existing model tables. If the metadata lists no tables, these are all tables in the
  /// schema that are not internal.
  func names() throws -> [String] {
    let existing = try rows(
      """
      SELECT c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_class m ON m.relnamespace = c.relnamespace
      WHERE m.oid = \(metadataNumber) AND c.relkind IN ('r', 'p') ORDER BY c.oid
      """
    ).compactMap(\.[0].string)
    guard let recorded = try recordedTables() else { return existing.filter { !$0.hasPrefix("trellis_") } }
    return recorded.map(\.name).filter { existing.contains(PostgresName.shortened($0)) }
  }

  /// Returns a table's existing columns, except the internal column that stores original text values.
  func columns(of table: String) throws -> [String] {
    let recorded = try recordedTables()?.first { $0.name == table }?.columns.map(\.name) ?? []
    let long = Dictionary(recorded.map { (PostgresName.shortened($0), $0) }, uniquingKeysWith: { first, _ in first })
    return try types(of: table).map(\.column).filter { $0 != PostgresLayout.exactColumn }.map { long[$0] ?? $0 }
  }

  private func types(of table: String) throws -> [(column: String, type: SQLValue)] {
    try rows(
      """
      SELECT a.attname, a.atttypid::bigint FROM pg_catalog.pg_attribute a
      WHERE a.attrelid = \(session.number(of: table)) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
      """
    ).compactMap { row in row[0].string.map { ($0, row[1]) } }
  }

  /// Returns false if the database cannot compare the column's values, as with JSON.
  func isComparable(_ column: String, of table: String) throws -> Bool {
    let name = PostgresName.shortened(column)
    return try types(of: table).first { $0.column == name }?.type != .integer(DatabaseSession.jsonType)
  }

  /// Returns the total size of the tables and indexes in bytes.
  func size() throws -> Int {
    let names = (try names() + Self.internalTables).map { SQLValue.text(PostgresName.shortened($0)) }
    let found = try rows(
      """
      SELECT sum(pg_catalog.pg_total_relation_size(c.oid))::bigint FROM pg_catalog.pg_class c
      JOIN pg_catalog.pg_class m ON m.relnamespace = c.relnamespace
      WHERE m.oid = \(metadataNumber) AND c.relname = ANY (\(value: .list(names)))
      """)
    guard case .integer(let size)? = found.first?.first else { return 0 }
    return Int(size)
  }

  private static let internalTables = [
    StoreCatalogue.metadataTable, HistoryTables.transactions, HistoryTables.tombstones, HistoryTables.names,
  ]

  /// Qualifies a table name with the schema, for `\(name:)` in a fragment.
  func qualified(_ table: String) -> String { session.qualified(table) }

  /// Runs a query that returns integers and strings.
  func rows(_ fragment: SQLFragment) throws -> [[SQLValue]] { try session.rows(fragment) }

  /// Deletes the store's tables and sequences in a single transaction. Other tables remain.
  ///
  /// - Throws: `PostgresError` if database objects depend on the tables. In this case nothing is deleted.
  func remove() throws {
    let models = try names()
    let tables = (models + Self.internalTables).map { "\(name: qualified($0))" as SQLFragment }
    let sequences = models.map(PostgresLayout.keySequence) + [InternalTables.numbersName]
    try session.change(
      ["DROP TABLE IF EXISTS \(tables.joined(separator: ", "))"]
        + sequences.map { "DROP SEQUENCE IF EXISTS \(name: qualified($0))" })
  }
}
