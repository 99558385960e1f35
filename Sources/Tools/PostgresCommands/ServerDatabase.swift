import Foundation
import StoreStudio
import StoreTransfer
import Trellis
import TrellisPostgres

/// A store in a PostgreSQL database, for the studio.
final class ServerDatabase: StudioDatabase {
  let target: TransferTarget
  let place: String
  /// Rows contain all values.
  let files = ExternalFolder(ofStore: nil)
  private(set) var isReplaced = false
  private let store: PostgresStore
  private let cells: ValueRow
  /// The store's identifier and schema when it was opened.
  private let identity: String
  /// The end of ``run(within:_:)``.
  private var deadline: ContinuousClock.Instant?

  private struct TimeLimit: Error {}

  /// - Throws: `TransferError` if the database contains no store with its schema's text; `PostgresError`;
  ///   `SwiftDataError`.
  init(_ configuration: PostgresConfiguration) throws {
    let tables = try StoreTables(configuration)
    guard let metadata = try tables.metadata() else {
      throw TransferError(
        "\(tables.place): the schema contains no Trellis store; '--schema' selects a different schema")
    }
    let recorded = try RecordedSchema(metadata, tables.place)
    var configuration = configuration
    configuration.schema = recorded.target.schema
    configuration.migration.role = .client
    store = try PostgresStore(configuration)
    target = recorded.target.renamingTables(store.tables.qualified)
    place = tables.place
    cells = try ValueRow()
    identity = Self.identityKeys.map { metadata[$0] ?? "" }.joined(separator: " ")
  }

  private static let identityKeys = [StoreMetadata.Key.identifier, StoreMetadata.Key.fingerprint]

  func version() throws -> String {
    // The greatest number alone does not change if an older transaction is committed later.
    let latest: SQLFragment = """
      SELECT "id" FROM \(name: internalTable(HistoryTables.transactions)) ORDER BY "id" DESC LIMIT 32
      """
    let metadata: SQLFragment = "\(name: internalTable(StoreCatalogue.metadataTable))"
    let identity = Self.identityKeys.map { key -> SQLFragment in
      "(SELECT \"value\" FROM \(metadata) WHERE \"key\" = \(literal: key))"
    }
    let found = try read {
      try rows(
        """
        SELECT \(identity.joined(separator: " || ' ' || ")), string_agg("id"::text, ' ') FROM (\(latest)) AS "latest"
        """)
    }
    if found.first?[0] != .text(self.identity) { isReplaced = true }
    return (found.first ?? []).map { if case .text(let text) = $0 { text } else { "" } }.joined(separator: " ")
  }

  func size() throws -> Int64 {
    let internalTables = [
      StoreCatalogue.metadataTable, HistoryTables.transactions, HistoryTables.tombstones, HistoryTables.names,
    ].map(internalTable)
    let names = (target.catalogue.tables.map(\.name) + internalTables).map { SQLValue.text(dialect.name($0)) }
    return try integers(
      """
      SELECT sum(pg_catalog.pg_total_relation_size(to_regclass("name")))::bigint
      FROM unnest(\(value: .list(names))::text[]) AS "tables"("name")
      """
    ).first ?? 0
  }

  // MARK: Queries

  var dialect: any SQLDialect { store.plans.dialect }

  func flags() -> ColumnFlags { store.flags }

  func read<T>(_ body: () throws -> T) throws -> T {
    do {
      return try store.readingOneState(body)
    } catch let error as SwiftDataError where error.storeProblem != nil {
      // Another program has migrated the store.
      isReplaced = true
      throw error
    }
  }

  func rows(_ query: SQLFragment) throws -> [[SQLValue]] {
    if let deadline, deadline < .now { throw TimeLimit() }
    return try store.pool.withConnection { try $0.rows(query, \.values) }
  }

  private func execute(_ statements: [SQLFragment]) throws {
    try store.pool.withConnection { try $0.execute(statements) }
  }

  func run<T>(within limit: Duration, _ body: () throws -> T) throws -> T? {
    let outer = deadline
    let end = min(.now + limit, outer ?? .now + limit)
    let milliseconds = max(1, Int(ContinuousClock.now.duration(to: end) / .milliseconds(1)))
    try execute(["SAVEPOINT \"limit\"", "SET LOCAL statement_timeout = \(number: milliseconds)"])
    deadline = end
    defer { deadline = outer }
    // This also resets the time limit.
    func reset() throws { try execute(["ROLLBACK TO SAVEPOINT \"limit\"", "RELEASE SAVEPOINT \"limit\""]) }
    do {
      let result = try body()
      try reset()
      return result
    } catch is TimeLimit {
      try reset()
      return nil
    } catch let error as PostgresError where error.sqlState == "57014" {
      try reset()
      return nil
    }
  }

  /// The number of rows that are fetched at once.
  private static let batch = 100

  func visit(_ query: SQLFragment, _ row: (Statement) throws -> Void) throws {
    try execute(["DECLARE \"page\" NO SCROLL CURSOR FOR \(query)"])
    var count = Self.batch
    while count == Self.batch {
      let rows = try rows("FETCH FORWARD \(number: Self.batch) FROM \"page\"")
      for values in rows { try row(cells.statement(values)) }
      count = rows.count
    }
    try execute(["CLOSE \"page\""])
  }

  func plan(of query: SQLFragment) throws -> [String] {
    try rows("EXPLAIN \(query)").compactMap { if case .text(let line)? = $0.first { line } else { nil } }
  }

  // MARK: SQL

  func selection(_ columns: SQLFragment, of entity: EntityLayout) -> SQLFragment {
    store.selection(columns, of: entity)
  }

  func preview(of data: SQLFragment) -> (beginning: SQLFragment, size: SQLFragment)? {
    ("substring(\(data) FROM 1 FOR 16)", "octet_length(\(data))")
  }

  func parameter(_ value: SQLValue, for column: String, in table: String) -> SQLValue {
    if case .text(let text) = value, store.layout.isNormalized(column, in: table) {
      return .text(TextRules.normalized(text))
    }
    return store.layout.type(of: column, in: table).stored(value)
  }

  func matches(_ value: SQLFragment, _ pattern: String) -> SQLFragment {
    "\(value)::text ILIKE \(value: .text(TextRules.normalized(pattern))) ESCAPE '\\'"
  }

  func number(ofDecimal value: SQLFragment) -> SQLFragment { value }

  func excerpt(of value: SQLFragment, around text: String) -> SQLFragment {
    let found: SQLFragment = "lower(\(value: .text(TextRules.normalized(text)))::text)"
    // The beginning of the excerpt, in characters before the match.
    return "substr(\(value)::text, greatest(1, strpos(lower(\(value)::text), \(found)) - 40), 200)"
  }

  func internalTable(_ name: String) -> String { store.tables.qualified(name) }

  func preservedValues(_ transaction: Int64, _ entity: Int, _ key: Int64) throws -> [SQLValue] {
    let found = try rows(
      """
      SELECT "values" FROM \(name: internalTable(HistoryTables.tombstones)) WHERE "save" =
      (SELECT "save" FROM \(name: internalTable(HistoryTables.transactions)) WHERE "id" = \(value: .integer(transaction)))
      AND "entity" = \(value: .integer(Int64(entity))) AND "key" = \(value: .integer(key))
      """)
    guard case .text(let text)? = found.first?.first,
      let values = try? JSONDecoder().decode([String?].self, from: Data(text.utf8))
    else { return [] }
    return values.map { $0.flatMap(PostgresType.value(ofPreserved:)) ?? .null }
  }

  // MARK: Changes

  /// The server checks the account's privileges with each save.
  func requireWritable() {}

  func finish() -> @Sendable () -> Void { {} }

  func change<T>(
    isTrial: Bool, _ body: (any TableStore, any StoreTransaction) throws -> T
  ) throws -> T {
    let transaction = store.makeTransaction(readsFirst: true)
    var hasDuplicates = false
    while true {
      do {
        defer { transaction.end() }
        try transaction.begin()
        // Saves write to the history, so apps cannot save from now on. The next statement takes the transaction's
        // snapshot. If a statement by another program changes the same rows later, the server reports a conflict, and
        // the next attempt reads the changed rows.
        if !isTrial { try store.pool.withConnection(store.lockHistory) }
        return try body(store, transaction)
      } catch {
        // The second attempt writes in an order in which rows can exchange unique values.
        let isDuplicate = uniqueViolation(error) != nil
        guard !(isDuplicate && hasDuplicates), try transaction.canRepeat(after: error) else { throw error }
        hasDuplicates = isDuplicate
      }
    }
  }

  func uniqueViolation(_ error: any Error) -> String? {
    guard let error = error as? PostgresError, error.sqlState == "23505" else { return nil }
    return error.description
  }
}
