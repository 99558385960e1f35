import RelationshipsGolden
import SampleTripsGolden
import Testing
import Trellis

@Suite struct ReleaseTests {
  let fixture: ContextFixture
  init() throws { fixture = try ContextFixture() }

  @Test func friendsOfFriendsAreReleasedAfterASave() throws {
    weak var first: Reader?
    weak var second: Reader?
    do {
      let one = reader("one")
      let two = reader("two")
      one.friends = [two]
      fixture.context.insert(one)
      try fixture.context.save()
      #expect(two.friends.first === one && one.friends.first === two)
      first = one
      second = two
    }
    #expect(first == nil && second == nil)
  }

  @Test func listsReadFromBothEndsDoNotRetainTheirModels() throws {
    let one = reader("one")
    one.friends = [reader("two")]
    one.pupils = [reader("three")]
    fixture.context.insert(Library(readers: [one]))
    try fixture.context.save()
    let other = fixture.fresh()
    weak var read: Reader?
    do {
      let all = try other.fetch(FetchDescriptor<Reader>())
      for model in all {
        for friend in model.friends { #expect(friend.friends.first === model) }
        for library in model.libraries { #expect(library.readers.first === model) }
        for pupil in model.pupils { #expect(pupil.mentor === model) }
      }
      read = all.first
    }
    #expect(read == nil)
    #expect(other.debugDescription.hasSuffix("registered: 0)"))
  }

  @Test func changedRolledBackAndDeletedGraphsAreReleased() throws {
    weak var trip: Trip?
    weak var item: BucketListItem?
    weak var deleted: Reader?
    do {
      let model = ContextTests.trip("a")
      let ferry = BucketListItem(title: "Ferry")
      model.bucketList = [ferry]
      model.livingAccommodation = inn("Inn", booking: "1")
      fixture.context.insert(model)
      try fixture.context.save()
      ferry.trip = nil
      fixture.context.rollback()
      ferry.trip = nil
      model.bucketList = [ferry]
      try fixture.context.save()
      let one = reader("one")
      one.friends = [reader("two")]
      fixture.context.insert(one)
      try fixture.context.save()
      fixture.context.delete(one)
      try fixture.context.save()
      trip = model
      item = ferry
      deleted = one
    }
    #expect(trip == nil && item == nil && deleted == nil)
  }
}
