import Foundation
import InheritanceGolden
import RelationshipsGolden
import SampleTripsGolden
import Trellis

/// An in-memory store with all golden models of the context tests, and its contexts.
final class ContextFixture {
  let container: ModelContainer
  let context: ModelContext

  init() throws {
    let schema = Schema([
      Trip.self, Library.self, Journey.self, BusinessJourney.self, ConferenceJourney.self,
      PersonalJourney.self, SchoolJourney.self,
    ])
    container = try ModelContainer(
      for: schema, configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
    context = ModelContext(container)
  }

  /// Another context of the container without registered models.
  func fresh() -> ModelContext { ModelContext(container) }

  /// The readers in a new context, sorted by name.
  func storedReaders() throws -> [Reader] {
    try fresh().fetch(FetchDescriptor<Reader>(sortBy: [SortDescriptor(\.name)]))
  }
}

func reader(_ name: String) -> Reader { Reader(name: name, friends: []) }

func trip(_ name: String, _ destination: String = "Bergen", start: Double = 1000) -> Trip {
  Trip(
    name: name, destination: destination, startDate: Date(timeIntervalSinceReferenceDate: start),
    endDate: Date(timeIntervalSinceReferenceDate: start + 1))
}

func inn(_ name: String, booking: String) -> LivingAccommodation {
  LivingAccommodation(
    placeName: name, bookingReference: booking, address: Address(street: "1", city: "Oslo"))
}
