import Foundation
import PostgresSupport
import SampleTripsGolden
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

// example
struct Week: Decodable, Equatable {
  let monday: String
  let trips: Int
  let days: Double
}
// end

/// Compiles and tests the code of the article on a program's own SQL.
@Suite(.waiting) struct OwnSQLArticleTests {
  private static func container(_ isServer: Bool) throws -> ModelContainer {
    let container =
      isServer
      ? try ModelContainer(for: Trip.self, configurations: try PostgresServer.shared.get().configuration())
      : try ModelContainer(for: Trip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    // 2000-12-31 is a Sunday and 2001-01-01 a Monday.
    for (day, length, kind) in [
      (-1.0, 1.0, TripKind.personal), (0, 2, .business), (6.9, 4, .business), (7, 8, .reunion),
    ] {
      let start = Date(timeIntervalSinceReferenceDate: day * 86_400)
      context.insert(
        Trip(
          name: "t\(day)", destination: "Oslo", startDate: start, endDate: start.addingTimeInterval(length * 86_400),
          kind: kind))
    }
    try context.save()
    return container
  }

  @Test(arguments: [
    "Tests/StoreTests/Store/SQL/OwnSQLArticleTests.swift", "Tests/MigrationTests/Files/OwnSQLStageTests.swift",
  ])
  func theArticlesExamplesAreRun(_ tests: String) throws {
    let article = try Repository.text("Sources/Runtime/Trellis/Trellis.docc/YourOwnSQL.md")
    let examples = try Repository.examples(in: tests)
    #expect(examples.count >= 2)
    for example in examples { #expect(article.contains(example), "not in the article:\n\(example)") }
  }

  static func inSQLite(_ context: ModelContext, _ start: Date) throws -> [Week] {
    // example
    let monday: SQLQuery = "date(\(\Trip.startDate) + 978307200, 'unixepoch', 'weekday 0', '-6 days')"
    let weeks = try context.rows(
      """
      SELECT \(monday) AS monday, count(*) AS trips, avg(\(\Trip.endDate) - \(\Trip.startDate)) / 86400 AS days
      FROM \(Trip.self) WHERE \(\Trip.startDate) >= \(start) GROUP BY monday ORDER BY monday
      """, as: Week.self)
    // end
    return weeks
  }

  static func inPostgreSQL(_ context: ModelContext, _ start: Date) throws -> [Week] {
    // example
    let monday: SQLQuery = """
      to_char(date_trunc('week', to_timestamp(\(\Trip.startDate) + 978307200) AT TIME ZONE 'UTC'), 'YYYY-MM-DD')
      """
    // end
    return try context.rows(
      """
      SELECT \(monday) AS monday, count(*) AS trips, avg(\(\Trip.endDate) - \(\Trip.startDate)) / 86400 AS days
      FROM \(Trip.self) WHERE \(\Trip.startDate) >= \(start) GROUP BY monday ORDER BY monday
      """, as: Week.self)
  }

  @Test(arguments: [false, true]) func tripsAreCountedByWeek(isServer: Bool) throws {
    let context = ModelContext(try Self.container(isServer))
    let weeks = isServer ? Self.inPostgreSQL : Self.inSQLite
    #expect(
      try weeks(context, .distantPast) == [
        Week(monday: "2000-12-25", trips: 1, days: 1), Week(monday: "2001-01-01", trips: 2, days: 3),
        Week(monday: "2001-01-08", trips: 1, days: 8),
      ])
    #expect(try weeks(context, Date(timeIntervalSinceReferenceDate: 6.95 * 86_400)).map(\.trips) == [1])
  }

  @Test(arguments: [false, true]) func conditionsAreComposed(isServer: Bool) throws {
    let context = ModelContext(try Self.container(isServer))
    for (kinds, expected) in [([TripKind.business, .reunion], 3), ([], 4), (TripKind.allCases, 4)] {
      // example
      var condition: SQLQuery = "\(\Trip.destination) = \("Oslo")"
      if !kinds.isEmpty { condition = "\(condition) AND \(\Trip.kind) IN \(kinds)" }
      let count = try context.rows("SELECT count(*) FROM \(Trip.self) WHERE \(condition)", as: Int.self)[0]
      // end
      #expect(count == expected)
    }
  }

  @Test func theQueryIsExplained() throws {
    let context = ModelContext(try Self.container(false))
    let start = Date.distantPast
    // example
    let query: SQLQuery = "SELECT max(\(\Trip.endDate)) FROM \(Trip.self) WHERE \(\Trip.startDate) >= \(start)"
    print(try query.explain(in: context))
    // end
    #expect(try query.explain(in: context).queryPlan.count == 1)
  }
}
