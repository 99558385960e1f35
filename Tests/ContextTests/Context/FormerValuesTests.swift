import Foundation
import RelationshipsGolden
import SampleTripsGolden
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// Changed models keep their former values in batches by class.
@Suite struct FormerValuesTests {
  let fixture: ContextFixture
  let context: ModelContext
  let trips: [Trip]
  let readers: [Reader]

  init() throws {
    fixture = try ContextFixture()
    context = fixture.context
    trips = (0..<700).map { trip("t\($0)", "d\($0)", start: Double($0)) }
    readers = (0..<700).map { reader("r\($0)") }
    for trip in trips { context.insert(trip) }
    for reader in readers { context.insert(reader) }
    try context.save()
  }

  /// Changes more models than one batch of each class contains, alternating between classes.
  private func changeAll() {
    for (trip, reader) in zip(trips, readers) {
      trip.destination = "new"
      reader.name = "new"
    }
  }

  @Test func everyModelIsRolledBackToItsFormerValues() throws {
    for _ in 0..<2 {
      changeAll()
      context.rollback()
      #expect(trips.map(\.destination) == (0..<700).map { "d\($0)" })
      #expect(readers.map(\.name) == (0..<700).map { "r\($0)" })
    }
  }

  @Test func savedValuesBecomeTheFormerValues() throws {
    changeAll()
    try context.save()
    for trip in trips { trip.destination += "er" }
    context.rollback()
    #expect(trips.allSatisfy { $0.destination == "new" })
  }

  /// The store receives rows of the batch. Later changes of models do not affect them.
  @Test func deletedModelsArePassedToTheStoreWithFormerValues() throws {
    for trip in trips.prefix(10) { trip.destination = "new" }
    for trip in trips.prefix(20).suffix(15) { context.delete(trip) }
    for trip in trips.suffix(10) { trip.destination = "new" }
    try context.save()
    for trip in trips.suffix(20) { trip.destination += "er" }
    context.rollback()
    #expect(
      trips.suffix(20).map(\.destination)
        == (680..<690).map { "d\($0)" } + Array(repeating: "new", count: 10))
    #expect(try fixture.fresh().fetchCount(FetchDescriptor<Trip>()) == 685)
  }

  /// Former values are discarded after a save.
  @Test func noFormerValuesAreKeptAfterASave() throws {
    changeAll()
    weak let former = try #require(trips[0].side.committed).buffer
    #expect(former != nil)
    try context.save()
    #expect(former == nil)
    changeAll()
    weak let dropped = try #require(trips[0].side.committed).buffer
    context.rollback()
    #expect(dropped == nil)
  }
}
