import Foundation
import SampleTripsGolden
import Testing
import Trellis

@Suite struct PendingFetchTests {
  let fixture: ContextFixture
  let context: ModelContext

  init() throws {
    fixture = try ContextFixture()
    context = fixture.context
  }

  /// Ten saved trips, then changes into and out of the match, a deletion, an insertion and a rename.
  private func prepare() throws -> Trip {
    for number in 0..<10 {
      context.insert(
        trip("t\(number)", number.isMultiple(of: 2) ? "x" : "y", start: Double(number)))
    }
    try context.save()
    let all = try context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)]))
    all[0].destination = "y"
    all[1].destination = "x"
    context.delete(all[2])
    context.insert(trip("t55", "x", start: 77))
    all[4].name = "t99"
    return all[4]
  }

  @Test(arguments: [true, false], [true, false])
  func fetchesCountsAndIdentifiersAgree(_ includesPending: Bool, _ isTranslated: Bool) throws {
    let renamed = try prepare()
    // `nights` is computed, so the predicate must be evaluated in memory.
    let predicate =
      isTranslated
      ? #Predicate<Trip> { $0.destination == "x" }
      : #Predicate<Trip> { $0.destination == "x" && $0.nights >= 0 }
    let names = includesPending ? ["t1", "t55", "t6", "t8", "t99"] : ["t0", "t2", "t4", "t6", "t8"]
    for order in [SortOrder.forward, .reverse] {
      for offset in [nil, 0, 2, 100] as [Int?] {
        for limit in [nil, 0, 3] as [Int?] {
          var descriptor = FetchDescriptor(
            predicate: predicate, sortBy: [SortDescriptor(\Trip.name, order: order)])
          descriptor.includePendingChanges = includesPending
          descriptor.fetchOffset = offset
          descriptor.fetchLimit = limit
          let found = try context.fetch(descriptor)
          let expected = (order == .forward ? names : names.reversed())
            .dropFirst(offset ?? 0).prefix(limit ?? .max)
          #expect(
            found.map { $0 === renamed && !includesPending ? "t4" : $0.name } == Array(expected))
          #expect(try context.fetchCount(descriptor) == found.count)
          #expect(try context.fetchIdentifiers(descriptor) == found.map(\.persistentModelID))
        }
      }
    }
  }

  @Test func pendingChangesOfRelatedModelsAreIncluded() throws {
    let first = trip("a")
    let second = trip("b")
    let one = BucketListItem(title: "one", trip: first)
    let two = BucketListItem(title: "two", trip: second)
    context.insert(one)
    context.insert(two)
    try context.save()
    first.name = "z"
    let byTrip = FetchDescriptor<BucketListItem>(sortBy: [SortDescriptor(\.trip?.name)])
    #expect(try context.fetch(byTrip).map(\.title) == ["two", "one"])
    let ofTrip = FetchDescriptor<BucketListItem>(predicate: #Predicate { $0.trip?.name == "z" })
    #expect(try context.fetch(ofTrip).map(\.title) == ["one"])
    var stored = ofTrip
    stored.includePendingChanges = false
    #expect(try context.fetch(stored).isEmpty)
    context.delete(first)
    #expect(try context.fetchCount(ofTrip) == 0)
    let alone = FetchDescriptor<BucketListItem>(predicate: #Predicate { $0.trip == nil })
    // The save deletes it with its trip, unless it is moved to another trip.
    #expect(try context.fetch(alone).isEmpty)
    #expect(try context.fetchCount(alone) == 0)
    one.trip = nil
    #expect(try context.fetch(alone).map(\.title) == ["one"])
    #expect(try context.fetchCount(alone) == 1)
  }
}
