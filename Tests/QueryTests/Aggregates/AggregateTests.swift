import Foundation
import SampleTripsGolden
import Testing

@testable import TestWorlds
@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// Typical queries of a trip planner, each as one statement.
@Suite struct AggregateTests {
  let container: ModelContainer
  let context: ModelContext

  init() throws {
    container = try ModelContainer(
      for: Trip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let filling = ModelContext(container)
    for (name, destination, start, nights, budget, kind) in [
      ("Fjords", "Bergen", 10, 3, "1200.10", TripKind.personal),
      ("Museums", "Oslo", 20, 2, "0.20", .personal),
      ("Fair", "Oslo", 30, 4, nil, .business), ("Skiing", "Bergen", 40, 7, "0.10", .reunion),
    ] as [(String, String, Double, Double, String?, TripKind)] {
      let trip = Trip(
        name: name, destination: destination, startDate: Self.day(start),
        endDate: Self.day(start + nights), kind: kind,
        budget: budget.map(RandomMeasurements.decimal))
      filling.insert(trip)
      for (index, title) in ["pack", "book", "tell"].prefix(name == "Fair" ? 0 : 3).enumerated() {
        let item = BucketListItem(title: "\(title) \(name)", isInPlan: index == 0)
        item.trip = trip
        filling.insert(item)
      }
    }
    try filling.save()
    context = ModelContext(container)
  }

  static func day(_ number: Double) -> Date {
    Date(timeIntervalSinceReferenceDate: number * 86_400)
  }

  /// The SQL of a query without group keys.
  private func sql<each Value>(
    _ descriptor: FetchDescriptor<Trip>, _ aggregates: repeat Aggregate<Trip, each Value>
  ) throws -> String {
    let plan = GroupPlan(computing: repeat each aggregates)
    let store = try #require(container.defaultStore)
    let query = try FetchQuery(Query(descriptor, EditingState()), store)
    return try query.summary { try plan.select(&$0) }.text
  }

  @Test func remainingItemsAreCounted() throws {
    let left = FetchDescriptor<BucketListItem>(predicate: #Predicate { !$0.isInPlan })
    #expect(try context.aggregate(.count, over: left) == 6)
    #expect(context.isUntouched)
  }

  @Test func aDecimalSumIsExact() throws {
    // A sum of doubles would be 1200.3999999999999.
    let budget = try context.aggregate(.sum(\Trip.budget))
    #expect(budget == RandomMeasurements.decimal("1200.4"))
    #expect(
      try sql(FetchDescriptor(), .sum(\.budget))
        == #"SELECT count("t0"."budget"), decimal_sum("t0"."budget") FROM "Trip" AS "t0""#)
  }

  @Test func firstAndLastDay() throws {
    let (trips, first, last) = try context.aggregate(
      .count, .minimum(\Trip.startDate), .maximum(\.endDate))
    #expect(trips == 4)
    #expect(first == Self.day(10))
    #expect(last == Self.day(47))
    let upcoming = FetchDescriptor<Trip>(predicate: #Predicate { $0.destination == "Oslo" })
    #expect(
      try sql(upcoming, .count, .minimum(\.startDate), .maximum(\.endDate)) == """
        SELECT count(*), min("t0"."startDate"), max("t0"."endDate") FROM "Trip" AS "t0" \
        WHERE ("t0"."destination" = ?)
        """)
  }

  @Test func emptyInputsAreZeroOrNil() throws {
    let none = FetchDescriptor<Trip>(predicate: #Predicate { $0.destination == "Rome" })
    #expect(try context.aggregate(.count, over: none) == 0)
    #expect(try context.aggregate(.sum(\.budget), over: none) == 0)
    #expect(try context.aggregate(.average(\.budget), over: none) == nil)
    #expect(try context.aggregate(.minimum(\.name), over: none) == nil)
    #expect(try context.groups(of: none, by: \.kind, computing: .count).isEmpty)
  }

  @Test func nilCountsAsNoValue() throws {
    #expect(try context.aggregate(.count(\Trip.budget)) == 3)
    let average = try context.aggregate(.average(\Trip.budget))
    #expect(average == RandomMeasurements.decimal("1200.4") / 3)
  }

  @Test func countsByStatus() throws {
    let kinds = try context.groups(of: FetchDescriptor<Trip>(), by: \.kind, computing: .count)
    #expect(kinds.map(\.0) == [.business, .personal, .reunion])
    #expect(kinds.map(\.1) == [1, 2, 1])
    #expect(context.isUntouched)
  }

  @Test func latestOfEachGroup() throws {
    let latest = try context.groups(
      of: FetchDescriptor<Trip>(), by: \.destination, computing: .maximum(\.startDate),
      orderedBy: [.descending(.maximum(\.startDate))])
    #expect(latest.map(\.0) == ["Bergen", "Oslo"])
    #expect(latest.map(\.1) == [Self.day(40), Self.day(30)])
  }

  @Test func itemCountsByTripName() throws {
    let counts = try context.groups(
      of: FetchDescriptor<BucketListItem>(), by: \.trip?.name, computing: .count)
    #expect(counts.map(\.0) == ["Fjords", "Museums", "Skiing"])
    #expect(counts.map(\.1) == [3, 3, 3])
    #expect(context.isUntouched)
  }

  @Test func itemCountsByTripIdentifier() throws {
    let counts = try context.groups(
      of: FetchDescriptor<BucketListItem>(), by: \.trip?.persistentModelID, computing: .count)
    #expect(context.isUntouched)
    let trips = try context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)]))
    #expect(Set(counts.map(\.0)) == Set(trips.filter { $0.name != "Fair" }.map(\.persistentModelID)))
  }

  @Test func havingFiltersGroups() throws {
    let busy = try context.groups(
      of: FetchDescriptor<Trip>(), by: \.destination, computing: .count, .sum(\.budget),
      having: .count >= 2 && .sum(\.budget) > 1)
    #expect(busy.map(\.0) == ["Bergen"])
    #expect(busy.first?.2 == RandomMeasurements.decimal("1200.2"))
  }

  /// A sum of decimals is calculated in Swift, so the store cannot apply the limit.
  @Test func theLimitIsAppliedAfterTheCondition() throws {
    func groups(limit: Int?) throws -> [String] {
      let groups = try context.groups(
        of: FetchDescriptor<Trip>(), by: \.name, computing: .sum(\.budget), having: .sum(\.budget) > 1,
        orderedBy: [.descending(\.name)], limit: limit)
      return groups.map(\.0)
    }
    let all = try groups(limit: nil)
    let names = try context.distinctValues(of: \Trip.name)
    #expect(!all.isEmpty && all.count < names.count && all.last != names.first)
    for limit in 1...names.count { #expect(try groups(limit: limit) == Array(all.prefix(limit))) }
  }

  @Test func theDescriptorsLimitAppliesToRows() throws {
    var two = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)])
    two.fetchLimit = 2
    #expect(try context.aggregate(.sum(\.budget), over: two) == RandomMeasurements.decimal("1200.3"))
    #expect(try context.distinctValues(of: \.destination, fetching: two) == ["Bergen", "Oslo"])
    let first = try context.groups(of: two, by: \.destination, computing: .count, limit: 1)
    #expect(first.map(\.1) == [1])
    two.fetchLimit = 0
    #expect(try context.aggregate(.count, over: two) == 0)
  }

  @Test func valuesAreFetchedWithoutModels() throws {
    let rows = try context.values(
      of: \.name, \.startDate, fetching: FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)]))
    #expect(rows.map(\.0) == ["Fair", "Fjords", "Museums", "Skiing"])
    #expect(rows.first?.1 == Self.day(30))
    #expect(context.isUntouched)
    let nights = try context.values(of: \Trip.nights)
    #expect(nights == [3, 2, 4, 7])
  }

  @Test func unsavedChangesAreIncluded() throws {
    let fair = try #require(
      try context.fetch(FetchDescriptor<Trip>(predicate: #Predicate { $0.name == "Fair" })).first)
    fair.budget = 5
    #expect(try context.aggregate(.count(\Trip.budget)) == 4)
    context.delete(fair)
    #expect(try context.distinctValues(of: \Trip.kind) == [.personal, .reunion])
    var stored = FetchDescriptor<Trip>()
    stored.includePendingChanges = false
    #expect(try context.aggregate(.count(\.budget), over: stored) == 3)
    #expect(try context.values(of: \.budget, fetching: stored).count { $0 == nil } == 1)
    #expect(try context.values(of: \Trip.name).count == 3)
  }

  @Test func sortingGroupsByAnUngroupedPropertyIsRejected() throws {
    #expect(throws: SwiftDataError.unsupportedSortDescriptor) {
      try context.groups(by: \Trip.kind, orderedBy: [.ascending(\.name)])
    }
  }

  /// Applies with and without rows.
  @Test func groupingByIndistinguishableValuesIsRejected() throws {
    let none = FetchDescriptor<BucketListItem>(predicate: #Predicate { $0.title == "" })
    #expect(throws: SwiftDataError.unsupportedKeyPath) {
      try context.groups(of: none, by: \.trip)
    }
    #expect(throws: SwiftDataError.unsupportedKeyPath) {
      try context.aggregate(.countDistinct(\Trip.tags))
    }
  }

  @Test func conditionsOnNilAggregates() throws {
    // Bergen has budgets, the fair in Oslo has none.
    let kinds = try context.groups(
      by: \Trip.kind, computing: .maximum(\.budget), having: .maximum(\.budget) != 5)
    #expect(kinds.map(\.0) == [.business, .personal, .reunion])
    let paid = try context.groups(
      by: \Trip.kind, computing: .maximum(\.budget), having: .maximum(\.budget) > 0)
    #expect(paid.map(\.0) == [.personal, .reunion])
    let unpaid = try context.groups(
      by: \Trip.kind, computing: .maximum(\.budget), having: !(.maximum(\.budget) > 0))
    #expect(unpaid.map(\.0) == [.business])
    let named = try context.groups(
      of: FetchDescriptor<Trip>(), by: \.destination, computing: .minimum(\.name),
      having: !(.minimum(\.name) == "Fair"))
    #expect(named.map(\.0) == ["Bergen"])
  }

  @Test func groupsAreComputedInTheStore() throws {
    let store = try #require(container.defaultStore)
    let plan = GroupPlan(
      by: \Trip.destination, computing: .count, having: .count > 1, orderedBy: [.descending(.count)], limit: 3)
    let query = try FetchQuery(Query<Trip>(FetchDescriptor(), EditingState()), store)
    #expect(
      try query.summary { try plan.select(&$0) }.text == """
        SELECT "t0"."destination", count(*), count(*), count(*) FROM "Trip" AS "t0" \
        GROUP BY "t0"."destination"
        """)
  }

  @Test func modelsAndListsCanBeFetchedAsValues() throws {
    let trips = try context.values(
      of: \.title, \.trip,
      fetching: FetchDescriptor<BucketListItem>(sortBy: [SortDescriptor(\.title)]))
    #expect(trips.first?.0 == "book Fjords")
    #expect(trips.first?.1?.name == "Fjords")
    #expect(try context.values(of: \Trip.bucketList).map(\.count) == [3, 3, 0, 3])
  }

  @Test func aggregatesSeeSavesOfOtherContexts() throws {
    #expect(try context.aggregate(.count, over: FetchDescriptor<Trip>()) == 4)
    let other = ModelContext(container)
    try other.delete(model: Trip.self, where: #Predicate { $0.kind.rawValue == "business" })
    try other.save()
    #expect(try context.distinctValues(of: \Trip.kind) == [.personal, .reunion])
  }
}

extension ModelContainer {
  /// The default store; nil for another store.
  var defaultStore: DefaultStore? {
    core.stores.lazy.compactMap { $0.store as? DefaultStore }.first
  }
}
