import Foundation
import Testing
import Trellis

/// Batches of snapshots that arrive one by one.
@Suite struct StreamingTests {
  private func arriving<S: ModelSnapshot>(
    _ snapshots: [S], thenThrowing error: (any Error)? = nil
  ) -> AsyncThrowingStream<S, any Error> {
    AsyncThrowingStream { continuation in
      for snapshot in snapshots { continuation.yield(snapshot) }
      continuation.finish(throwing: error)
    }
  }

  @Test func eachChunkIsSaved() async throws {
    let fixture = try BatchFixture()
    var counts: [Int] = []
    let result = try await fixture.context.insert(
      contentsOf: arriving((0..<25).map { Reading.Snapshot(place: "\($0)", value: Double($0)) }),
      chunkSize: 10
    ) { counts.append($0) }
    #expect(counts == [10, 20, 25])
    #expect(result.insertedCount == 25)
    let readings = try fixture.context.all(Reading.self)
    #expect(readings.map(\.value) == (0..<25).map(Double.init))
    #expect(readings.map(\.persistentModelID) == Array(result.identifiers))
  }

  @Test func chunksSavedBeforeAnErrorAreKept() async throws {
    struct Torn: Error {}
    let fixture = try BatchFixture()
    let snapshots = (0..<25).map { Reading.Snapshot(place: "\($0)", value: 0) }
    await #expect(throws: Torn.self) {
      try await fixture.context.insert(
        contentsOf: arriving(snapshots, thenThrowing: Torn()), chunkSize: 10)
    }
    #expect(try fixture.context.count(Reading.self) == 20)
  }

  @Test func snapshotsCanReferenceEarlierChunks() async throws {
    let fixture = try BatchFixture()
    var people = (0..<20).map { Person.Snapshot(name: "p\($0)") }
    for number in 1..<20 { people[number].mentor = people[number / 2].persistentIdentifier }
    try await fixture.context.insert(contentsOf: arriving(people), chunkSize: 3)
    let saved = try fixture.other.all(Person.self)
    #expect(saved.map { $0.mentor?.name } == (0..<20).map { $0 == 0 ? nil : "p\($0 / 2)" })
  }

  @Test func upsertsAreAppliedAsTheyArrive() async throws {
    let fixture = try BatchFixture()
    let people = ["a", "b", "a", "c", "b"].enumerated().map {
      Person.Snapshot(name: $0.element, age: $0.offset)
    }
    let result = try await fixture.context.upsert(contentsOf: arriving(people), chunkSize: 2)
    #expect(result.insertedCount == 3 && result.updatedCount == 2)
    #expect(try fixture.context.all(Person.self).map(\.age) == [2, 4, 3])
  }

  @Test @MainActor func progressIsReportedOnTheContextsActor() async throws {
    let fixture = try BatchFixture()
    let context = fixture.container.mainContext
    try await context.insert(
      contentsOf: arriving((0..<10).map { Reading.Snapshot(place: "\($0)", value: 0) }), chunkSize: 3
    ) { _ in MainActor.assertIsolated() }
    #expect(try context.count(Reading.self) == 10)
  }
}
