import Foundation
import TestTraits
import Testing
import Trellis
import TrellisPostgres

/// A program's own SQL, in files, in memory and in a database.
@Suite(.waiting) struct SQLQueryTests {
  static let places: [ConflictPlace.Kind] = [.memory, .disk, .postgres]
  static let hostile = "x'); DELETE FROM \"Grain\"; -- \" ? $1 ?1 \\ é"

  /// An enum that no schema declares.
  enum Flavour: String, Codable, Equatable { case sweet, sour = "x'y" }

  private static func code(_ body: () throws -> Void) -> SQLQueryError.Code? { failure(body)?.code }

  private static func failure(_ body: () throws -> Void) -> SQLQueryError? {
    do {
      try body()
      return nil
    } catch {
      return error as? SQLQueryError
    }
  }

  private static func add(_ change: (Grain) -> Void = { _ in }, in place: ConflictPlace) throws {
    let context = ModelContext(place.container)
    let grain = Grain()
    change(grain)
    context.insert(grain)
    try context.save()
  }

  private static func count(_ context: ModelContext) throws -> Int {
    try context.rows("SELECT count(*) FROM \(Grain.self)", as: Int.self)[0]
  }

  // MARK: values

  private static let values: @Sendable (Grain) -> Void = { grain in
    grain.name = hostile
    grain.flag = true
    grain.int = .min
    grain.int8 = -8
    grain.int32 = .max
    grain.int64 = -1
    grain.uint8 = 255
    grain.uint64 = .max
    grain.float = 0.1
    grain.double = 1e-300
    grain.decimal = Decimal(string: "-12345678901234567890.12345")
    grain.text = hostile
    grain.character = "é"
    grain.date = Date(timeIntervalSinceReferenceDate: -1.25)
    grain.uid = UUID()
    grain.url = URL(string: "https://example.com/a?b='c'")
    grain.data = Data([0, 39, 255])
    grain.reals = [1.5, .infinity]
    grain.counts = ["a": 1]
    grain.box = Grain.Box(name: "b", inner: Grain.Inner(x: 1, y: nil), list: [Grain.Inner(x: 2)])
  }

  @Test(arguments: places) func valuesAreBoundAndDecodedInTheirStoredForm(_ kind: ConflictPlace.Kind) throws {
    let place = try ConflictPlace(kind)
    try Self.add(Self.values, in: place)
    try Self.add(in: place)
    let grain = try #require(place.mine.fetch(FetchDescriptor<Grain>()).first { $0.int != nil })
    func check<V: Codable & Sendable & Equatable>(_ keyPath: KeyPath<Grain, V?>) throws {
      guard let value = grain[keyPath: keyPath] else {
        Issue.record("\(keyPath) has no value")
        return
      }
      let start: SQLQuery = "SELECT \(keyPath) FROM \(Grain.self)"
      let conditions: [SQLQuery] = [
        "\(keyPath) = \(value)", "\(keyPath) = \(V?.some(value))", "\(keyPath) IN \([value, value])",
        "\(keyPath) IS NOT NULL AND \(keyPath) NOT IN \([V]())",
      ]
      for condition in conditions {
        #expect(try place.mine.rows("SELECT count(*) FROM \(Grain.self) WHERE \(condition)", as: Int.self) == [1])
      }
      #expect(try place.mine.rows("SELECT \(V?.none)", as: V?.self) == [nil])
      // SQLite stores these values with the opposite sign.
      guard V.self != UInt64.self || kind == .postgres else { return }
      #expect(try place.mine.rows("\(start) WHERE \(conditions[0])", as: V.self) == [value])
      #expect(try place.mine.rows("\(start) ORDER BY \(keyPath) IS NULL", as: V?.self) == [value, nil])
      #expect(try place.mine.rows("SELECT \(value)", as: V.self) == [value])
    }
    try check(\.flag)
    try check(\.int)
    try check(\.int8)
    try check(\.int32)
    try check(\.int64)
    try check(\.uint8)
    try check(\.uint64)
    try check(\.float)
    try check(\.double)
    try check(\.decimal)
    try check(\.text)
    try check(\.character)
    try check(\.date)
    try check(\.uid)
    try check(\.url)
    try check(\.data)

    struct Codables: Decodable {
      let name: String
      let reals: [Double]?
      let counts: [String: Int]?
      let box: Grain.Box?
    }
    let rows = try place.mine.rows("SELECT * FROM \(Grain.self) ORDER BY \(\Grain.int)", as: Codables.self)
    let full = try #require(rows.first { $0.name == Self.hostile })
    #expect(full.reals == grain.reals && full.counts == grain.counts && full.box == grain.box)
    #expect(rows.count { $0.box == nil } == 1)
  }

  /// NaN and unusual text, which SQL does not compare as Swift does.
  @Test(arguments: places) func unorderedValuesRoundTrip(_ kind: ConflictPlace.Kind) throws {
    let place = try ConflictPlace(kind)
    for value in [Double.nan, .infinity, -.infinity, .leastNonzeroMagnitude] {
      #expect(try place.mine.rows("SELECT \(value)", as: Double.self).map(\.bitPattern) == [value.bitPattern])
    }
    let decomposed = "e\u{301}"
    try Self.add({ $0.text = decomposed }, in: place)
    #expect(try place.mine.rows("SELECT 1 FROM \(Grain.self) WHERE text = \(decomposed)", as: Int.self) == [1])
  }

  @Test(arguments: places) func enumsAreBoundAndDecodedAsRawValues(_ kind: ConflictPlace.Kind) throws {
    let place = try ConflictPlace(kind)
    try place.add("a") { $0.mood = .wild }
    struct Row: Decodable, Equatable {
      let mood: Keep.Mood
      let flavour: Flavour
      let none: Flavour?
    }
    let rows = try place.mine.rows(
      """
      SELECT \(\Keep.mood), \(Flavour.sour) AS flavour, \(Flavour?.none) AS none FROM \(Keep.self)
      WHERE \(\Keep.mood) IN \(Set([Keep.Mood.wild])) AND \(Flavour.sour) IN \([Flavour.sweet, .sour])
      """, as: Row.self)
    #expect(rows == [Row(mood: .wild, flavour: .sour, none: nil)])
    #expect(try place.mine.rows("SELECT \(Flavour.sour)", as: Flavour?.self) == [.sour])
    let failure = Self.failure { _ = try place.mine.rows("SELECT 'salty' AS taste", as: Flavour.self) }
    #expect(failure?.description == "column 'taste', row 1: the value 'salty' is not a 'Flavour'")
  }

  @Test(arguments: places) func identifiersAreBoundAndDecodedAsKeys(_ kind: ConflictPlace.Kind) throws {
    let place = try ConflictPlace(kind)
    try place.add("a")
    let keep = try place.keep(place.mine)
    let part = KeepPart(title: "p")
    place.mine.insert(part)
    part.keep = keep
    let early = part.persistentModelID
    #expect(Self.code { _ = try place.mine.rows("SELECT \(early)", as: Int.self) } == .invalidValue)
    try place.mine.save()
    for identifiers in [[keep.persistentModelID], [keep.persistentModelID, keep.persistentModelID]] {
      #expect(
        try place.mine.rows(
          """
          SELECT p.\(\KeepPart.title) FROM \(KeepPart.self) AS p JOIN \(Keep.self) AS k
          ON p.\(\KeepPart.keep) = k.\(\Keep.persistentModelID) WHERE k.\(\Keep.id) IN \(identifiers)
          """, as: String.self) == ["p"])
    }
    // The identifier from before the save represents the saved row.
    let key = try #require(
      place.mine.rows("SELECT \(\KeepPart.id) FROM \(KeepPart.self) WHERE \(\KeepPart.id) = \(early)", as: Int.self)
        .first)
    let identifier = try PersistentIdentifier.identifier(
      for: #require(keep.persistentModelID.storeIdentifier), entityName: "KeepPart", primaryKey: key)
    #expect(try place.mine.existingModel(for: identifier, as: KeepPart.self) === part)
    let other = try ConflictPlace(.memory)
    #expect(Self.code { _ = try other.mine.rows("SELECT \(keep.persistentModelID)", as: Int.self) } == .invalidValue)
  }

  /// SQL may compute values of other types than the columns have.
  @Test(arguments: places) func computedNumbersAreDecoded(_ kind: ConflictPlace.Kind) throws {
    let place = try ConflictPlace(kind)
    for number in [1, 2, 4] {
      try Self.add(
        {
          ($0.int, $0.int8, $0.double, $0.uint64) = (number, Int8(number), Double(number) / 2, UInt64(number))
          $0.date = Date(timeIntervalSinceReferenceDate: Double(number))
        }, in: place)
    }
    struct Row: Decodable, Equatable {
      let rowCount: Int
      let total: Int
      let mean: Double
      let reals: Double
      let first: Date
      let missing: Int?
    }
    // PostgreSQL names the column `rowcount`.
    let rows = try place.mine.rows(
      """
      SELECT count(*) AS rowCount, sum(int) AS total, avg(int) AS mean, sum(double) AS reals, min(date) AS first,
      sum(int) FILTER (WHERE int > 9) AS missing FROM \(Grain.self)
      """, as: Row.self)
    let first = Date(timeIntervalSinceReferenceDate: 1)
    #expect(rows.map(\.rowCount) == [3] && rows.map(\.total) == [7] && rows.map(\.reals) == [3.5])
    #expect(rows.map(\.first) == [first] && rows.map(\.missing) == [nil])
    #expect(abs(rows[0].mean - 7.0 / 3) < 1e-12)
    let unsigned: SQLQuery = "SELECT max(uint64) AS most FROM \(Grain.self)"
    let count: SQLQuery = "SELECT count(*) AS most FROM \(Grain.self)"
    if kind == .postgres {
      #expect(try place.mine.rows(unsigned, as: UInt64.self) == [4])
      #expect(try place.mine.rows(count, as: UInt.self) == [3])
      #expect(
        try place.mine.rows(
          "SELECT date_trunc('day', to_timestamp(date + 978307200), 'UTC') FROM \(Grain.self) LIMIT 1", as: Date.self)
          == [Date(timeIntervalSinceReferenceDate: 0)])
      #expect(
        try place.mine.rows("SELECT date '2001-01-02', jsonb_build_object('a', 1), 1::smallint", as: Odd.self)
          == [Odd(date: Date(timeIntervalSinceReferenceDate: 86_400), jsonb_build_object: ["a": 1], int2: 1)])
    } else {
      for query in [unsigned, count] {
        #expect(Self.failure { _ = try place.mine.rows(query, as: UInt.self) }?.column == "most")
      }
      #expect(
        try place.mine.rows(unsigned, as: Int64.self).map { UInt64(bitPattern: $0) ^ (1 << 63) } == [4],
        "as the article says")
      let sum = Self.failure { _ = try place.mine.rows("SELECT 0.1 + 0.25 AS n", as: Decimal.self) }
      #expect(sum?.description.contains("decode it as 'Double'") == true)
    }
    for value in ["300", "-1.5", "'7'"] {
      let query = SQLQuery(stringLiteral: "SELECT \(value) AS n")
      let failure = Self.failure { _ = try place.mine.rows(query, as: UInt8.self) }
      #expect(failure?.code == .invalidValue && failure?.column == "n" && failure?.row == 1, "\(value)")
    }
  }

  struct Odd: Decodable, Equatable {
    let date: Date
    let jsonb_build_object: [String: Int]
    let int2: Int
  }

  // MARK: statements

  @Test(arguments: places) func onlySingleQueriesRun(_ kind: ConflictPlace.Kind) throws {
    let place = try ConflictPlace(kind)
    try Self.add(in: place)
    let refused: [SQLQuery] = [
      "INSERT INTO \(Grain.self) (name) VALUES ('b')", "UPDATE \(Grain.self) SET name = 'b' RETURNING name",
      "DELETE FROM \(Grain.self)", "WITH n AS (SELECT 1) DELETE FROM \(Grain.self)", "PRAGMA user_version = 7",
      "PRAGMA busy_timeout = 1", "ATTACH 'x' AS x", "BEGIN", "COMMIT", "DROP TABLE \(Grain.self)",
      "SET search_path = x",
      "DEALLOCATE ALL", "EXPLAIN SELECT 1", "VACUUM", "SELECT 1; DELETE FROM \(Grain.self)", "SELECT 1; SELECT 2",
      "SELECT \(1) + ?2", "SELECT \(1) + $2", "", "-- SELECT", "/* SELECT */ DELETE FROM \(Grain.self)",
      "WITH n AS (DELETE FROM \(Grain.self) RETURNING 1) SELECT * FROM n",
      "SELECT 1 AS n INTO other",
    ]
    for query in refused {
      for run in [{ _ = try place.mine.rows(query, as: Int.self) }, { _ = try query.explain(in: place.mine) }] {
        // PostgreSQL itself rejects some of the queries, and others are invalid in only one of the databases. `EXPLAIN`
        // runs nothing.
        do {
          try run()
          #expect(kind == .postgres, "\(query)")
        } catch let error as SQLQueryError {
          #expect(error.code == .refusedStatement, "\(query)")
        } catch let error as PostgresError {
          #expect(
            ["08P01", "25006", "42601", "42883", "42P02", "42P18"].contains(error.sqlState), "\(query): \(error)")
        } catch let error as SQLiteError {
          #expect(error.message.contains("syntax error"), "\(query): \(error)")
        }
      }
    }
    #expect(try Self.count(place.mine) == 1)
    let allowed: [SQLQuery] = [
      " -- a comment\n/* and ; another */ SELECT 1 ; -- the end\n", "VALUES (1)",
      "\n WITH n(i) AS (SELECT 1) SELECT i FROM n",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT max(i) - 2 FROM n",
      "select 1;;",
    ]
    for query in allowed { #expect(try place.mine.rows(query, as: Int.self) == [1], "\(query)") }
    #expect(Self.code { try place.mine.execute("DELETE FROM \(Grain.self)") } == .refusedStatement)
    #expect(try Self.count(place.mine) == 1)
    guard kind == .postgres else { return }
    // Settings that a query changes are reset afterwards.
    _ = try place.mine.rows("SELECT set_config('search_path', 'nowhere', false)", as: String.self)
    #expect(try place.mine.rows("SELECT current_setting('search_path')", as: String.self) != ["nowhere"])
    #expect(try place.mine.rows("(SELECT 1) UNION ALL (SELECT 2) ORDER BY 1", as: Int.self) == [1, 2])
    #expect(try place.mine.rows("SELECT jsonb_build_object('a', 1) ? 'a' -- it's", as: Bool.self) == [true])
  }

  @Test(arguments: places) func queriesSeeTheLastSavedState(_ kind: ConflictPlace.Kind) throws {
    let place = try ConflictPlace(kind)
    let grain = Grain(name: "a")
    place.mine.insert(grain)
    #expect(try Self.count(place.mine) == 0)
    try place.mine.save()
    #expect(try Self.count(place.mine) == 1)
    place.mine.delete(grain)
    #expect(try place.mine.fetchCount(FetchDescriptor<Grain>()) == 0)
    #expect(try Self.count(place.mine) == 1)
    try Self.add(in: place)
    #expect(try Self.count(place.mine) == 2)
    place.mine.rollback()
    // Like a fetch, the query has read other programs' commits.
    let theirs = try #require(place.other.fetch(FetchDescriptor<Grain>()).first { $0.name == "a" })
    theirs.name = "b"
    try place.other.save()
    #expect(try place.mine.rows("SELECT name FROM \(Grain.self) WHERE name = 'b'", as: String.self) == ["b"])
    #expect(grain.name == "b")
  }

  @Test(arguments: places) func columnsAreDecodedByName(_ kind: ConflictPlace.Kind) throws {
    let place = try ConflictPlace(kind)
    struct Pair: Decodable, Equatable {
      let first: Int
      let second: String?
    }
    let pairs: SQLQuery = "SELECT 'x' AS second, 1 AS first UNION ALL SELECT NULL, 2 ORDER BY 2"
    #expect(try place.mine.rows(pairs, as: Pair.self) == [Pair(first: 1, second: "x"), Pair(first: 2, second: nil)])
    #expect(try place.mine.rows("SELECT 1 AS \"FIRST\", 'x' AS Second", as: Pair.self).map(\.first) == [1])
    let failures: [(SQLQuery, SQLQueryError.Code, String?)] = [
      // A missing column is also reported for an optional property, because the name may be misspelt.
      ("SELECT 1 AS first, 'x' AS secnd", .missingColumn, "second"), ("SELECT 'x' AS second", .missingColumn, "first"),
      ("SELECT 1 AS first, 2 AS first, 'x' AS second", .missingColumn, "first"),
      ("SELECT NULL AS first, 'x' AS second", .nullValue, "first"),
      ("SELECT 'y' AS first, 'x' AS second", .invalidValue, "first"),
    ]
    for (query, code, column) in failures {
      let failure = Self.failure { _ = try place.mine.rows(query, as: Pair.self) }
      #expect(
        failure?.code == code && failure?.column == column && failure?.row == 1,
        "\(query): \(String(describing: failure))")
    }
    #expect(
      Self.failure { _ = try place.mine.rows("SELECT 1 AS n UNION ALL SELECT NULL ORDER BY 1", as: Int.self) }?.code
        == .nullValue)
    #expect(Self.code { _ = try place.mine.rows("SELECT 1, 2", as: Int.self) } == .missingColumn)
    #expect(try place.mine.rows("SELECT 1 AS first, 'x' AS second WHERE 1 = 0", as: Pair.self).isEmpty)
    // The store works normally after an error.
    #expect(try Self.count(place.mine) == 0)
  }

  @Test(arguments: places) func namesOutsideTheStoreAreRejected(_ kind: ConflictPlace.Kind) throws {
    let place = try ConflictPlace(kind)
    let refused: [SQLQuery] = [
      "SELECT 1 FROM \(Loan.self)", "SELECT 1 FROM \(KeepScrew.self)", "SELECT \(\Keep.parts) FROM \(Keep.self)",
      "SELECT \(\Keep.code.count) FROM \(Keep.self)", "SELECT \(\Keep.mark) FROM \(Keep.self)",
      "SELECT \(\Keep.frame) FROM \(Keep.self)",
    ]
    for query in refused {
      #expect(Self.code { _ = try place.mine.rows(query, as: Int.self) } == .unknownName, "\(query)")
    }
    // A property of a subclass is a column of the hierarchy's table.
    place.mine.insert(KeepScrew(title: "s", length: 2))
    try place.mine.save()
    let lengths: SQLQuery = "SELECT \(\KeepScrew.length) FROM \(KeepPart.self) WHERE \(\KeepScrew.title) = 's'"
    #expect(try place.mine.rows(lengths, as: Double.self) == [2])
  }

  // MARK: stores

  /// SQLite would treat them as text.
  @Test(arguments: places) func misspeltNamesInQuotesAreErrors(_ kind: ConflictPlace.Kind) throws {
    let place = try ConflictPlace(kind)
    try Self.add(in: place)
    for query in [
      "SELECT \"nmae\" FROM \(Grain.self)", "SELECT \"name\" FROM \(Grain.self) WHERE \"nmae\" <> 'y'",
    ] as [SQLQuery] {
      #expect(throws: (any Error).self, "\(query)") { try place.mine.rows(query, as: String.self) }
    }
  }

  @Test(arguments: places) func listsCanBeInParentheses(_ kind: ConflictPlace.Kind) throws {
    let place = try ConflictPlace(kind)
    for name in ["a", "b", "c"] { try Self.add({ $0.name = name }, in: place) }
    for names in [[], ["a"], ["a", "b"]] as [[String]] {
      for condition in ["IN \(names)", "IN (\(names))", "IN ( \(Set(names)))"] as [SQLQuery] {
        let query: SQLQuery = "SELECT count(*) FROM \(Grain.self) WHERE \(\Grain.name) \(condition)"
        #expect(try place.mine.rows(query, as: Int.self) == [names.count], "\(query)")
      }
    }
  }

  @Test func errorsDescribeTheMistake() throws {
    let place = try ConflictPlace(.memory)
    try Self.add(in: place)
    let quoted = Self.failure {
      _ = try place.mine.rows("SELECT 1 FROM \(Grain.self) WHERE \(\Grain.name) = '\("x")'", as: Int.self)
    }
    #expect(quoted?.code == .refusedStatement && quoted?.message.hasSuffix("remove the quotes") == true)
    let list = Self.failure { _ = try place.mine.rows("SELECT \(\Keep.parts) FROM \(Keep.self)", as: Int.self) }
    #expect(list?.message.hasPrefix("'Keep.parts' has no column") == true)
    let flattened = Self.failure { _ = try place.mine.rows("SELECT \(\Keep.frame) FROM \(Keep.self)", as: Int.self) }
    #expect(flattened?.message.contains("\"frame_") == true)
    let whole = Self.failure {
      _ = try place.mine.rows("SELECT \"id\" FROM \(Grain.self)", as: PersistentIdentifier.self)
    }
    #expect(whole?.code == .invalidValue)
  }

  @Test func storesWithoutSQLAreNamed() throws {
    let place = try ConflictPlace(.shelf)
    for body in [
      { _ = try place.mine.rows("SELECT 1", as: Int.self) },
      { _ = try ("SELECT 1" as SQLQuery).explain(in: place.mine) },
    ] {
      let failure = Self.failure(body)
      #expect(failure?.code == .unsupportedStore)
      #expect(failure?.message.contains("'shelf'") == true, "\(String(describing: failure))")
    }
    #expect(Self.code { try place.mine.execute("DELETE FROM \(Grain.self)") } == .refusedStatement)
  }

  @Test func oneOfSeveralStoresCanBeSelected() throws {
    func configuration<M: PersistentModel>(_ name: String, _ model: M.Type) -> ModelConfiguration {
      ModelConfiguration(name, schema: Schema([model]), isStoredInMemoryOnly: true)
    }
    let container = try ModelContainer(
      for: Grain.self, Permit.self,
      configurations: configuration("grains", Grain.self), configuration("permits", Permit.self))
    let context = ModelContext(container)
    context.insert(Grain())
    try context.save()
    #expect(try context.rows("SELECT count(*) FROM \(Grain.self)", as: Int.self) == [1])
    #expect(try context.rows("SELECT count(*) FROM \(Permit.self)", as: Int.self) == [0])
    #expect(try context.rows("SELECT count(*) FROM Grain", as: Int.self, configuration: "grains") == [1])
    for (query, name) in [
      ("SELECT 1", nil), ("SELECT 1", "other"), ("SELECT 1 FROM \(Grain.self), \(Permit.self)", nil),
    ] as [(SQLQuery, String?)] {
      let failure = Self.failure { _ = try context.rows(query, as: Int.self, configuration: name) }
      #expect(failure?.code == .unknownStore)
      #expect(failure?.message.contains("'grains', 'permits'") == true)
    }
    #expect(throws: SQLiteError.self) {
      try context.rows("SELECT count(*) FROM Permit", as: Int.self, configuration: "grains")
    }
  }

  @Test(arguments: places) func queriesCanBeExplained(_ kind: ConflictPlace.Kind) throws {
    let place = try ConflictPlace(kind)
    let query: SQLQuery = "SELECT code FROM \(Keep.self) WHERE code = \("a'b") AND count > \(3)"
    let explanation = try query.explain(in: place.mine)
    #expect(explanation.entityName.isEmpty && explanation.parts.isEmpty && explanation.runsInStore)
    #expect(explanation.parameters == ["'a'b'", "3"])
    #expect(explanation.sql?.contains("a'b") == false)
    #expect(!explanation.queryPlan.isEmpty)
    if kind != .postgres { #expect(explanation.usesIndex && explanation.indexes.count == 1) }
    #expect(explanation.description.hasPrefix("query from 'default'\n  SQL: SELECT code FROM "))
  }

  @Test func queriesAreTraced() throws {
    let log = StatementLog()
    var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
    configuration.trace = log.listener
    let context = ModelContext(try ModelContainer(for: Grain.self, configurations: configuration))
    log.removeAll()
    #expect(try context.rows("SELECT name FROM \(Grain.self) WHERE name = \(Self.hostile)", as: String.self) == [])
    #expect(log.statements.map(\.purpose) == [.sql] && log.statements.map(\.rows) == [0])
    #expect(log.statements.first?.sql == "SELECT name FROM \"Grain\" WHERE name = ?1")
    #expect(log.entries.first?.expanded.contains("DELETE FROM") == true)
  }
}
