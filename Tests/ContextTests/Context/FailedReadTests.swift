import Foundation
import SampleTripsGolden
import Testing
import Trellis

/// Data that a store fails to read appears empty, so saves throw until the data is read or rolled back.
@Suite struct FailedReadTests {
  private let file = ScratchFile()
  private let context: ModelContext

  init() throws {
    let container = try ModelContainer(
      for: Trip.self, configurations: JSONStore.Configuration(url: file.url, returnsRelated: false))
    let first = ModelContext(container)
    let trip = trip("a")
    trip.bucketList = [BucketListItem(title: "1"), BucketListItem(title: "2")]
    first.insert(trip)
    try first.save()
    context = ModelContext(container)
  }

  private func whileBroken<Result>(_ body: () throws -> Result) throws -> Result {
    let data = try Data(contentsOf: file.url)
    defer { try? data.write(to: file.url) }
    try Data("[".utf8).write(to: file.url)
    return try body()
  }

  private var names: [String] {
    get throws {
      try ModelContext(context.container).fetch(FetchDescriptor<Trip>()).map(\.name)
    }
  }

  @Test func savingAfterAFailedReadNamesTheListAndWritesNothing() throws {
    let trip = try #require(try context.fetch(FetchDescriptor<Trip>()).first)
    trip.destination = "Oslo"
    let count = try whileBroken { trip.bucketList.count }
    #expect(count == 0)
    trip.name = "\(count) items"
    do {
      try context.save()
      Issue.record("the save passed")
    } catch let error as SwiftDataError {
      #expect(error == .failedRead && error.details.count == 1)
      let failure = try #require(error.details.first)
      #expect(failure.model == trip.persistentModelID && failure.property == "bucketList")
      #expect(failure.rule == .unreadable && failure.reason.contains("could not be read"))
    }
    #expect(try names == ["a"] && trip.hasChanges)
  }

  /// The ways in which a program can pass an object whose row could not be read to a context.
  enum Handing: CaseIterable { case insertion, reference, referenceOfNewModel, list }

  @Test(arguments: Handing.allCases)
  func objectsOfUnreadRowsNeverReplaceTheRow(_ handing: Handing) throws {
    let identifier = try #require(try context.fetchIdentifiers(FetchDescriptor<Trip>()).first)
    let unread = try #require(try whileBroken { context.model(for: identifier) } as? Trip)
    #expect(!unread.isDeleted && unread.name.isEmpty)
    #expect(throws: (any Error).self) { try whileBroken { try context.existingModel(for: identifier, as: Trip.self) } }
    let item = BucketListItem(title: "3")
    switch handing {
    case .insertion:
      context.insert(unread)
      context.insert(item)
    case .reference:
      context.insert(item)
      item.trip = unread
    case .referenceOfNewModel:
      item.trip = unread
      context.insert(item)
    case .list:
      unread.bucketList.append(item)
      context.insert(item)
    }
    try context.save()
    #expect(try names == ["a"])
    let titles = try ModelContext(context.container).fetch(FetchDescriptor<Trip>()).flatMap(\.bucketList).map(\.title)
    #expect(Set(titles).isSuperset(of: ["1", "2"]))
    #expect(titles.count == (handing == .reference ? 3 : 2))
  }

  /// If a query throws, the program has not seen any data.
  @Test func failedQueriesThatThrowDoNotBlockSaves() throws {
    let trip = try #require(try context.fetch(FetchDescriptor<Trip>()).first)
    trip.name = "b"
    let listed = FetchDescriptor<Trip>(predicate: #Predicate { $0.bucketList.contains { $0.title == "1" } })
    #expect(throws: (any Error).self) { try whileBroken { try context.fetch(listed) } }
    try context.save()
    #expect(try names == ["b"])
  }

  @Test func rereadingTheListUnblocksTheSave() throws {
    let trip = try #require(try context.fetch(FetchDescriptor<Trip>()).first)
    trip.name = "\(try whileBroken { trip.bucketList.count })"
    #expect(throws: SwiftDataError.failedRead) { try context.save() }
    trip.name = "\(trip.bucketList.count)"
    try context.save()
    #expect(try names == ["2"])
  }

  @Test func rollbackUnblocksSaves() throws {
    let trip = try #require(try context.fetch(FetchDescriptor<Trip>()).first)
    trip.name = "\(try whileBroken { trip.bucketList.count })"
    context.rollback()
    trip.name = "b"
    try context.save()
    #expect(try names == ["b"])
  }

  @Test func unreadToOneRelationshipsBlockSaves() throws {
    var descriptor = FetchDescriptor<BucketListItem>(sortBy: [SortDescriptor(\.title)])
    descriptor.fetchLimit = 1
    let item = try #require(try context.fetch(descriptor).first)
    #expect(try whileBroken { item.trip == nil })
    item.title = "no trip"
    #expect(throws: SwiftDataError.failedRead) { try context.save() }
    #expect(item.trip?.name == "a")
    try context.save()
  }
}
