import Foundation
import Testing

@testable import TestWorlds
@testable import Trellis
@testable import TrellisModel

/// A SQL dialect similar to PostgreSQL's. It only generates SQL and is not connected to a database.
///
/// Of Swift's functions, the imagined database only supports the number of bytes and Normalization Form C.
private struct ToyDialect: SQLDialect {
  func text(of fragment: SQLFragment) -> String { rendered(fragment) }

  func name(_ name: String) -> String { "[\(name)]" }

  func parameter(_ number: Int) -> String { "$\(number)" }

  func sortTerm(_ value: SQLFragment, isReverse: Bool) -> SQLFragment {
    isReverse ? "\(value) DESC NULLS LAST" : "\(value) NULLS FIRST"
  }

  func page(limit: SQLFragment, offset: SQLFragment) -> SQLFragment { " LIMIT NULLIF(\(limit), -1) OFFSET \(offset)" }

  func condition(_ value: Bool) -> SQLFragment { value ? "TRUE" : "FALSE" }

  func isEqual(_ column: SQLFragment, to value: Bool) -> SQLFragment { "\(column) IS \(condition(value))" }

  func isSame(_ lhs: SQLFragment, _ rhs: SQLFragment, isNegated: Bool) -> SQLFragment {
    "\(lhs) IS \(isNegated ? "" : "NOT ")DISTINCT FROM \(rhs)"
  }

  func call(_ function: SwiftFunction, _ arguments: [SQLFragment]) -> SQLFragment? {
    switch function {
    case .byteCount: "octet_length(\(arguments[0]))"
    case .normalized: "normalize(\(arguments[0]), NFC)"
    default: nil
    }
  }

  func extreme(_ value: SQLFragment, _ scalar: ScalarKind, isLargest: Bool, mayBeNaN: Bool) -> SQLFragment? { nil }

  func stored(_ value: SQLValue, _ scalar: ScalarKind) -> SQLValue { value }

  func typed(_ parameter: SQLFragment, _ scalar: ScalarKind) -> SQLFragment { parameter }

  func text(ofUUID value: SQLFragment) -> SQLFragment { "upper(\(value)::text)" }

  func isElement(_ columns: [CapturedColumn]) throws -> SQLFragment {
    isKey(columns[0].sql, in: "\(value: .list(columns[0].values))")
  }

  func isKey(_ key: SQLFragment, in list: SQLFragment) -> SQLFragment { "\(key) = ANY (\(list))" }

  func places(ofKeys list: SQLFragment) -> SQLFragment { "unnest(\(list)) WITH ORDINALITY" }

  func hasElement(
    inArray array: SQLFragment, where condition: (_ element: SQLFragment) throws -> SQLFragment
  ) rethrows -> SQLFragment? { nil }
}

/// The statements of a fetch, an insertion, an update and a deletion in a dialect other than SQLite's.
@Suite struct DialectTests {
  private let dialect = ToyDialect()
  private let catalogue: StoreCatalogue
  private let plans: StoreStatements

  init() throws {
    catalogue = try CatalogueBuilder.catalogue(of: Schema(Film.self))
    plans = StoreStatements(catalogue, store: "", dialect: dialect)
  }

  private func query(_ descriptor: FetchDescriptor<Studio>) throws -> FetchQuery {
    try FetchQuery(Query(descriptor, EditingState()), plans, ColumnFlags([]))
  }

  private func fetch(
    _ predicate: Predicate<Studio>? = nil, sortBy: [SortDescriptor<Studio>] = [], limit: Int? = nil
  ) throws -> String {
    var descriptor = FetchDescriptor(predicate: predicate, sortBy: sortBy)
    descriptor.fetchLimit = limit
    return dialect.text(of: try query(descriptor).fragment(for: limit == nil ? .keys : .rows))
  }

  @Test func aFetchWithPredicateSortAndPage() throws {
    let predicate = #Predicate<Studio> { $0.flag && ($0.rank == 3 || $0.country?.name == "Norge") && $0.code > 5 }
    #expect(
      try fetch(predicate, sortBy: [SortDescriptor(\.rank, order: .reverse), SortDescriptor(\.name)], limit: 9)
        == """
        SELECT [t0].[_id], [t0].[id], [t0].[name], [t0].[code], [t0].[flag], [t0].[rank], [t0].[country] \
        FROM [Studio] AS [t0] \
        WHERE ([t0].[flag] IS TRUE AND ([t0].[rank] IS NOT DISTINCT FROM $1 OR \
        (SELECT [r].[name] FROM [Country] AS [r] WHERE [r].[id] = [t0].[country]) IS NOT DISTINCT FROM $2) \
        AND [t0].[code] > $3) \
        ORDER BY [t0].[rank] DESC NULLS LAST, [t0].[name] NULLS FIRST, [t0].[_id] LIMIT NULLIF($4, -1) OFFSET $5
        """)
  }

  @Test func capturedCollection() throws {
    let codes = [1, 2, 3]
    #expect(
      try fetch(#Predicate { codes.contains($0.code) })
        == "SELECT [t0].[_id] FROM [Studio] AS [t0] WHERE ([t0].[code] = ANY ($1)) ORDER BY [t0].[_id]")
  }

  /// The context evaluates such a predicate in memory.
  @Test func unsupportedFunction() throws {
    #expect(throws: DataStoreError.preferInMemoryFilter) { try fetch(#Predicate { $0.name.contains("o") }) }
    let descriptor = FetchDescriptor<Studio>(predicate: #Predicate { $0.name.contains("o") })
    #expect(
      try query(descriptor).refusals().filter?.reason == "the database has no function 'swift_contains'")
  }

  @Test func statementsForOneRow() throws {
    let statements = try plans.plan(named: "Country")
    #expect(
      dialect.text(of: statements.insertion)
        == "INSERT INTO [Country] ([id], [name], [leader])\nVALUES ($1, $2, $3)")
    #expect(
      dialect.text(of: statements.update([0])) == "UPDATE [Country] SET [name] = $2\nWHERE [id] = $1")
    #expect(dialect.text(of: statements.deletionPlan.deletion) == "DELETE FROM [Country] WHERE [id] = ANY ($1)")
  }

  @Test func quotedNamesAndTextsAreEscaped() {
    let fragment: SQLFragment = "\(name: "a\"?") = \(literal: "it's ?") AND \(name: "b") = \(value: .integer(1))"
    #expect(dialect.text(of: fragment) == "[a\"?] = 'it''s ?' AND [b] = $1")
    #expect(SQLiteDialect().rendered("\(name: "a") = \(value: .integer(1))") == "\"a\" = ?1")
  }
}
