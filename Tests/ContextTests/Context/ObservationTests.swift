import Foundation
import Observation
import SampleTripsGolden
import Synchronization
import Testing
import Trellis

@Suite struct ObservationTests {
  let fixture: ContextFixture
  let context: ModelContext
  let first: Trip
  let second: Trip
  let item: BucketListItem

  init() throws {
    fixture = try ContextFixture()
    context = fixture.context
    first = trip("first")
    second = trip("second")
    item = BucketListItem(title: "Ferry")
    first.bucketList = [item]
    context.insert(first)
    context.insert(second)
    try context.save()
  }

  private final class Count: Sendable {
    let value = Mutex(0)
  }

  /// The number of notifications of observers of `read` during `change`.
  private func notifications(
    _ read: () -> Void, during change: () throws -> Void
  ) rethrows -> Int {
    let count = Count()
    withObservationTracking(read) { count.value.withLock { $0 += 1 } }
    try change()
    return count.value.withLock { $0 }
  }

  @Test func bothEndsOfARelationshipNotify() {
    #expect(
      notifications {
        _ = first.name
      } during: {
        first.name = "new"
      } == 1)
    #expect(
      notifications {
        _ = first.bucketList
      } during: {
        item.trip = nil
      } == 1)
    #expect(
      notifications {
        _ = item.trip
      } during: {
        first.bucketList = [item]
      } == 1)
    #expect(
      notifications {
        _ = first.bucketList
      } during: {
        second.bucketList = [item]
      } == 1)
    #expect(
      notifications {
        _ = item.trip
      } during: {
        first.bucketList = [item]
      } == 1)
    #expect(
      notifications {
        _ = second.bucketList
      } during: {
        second.name = "new"
      } == 0)
  }

  @Test func deletionsAndRollbacksNotify() {
    _ = first.bucketList
    #expect(
      notifications {
        _ = first.bucketList
      } during: {
        context.delete(item)
      } == 1)
    #expect(
      notifications {
        _ = first.bucketList
      } during: {
        context.rollback()
      } == 1)
    _ = first.bucketList
    #expect(
      notifications {
        _ = item.trip
      } during: {
        context.delete(first)
      } == 1)
    #expect(
      notifications {
        _ = item.trip
      } during: {
        context.rollback()
      } == 1)
    first.name = "new"
    #expect(
      notifications {
        _ = first.name
      } during: {
        context.rollback()
      } == 1)
  }

  @Test func savesOfAnotherContextNotify() throws {
    let other = fixture.fresh()
    let twin = try #require(other.model(for: first.persistentModelID) as? Trip)
    twin.name = "new"
    try other.save()
    let look = { _ = try context.fetch(FetchDescriptor<Trip>()) }
    #expect(try notifications({ _ = first.name }, during: look) == 1)
    twin.bucketList.append(BucketListItem(title: "Glacier"))
    try other.save()
    #expect(try notifications({ _ = first.bucketList }, during: look) == 1)
    #expect(first.bucketList.count == 2)
    first.destination = "mine"
    twin.name = "newer"
    try other.save()
    #expect(try notifications({ _ = first.name }, during: look) == 1)
    #expect(first.name == "newer" && first.destination == "mine")
  }
}
