import Foundation
import RelationshipsGolden
import SampleTripsGolden
import Testing
import Trellis

@Suite struct UpsertTests {
  let fixture: ContextFixture
  let context: ModelContext

  init() throws {
    fixture = try ContextFixture()
    context = fixture.context
  }

  @Test func theRegisteredObjectRemainsAndTheNewOneRejectsWrites() throws {
    let first = inn("first", booking: "R")
    let trip = trip("first")
    trip.livingAccommodation = first
    context.insert(trip)
    try context.save()
    let second = inn("second", booking: "R")
    let next = ContextTests.trip("second")
    next.livingAccommodation = second
    context.insert(next)
    try context.save()
    #expect(first.placeName == "second")
    #expect(next.livingAccommodation === first && first.trip === next)
    #expect(second.isDeleted && second.modelContext == nil)
    second.placeName = "nowhere"
    #expect(second.placeName == "second")
  }

  @Test func theMergedRowsFormerPartnerIsCleared() throws {
    let first = inn("first", booking: "R")
    let trip = trip("first")
    trip.livingAccommodation = first
    context.insert(trip)
    try context.save()
    let next = ContextTests.trip("second")
    next.livingAccommodation = inn("second", booking: "R")
    context.insert(next)
    try context.save()
    #expect(trip.livingAccommodation == nil)
    let stored = try fixture.fresh().fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)]))
    #expect(stored.map { $0.livingAccommodation?.placeName } == [nil, "second"])
    #expect(stored[1].livingAccommodation?.trip === stored[1])
  }

  @Test func rowsKeptByThePolicyKeepTheirPartners() throws {
    let mentor = reader("mentor")
    let kept = Reader(name: "pupil", mentor: mentor, friends: [])
    context.insert(kept)
    try context.save()
    let refused = Reader(name: "pupil", mentor: mentor, friends: [])
    refused.spouse = mentor
    context.insert(refused)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Reader>()) == 2)
    #expect(mentor.spouse == nil && kept.spouse == nil)
    #expect(mentor.pupils.map { ObjectIdentifier($0) } == [ObjectIdentifier(kept)])
    #expect(try fixture.storedReaders().allSatisfy { $0.spouse == nil })
  }

  @Test func mergedRowsKeepTheirMembers() throws {
    do {
      let scratch = ModelContext(fixture.container)
      let model = trip("trip")
      model.bucketList = [BucketListItem(title: "1")]
      scratch.insert(model)
      try scratch.save()
    }
    let model = trip("trip", "Oslo")
    model.bucketList = [BucketListItem(title: "2")]
    context.insert(model)
    try context.save()
    #expect(model.bucketList.map(\.title).sorted() == ["1", "2"])
    model.destination = "Bergen"
    try context.save()
    #expect(try fixture.fresh().fetch(FetchDescriptor<Trip>()).map(\.destination) == ["Bergen"])
  }

  @Test func twoNewModelsInOneSaveAreMerged() throws {
    let first = trip("trip", "Oslo")
    let second = trip("trip", "Bergen")
    first.bucketList = [BucketListItem(title: "1")]
    second.bucketList = [BucketListItem(title: "2")]
    context.insert(first)
    context.insert(second)
    try context.save()
    let all = try context.fetch(FetchDescriptor<Trip>())
    #expect(all.count == 1 && all.first === first)
    #expect(first.destination == "Bergen")
    #expect(first.bucketList.count == 2)
    #expect(first.bucketList.allSatisfy { $0.trip === first })
  }

  @Test func uniqueValuesCanMoveBetweenModelsInOneSave() throws {
    let first = inn("a", booking: "A")
    let second = inn("b", booking: "B")
    context.insert(first)
    context.insert(second)
    try context.save()
    (first.bookingReference, second.bookingReference) = ("B", "A")
    try context.save()
    context.delete(first)
    second.bookingReference = "B"
    context.insert(inn("c", booking: "A"))
    try context.save()
    let order = [SortDescriptor(\LivingAccommodation.placeName)]
    let stored = try fixture.fresh().fetch(FetchDescriptor(sortBy: order))
    #expect(stored.map(\.bookingReference) == ["B", "A"])
    second.bookingReference = "A"
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    #expect(context.changedModelsArray.count == 1)
    second.bookingReference = "C"
    try context.save()
  }
}
