import Foundation
import Testing

@testable import Trellis

/// Prints the SQL of an imaginary database.
private struct ToyDialect: SQLDialect {
  func name(_ name: String) -> String { "[\(name)]" }
  func parameter(_ number: Int) -> String { "$\(number)" }

  func function(_ name: String) throws -> String {
    guard name == "swift_contains" else { throw Untranslatable("the database does not have '\(name)'") }
    return "text_contains"
  }

  func constant(_ value: Bool) -> SQLFragment { value ? "TRUE" : "FALSE" }
  func test(_ column: SQLFragment, is value: Bool) -> SQLFragment { value ? column : "NOT \(column)" }

  func equality(_ lhs: SQLFragment, _ rhs: SQLFragment, isNegated: Bool) -> SQLFragment {
    isNegated ? "\(lhs) IS DISTINCT FROM \(rhs)" : "\(lhs) IS NOT DISTINCT FROM \(rhs)"
  }

  func membership(of value: SQLFragment, in list: SQLFragment, mayBeNaN: Bool) -> SQLFragment {
    "\(value) = ANY (\(list))"
  }

  func sortTerm(_ value: SQLFragment, isReverse: Bool) -> SQLFragment {
    isReverse ? "\(value) DESC NULLS LAST" : "\(value) ASC NULLS FIRST"
  }

  func page(limit: SQLFragment, offset: SQLFragment) -> SQLFragment {
    " LIMIT NULLIF(\(limit), -1) OFFSET \(offset)"
  }

  func columnType(_ affinity: ColumnType.Affinity) -> SQLFragment {
    switch affinity {
    case .integer: "BIGINT"
    case .text: "VARCHAR"
    case .blob, .any: "BYTES"
    }
  }

  func tableOptions(hasRowNumber: Bool) -> SQLFragment { "" }
}

/// The statements of a store in another dialect of SQL, which no context takes part in.
@Suite struct SQLDialectTests {
  private let toy = ToyDialect()
  private let plans: StoreStatements
  private let tables: [TableDefinition]

  init() throws {
    let catalogue = try CatalogueBuilder.catalogue(of: Schema([Studio.self]))
    plans = StoreStatements(catalogue, store: "toy", dialect: toy)
    tables = catalogue.tables
  }

  private func fetch(_ descriptor: FetchDescriptor<Studio>) throws -> FetchQuery {
    try FetchQuery(Query(descriptor, EditingState()), plans, ColumnFlags())
  }

  private func check(
    _ fragment: SQLFragment, _ expected: String, at location: SourceLocation = #_sourceLocation
  ) throws {
    let text = try toy.text(of: fragment)
    #expect(text == expected, "\(text)", sourceLocation: location)
  }

  @Test func fetch() throws {
    var descriptor = FetchDescriptor<Studio>(
      predicate: #Predicate { $0.flag && $0.rank == 3 && $0.name.contains("o") },
      sortBy: [SortDescriptor(\.rank, order: .reverse), SortDescriptor(\.name)])
    descriptor.fetchLimit = 10
    let fragment = try fetch(descriptor).fragment(for: .keys)
    try check(
      fragment,
      """
      SELECT [t0].[_id] FROM [Studio] AS [t0] \
      WHERE ([t0].[flag] AND [t0].[rank] IS NOT DISTINCT FROM $1 AND text_contains([t0].[name], $2)) \
      ORDER BY [t0].[rank] DESC NULLS LAST, [t0].[name] ASC NULLS FIRST, [t0].[_id] \
      LIMIT NULLIF($3, -1) OFFSET $4
      """)
    #expect(fragment.values == [.integer(3), .text("o"), .integer(10), .integer(0)])
  }

  @Test func count() throws {
    let names = ["Nord", "Ost"]
    let fragment = try fetch(FetchDescriptor(predicate: #Predicate { names.contains($0.name) && !$0.flag }))
      .fragment(for: .count)
    try check(
      fragment,
      "SELECT COUNT(*) FROM [Studio] AS [t0] WHERE ([t0].[name] = ANY ($1) AND NOT [t0].[flag])")
  }

  @Test func aFunctionThatTheDatabaseDoesNotHaveIsComputedInMemory() throws {
    let query = try fetch(FetchDescriptor(predicate: #Predicate { $0.name.starts(with: "o") }))
    #expect(throws: DataStoreError.preferInMemoryFilter) { try query.fragment(for: .rows) }
  }

  @Test func writes() throws {
    let plan = try plans.plan(for: Studio._$definition)
    try check(
      plan.insertion,
      """
      INSERT INTO [Studio] ([_id], [id], [name], [code], [flag], [rank], [country])
      VALUES ($1, $2, $3, $4, $5, $6, $7)
      """)
    try check(plan.update([1]), "UPDATE [Studio] SET [name] = $3\nWHERE [_id] = $1")
    try check(plan.deletion, "DELETE FROM [Studio] WHERE [_id] = $1")
  }

  @Test func table() throws {
    let table = try #require(tables.first { $0.name == "Studio" })
    try check(
      table.creation(in: toy),
      """
      CREATE TABLE [Studio] (
        [_id] BIGINT PRIMARY KEY,
        [id] VARCHAR NOT NULL,
        [name] VARCHAR NOT NULL,
        [code] BIGINT NOT NULL,
        [flag] BIGINT NOT NULL,
        [rank] BIGINT,
        [country] BIGINT REFERENCES [Country] ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
      )
      """)
  }

  @Test func textsInQuotesStayAsTheyAre() throws {
    let fragment: SQLFragment =
      "SELECT \(literal: "it's ?") AS \(name: "a \"?\" b") WHERE x = \(value: .null) OR y = ?7"
    #expect(try toy.text(of: fragment) == #"SELECT 'it''s ?' AS [a "?" b] WHERE x = $1 OR y = $7"#)
    #expect(SQLiteDialect().text(of: fragment) == fragment.text)
  }
}
