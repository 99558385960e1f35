import Foundation
import InheritanceGolden
import Testing
import Trellis

@Suite struct SubclassTests {
  let fixture: ContextFixture
  let context: ModelContext

  init() throws {
    fixture = try ContextFixture()
    context = fixture.context
  }

  @Test func anotherContextSeesTheColumnsOfSubclasses() throws {
    let journey = BusinessJourney(name: "fair", company: "Acme")
    context.insert(journey)
    try context.save()
    let other = fixture.fresh()
    let twin = try #require(try other.fetch(FetchDescriptor<Journey>()).first as? BusinessJourney)
    journey.company = "Ajax"
    journey.name = "congress"
    try context.save()
    _ = try other.fetch(FetchDescriptor<Journey>())
    #expect(twin.company == "Ajax" && twin.name == "congress")
  }

  @Test func anotherContextSeesNewMembersOfSubclassesAndOfTheirLists() throws {
    let leader = Traveller(name: "leader")
    let congress = ConferenceJourney(name: "congress", company: "Acme")
    congress.leader = leader
    congress.venues = [Stop(place: "hall")]
    context.insert(congress)
    try context.save()
    let other = fixture.fresh()
    let twin = try #require(try other.fetch(FetchDescriptor<ConferenceJourney>()).first)
    let twinLeader = try #require(twin.leader)
    #expect(twinLeader.led.count == 1 && twin.venues.count == 1)
    let holiday = PersonalJourney(name: "holiday")
    holiday.leader = leader
    congress.venues.append(Stop(place: "foyer"))
    congress.colleagues = [leader]
    try context.save()
    _ = try other.fetch(FetchDescriptor<Stop>())
    #expect(twinLeader.led.count == 2)
    #expect(twin.venues.count == 2)
    #expect(twinLeader.colleagueJourneys.first === twin)
  }

  @Test func fetchesAndDeletionsFollowTheHierarchy() throws {
    context.insert(Journey(name: "journey"))
    context.insert(PersonalJourney(name: "personal"))
    context.insert(BusinessJourney(name: "business", company: "Acme"))
    try context.save()
    context.insert(ConferenceJourney(name: "congress", company: "Acme"))
    let byName = FetchDescriptor<Journey>(sortBy: [SortDescriptor(\.name)])
    #expect(try context.fetch(byName).map(\.name) == ["business", "congress", "journey", "personal"])
    #expect(try context.fetchCount(FetchDescriptor<BusinessJourney>()) == 2)
    try context.delete(model: Journey.self, includeSubclasses: false)
    try context.save()
    #expect(try fixture.fresh().fetch(byName).map(\.name) == ["business", "congress", "personal"])
    try context.delete(model: BusinessJourney.self)
    try context.save()
    #expect(try fixture.fresh().fetch(byName).map(\.name) == ["personal"])
  }
}
