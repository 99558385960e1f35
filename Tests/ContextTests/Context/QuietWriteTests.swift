import Foundation
import Observation
import SampleTripsGolden
import Testing
import Trellis

/// Repeated writes to a changed model must be visible to fetches and observers in between.
@Suite struct QuietWriteTests {
  let fixture: ContextFixture
  let context: ModelContext
  let trips: [Trip]

  init() throws {
    fixture = try ContextFixture()
    context = fixture.context
    trips = (0..<40).map { trip("t\($0)", start: Double($0)) }
    for trip in trips { context.insert(trip) }
    try context.save()
    for trip in trips { trip.destination = "x" }
  }

  /// A fetch indexes pending values if there are many.
  @Test func fetchesFindRepeatedlyWrittenValues() throws {
    func count(_ destination: String) throws -> Int {
      try context.fetchCount(
        FetchDescriptor<Trip>(predicate: #Predicate { $0.destination == destination }))
    }
    #expect(try count("x") == 40)
    for trip in trips.prefix(15) { trip.destination = "y" }
    #expect(try count("y") == 15)
    for trip in trips.prefix(5) { trip.destination = "z" }
    #expect(try [count("x"), count("y"), count("z")] == [25, 10, 5])
    try context.save()
    for trip in trips { trip.destination = "w" }
    trips[0].destination = "v"
    #expect(try [count("w"), count("v")] == [39, 1])
  }

  @Test func aLaterUndoManagerRegistersTheNextWrite() throws {
    context.undoManager = UndoManager()
    trips[0].destination = "y"
    context.undoManager?.undo()
    #expect(trips[0].destination == "x")
    context.undoManager = nil
    trips[0].destination = "z"
    #expect(trips[0].destination == "z")
  }

  @Test func observersAreNotifiedOfTheNextWrite() {
    let heard = Heard()
    withObservationTracking {
      _ = trips[0].destination
    } onChange: {
      heard.count += 1
    }
    trips[0].destination = "y"
    #expect(heard.count == 1)
  }

  @Test func rollbackRevertsRepeatedWrites() throws {
    trips[0].destination = "y"
    trips[0].name = "other"
    context.rollback()
    #expect(trips[0].destination == "Bergen" && trips[0].name == "t0")
  }

  private final class Heard: @unchecked Sendable {  // used on one thread
    var count = 0
  }
}
