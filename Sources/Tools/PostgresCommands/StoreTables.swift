import Foundation
import Trellis
import TrellisPostgres

/// Reads the tables of a store whose models this program may not have.
///
/// Tables and columns have the names that the store recorded, which the database may have shortened.
final class StoreTables {
  private let session: DatabaseSession

  var place: String { session.place }

  /// Connects to the server.
  ///
  /// - Throws: `PostgresError` if the settings are invalid or the server cannot be reached.
  init(_ configuration: PostgresConfiguration) throws { session = try DatabaseSession(configuration) }

  private var metadataNumber: SQLFragment { session.number(of: StoreCatalogue.metadataTable) }

  /// The texts in which the store describes itself; nil if there are no tables of a store.
  ///
  /// - Throws: `PostgresError`, as all functions.
  func metadata() throws -> [String: String]? {
    guard try rows("SELECT 1 FROM pg_catalog.pg_class WHERE oid = \(metadataNumber)").count == 1 else { return nil }
    let found = try rows("SELECT \"key\", \"value\" FROM \(name: qualified(StoreCatalogue.metadataTable))")
    return Dictionary(
      found.compactMap { row in row[0].string.flatMap { key in row[1].string.map { (key, $0) } } },
      uniquingKeysWith: { first, _ in first })
  }

  /// The tables that the store recorded; nil for a store without a record.
  private func recordedTables() throws -> [TableDefinition]? {
    try metadata()?["tables"].flatMap { try? JSONColumn.value([TableDefinition].self, from: Data($0.utf8)) }
  }

  /// The existing tables with models. Without a record, every table beside the metadata that is not internal.
  func names() throws -> [String] {
    let existing = try rows(
      """
      SELECT c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_class m ON m.relnamespace = c.relnamespace
      WHERE m.oid = \(metadataNumber) AND c.relkind IN ('r', 'p') ORDER BY c.oid
      """
    ).compactMap(\.[0].string)
    guard let recorded = try recordedTables() else { return existing.filter { !$0.hasPrefix("trellis_") } }
    return recorded.map(\.name).filter { existing.contains(session.shortened($0)) }
  }

  /// The existing columns of a table, without the one that the store keeps for original texts.
  func columns(of table: String) throws -> [String] {
    let recorded = try recordedTables()?.first { $0.name == table }?.columns.map(\.name) ?? []
    let long = Dictionary(recorded.map { (session.shortened($0), $0) }, uniquingKeysWith: { first, _ in first })
    return try types(of: table).map(\.column).filter { $0 != DatabaseSession.exactColumn }.map { long[$0] ?? $0 }
  }

  private func types(of table: String) throws -> [(column: String, type: SQLValue)] {
    try rows(
      """
      SELECT a.attname, a.atttypid::bigint FROM pg_catalog.pg_attribute a
      WHERE a.attrelid = \(session.number(of: table)) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
      """
    ).compactMap { row in row[0].string.map { ($0, row[1]) } }
  }

  /// True if the database can compare the values of a column with each other: it cannot compare JSON.
  func isComparable(_ column: String, of table: String) throws -> Bool {
    let name = session.shortened(column)
    return try types(of: table).first { $0.column == name }?.type != .integer(DatabaseSession.jsonType)
  }

  /// The size of the tables and their indexes in bytes.
  func size() throws -> Int {
    let names = (try names() + Self.internalTables).map { SQLValue.text(session.shortened($0)) }
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

  /// The name of a table together with its schema, for `\(name:)` in a fragment.
  func qualified(_ table: String) -> String { session.qualified(table) }

  /// Runs a query. Its results are integers and texts.
  func rows(_ fragment: SQLFragment) throws -> [[SQLValue]] { try session.rows(fragment) }

  /// Deletes the tables of the store and their sequences, in one transaction. Other tables stay.
  ///
  /// - Throws: `PostgresError` if other objects of the database depend on them. Nothing is deleted then.
  func remove() throws {
    let models = try names()
    let tables = (models + Self.internalTables).map { "\(name: qualified($0))" as SQLFragment }
    try session.change(
      ["DROP TABLE IF EXISTS \(tables.joined(separator: ", "))"]
        + session.sequences(of: models).map { "DROP SEQUENCE IF EXISTS \(name: qualified($0))" })
  }
}

extension SQLValue {
  fileprivate var string: String? { if case .text(let text) = self { text } else { nil } }
}
