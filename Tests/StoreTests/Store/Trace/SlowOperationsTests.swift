import Foundation
import SampleTripsGolden
import TestSupport
import Testing
import Trellis

/// Compiles and tests the code of the article on slow operations.
@Suite struct SlowOperationsTests {
  private let scratch: Scratch
  private let totals = StatementTotals()

  init() throws { scratch = try Scratch() }

  private func container() throws -> ModelContainer {
    var configuration = ModelConfiguration(url: scratch.file("trips.store"))
    configuration.trace = totals.add
    return try ModelContainer(for: Trip.self, configurations: configuration)
  }

  @Test func theArticlesExamplesAreRun() throws {
    let article = try Repository.text("Sources/Runtime/Trellis/Trellis.docc/SlowOperations.md")
    #expect(
      article.contains("```swift\n\(try Repository.text("Tests/StoreTests/Store/Trace/StatementTotals.swift"))```"))
    let examples = try Repository.examples(in: "Tests/StoreTests/Store/Trace/SlowOperationsTests.swift")
    #expect(examples.count == 3)
    for example in examples { #expect(article.contains(example), "not in the article:\n\(example)") }
  }

  @Test func theSlowestStatementIsFoundAndExplained() throws {
    let container = try container()
    let context = ModelContext(container)
    for number in 0..<2_000 {
      context.insert(
        Trip(
          name: "t\(number)", destination: "d\(number)", startDate: .distantPast, endDate: .distantFuture,
          tags: ["\(number)"]))
    }
    try context.save()
    // example
    let text = "99"
    let slow = FetchDescriptor<Trip>(predicate: #Predicate { $0.name.contains(text) })
    print(try slow.explain(in: context))
    // end
    _ = try context.fetch(slow)
    // example
    for total in totals.slowest(5) {
      print(total.purpose, total.runs, total.rows, total.duration, total.longest, total.sql)
    }
    // end
    let found = totals.slowest(1_000)
    let query = try #require(found.first { $0.purpose == .fetch && $0.sql.contains("WHERE") })
    #expect(query.runs == 1)
    #expect(query.rows == (0..<2_000).count { "\($0)".contains("99") })
    #expect(query.longest == query.duration)
    #expect(zip(found, found.dropFirst()).allSatisfy { $0.duration >= $1.duration })
    let insertion = try #require(found.first { $0.sql.hasPrefix("INSERT INTO \"Trip\"") })
    #expect(insertion.runs == 2_000)
    #expect(try slow.explain(in: context).queryPlan.contains { $0.contains("SCAN") })
  }

  // example
  @Test func theListOfTripsReadsItsItemsInOneQuery() throws {
    let log = StatementLog()
    var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
    configuration.trace = log.listener
    let container = try ModelContainer(for: Trip.self, configurations: configuration)
    let context = ModelContext(container)
    context.insert(Trip(name: "Fjords", destination: "Bergen", startDate: .now, endDate: .now))
    try context.save()
    log.removeAll()

    var descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)])
    descriptor.relationshipKeyPathsForPrefetching = [\.bucketList]
    let trips = try ModelContext(container).fetch(descriptor)
    _ = trips.map(\.bucketList.count)

    #expect(!log.statements.contains { $0.purpose == .fault })
    #expect(log.statements.count { $0.sql.contains("\"BucketListItem\"") } == 1)  // for all lists
    #expect(try descriptor.explain(in: context).runsInStore)
  }
  // end
}
