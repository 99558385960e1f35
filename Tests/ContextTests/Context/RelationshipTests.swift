import Foundation
import SampleTripsGolden
import Testing
import Trellis

@Suite struct RelationshipTests {
  let container: ModelContainer
  let context: ModelContext

  init() throws {
    container = try ModelContainer(
      for: Trip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context = ModelContext(container)
  }

  private func trip(_ name: String) -> Trip {
    Trip(
      name: name, destination: "Bergen", startDate: Date(timeIntervalSinceReferenceDate: 1000),
      endDate: Date(timeIntervalSinceReferenceDate: 2000))
  }

  @Test func bothSidesAreSetWithoutAContext() {
    let first = trip("first")
    let second = trip("second")
    let item = BucketListItem(title: "Ferry", trip: first)
    #expect(first.bucketList.first === item)
    item.trip = second
    #expect(first.bucketList.isEmpty)
    #expect(second.bucketList.first === item)
    second.bucketList = []
    #expect(item.trip == nil)
    first.bucketList.append(item)
    #expect(item.trip === first)
    item.trip = nil
    #expect(first.bucketList.isEmpty)
  }

  @Test func S032_settingOneSideUpdatesTheOtherAfterInsertion() throws {
    let first = trip("first")
    let second = trip("second")
    context.insert(first)
    context.insert(second)
    let item = BucketListItem(title: "Ferry")
    first.bucketList.append(item)
    #expect(item.modelContext === context)
    #expect(item.trip === first)
    try context.save()
    item.trip = second
    #expect(first.bucketList.isEmpty)
    #expect(second.bucketList.map(\.title) == ["Ferry"])
    try context.save()
    let other = ModelContext(container)
    let read = try #require(try other.fetch(FetchDescriptor<BucketListItem>()).first)
    #expect(read.trip?.name == "second")
  }

  @Test func unloadedListsIncludePendingChanges() throws {
    let first = trip("first")
    let second = trip("second")
    first.bucketList = [BucketListItem(title: "a"), BucketListItem(title: "b")]
    context.insert(first)
    context.insert(second)
    try context.save()

    let other = ModelContext(container)
    let items = try other.fetch(FetchDescriptor<BucketListItem>(sortBy: [SortDescriptor(\.title)]))
    let trips = try other.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)]))
    items[0].trip = trips[1]
    #expect(trips[0].bucketList.map(\.title) == ["b"])
    #expect(trips[1].bucketList.map(\.title) == ["a"])
    try other.save()
    #expect(trips[1].bucketList.map(\.title) == ["a"])
  }

  @Test func oneToOneMovesBetweenOwners() throws {
    let first = trip("first")
    let second = trip("second")
    let hotel = LivingAccommodation(placeName: "Inn", address: Address(street: "1", city: "X"))
    first.livingAccommodation = hotel
    #expect(hotel.trip === first)
    second.livingAccommodation = hotel
    #expect(first.livingAccommodation == nil)
    #expect(hotel.trip === second)
    context.insert(first)
    context.insert(second)
    try context.save()
    hotel.trip = first
    #expect(second.livingAccommodation == nil)
    #expect(first.livingAccommodation === hotel)
    try context.save()
    let other = ModelContext(container)
    let read = try other.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)]))
    #expect(read[0].livingAccommodation?.placeName == "Inn")
    #expect(read[1].livingAccommodation == nil)
  }

  @Test func S035_insertingTheRootInsertsAllReachableModels() throws {
    let root = trip("root")
    root.bucketList = (0..<5).map { BucketListItem(title: "item \($0)") }
    root.livingAccommodation = LivingAccommodation(
      placeName: "Inn", address: Address(street: "1", city: "X"))
    context.insert(root)
    #expect(context.insertedModelsArray.count == 7)
    context.insert(root)
    #expect(context.insertedModelsArray.count == 7)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<BucketListItem>()) == 5)
    #expect(try context.fetchCount(FetchDescriptor<LivingAccommodation>()) == 1)
  }

  @Test func S025_cascadeDeletesWhatTheOwnerOwns() throws {
    let root = trip("root")
    root.bucketList = (0..<5).map { BucketListItem(title: "item \($0)") }
    root.livingAccommodation = LivingAccommodation(
      placeName: "Inn", address: Address(street: "1", city: "X"))
    let survivor = BucketListItem(title: "alone")
    context.insert(root)
    context.insert(survivor)
    try context.save()

    let other = ModelContext(container)
    let doomed = try #require(try other.fetch(FetchDescriptor<Trip>()).first)
    other.delete(doomed)
    try other.save()
    #expect(
      try ModelContext(container).fetch(FetchDescriptor<BucketListItem>()).map(\.title)
        == ["alone"])
    #expect(try other.fetchCount(FetchDescriptor<LivingAccommodation>()) == 0)
  }

  @Test func S024_S028_deletingAMemberKeepsItsOwner() throws {
    let root = trip("root")
    root.bucketList = [BucketListItem(title: "a"), BucketListItem(title: "b")]
    context.insert(root)
    try context.save()
    let item = try #require(root.bucketList.first)
    context.delete(item)
    #expect(root.bucketList.map(\.title) == ["b"])
    #expect(item.trip === root)
    try context.save()
    #expect(root.bucketList.map(\.title) == ["b"])
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Trip>()) == 1)
  }

  @Test func relationshipsUseTheContextsOwnObjects() throws {
    let mine = trip("mine")
    context.insert(mine)
    try context.save()
    let other = ModelContext(container)
    let item = BucketListItem(title: "theirs")
    other.insert(item)
    item.trip = mine
    #expect(item.trip !== mine)
    #expect(item.trip?.persistentModelID == mine.persistentModelID)
    try other.save()
    #expect(try context.fetch(FetchDescriptor<BucketListItem>()).first?.trip === mine)
  }
}
