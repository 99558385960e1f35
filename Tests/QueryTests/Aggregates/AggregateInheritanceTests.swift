import Foundation
import InheritanceGolden
import Testing
import Trellis

@testable import TestWorlds

/// Models of one hierarchy share a table. Each class has its own rows and those of its subclasses.
@Suite struct AggregateInheritanceTests {
  let container: ModelContainer
  let context: ModelContext

  init() throws {
    container = try ModelContainer(
      for: Schema([
        Journey.self, BusinessJourney.self, ConferenceJourney.self, PersonalJourney.self,
      ]), configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
    let filling = ModelContext(container)
    filling.insert(PersonalJourney(name: "home"))
    let fair = BusinessJourney(name: "fair", company: "Acme")
    filling.insert(fair)
    filling.insert(BusinessJourney(name: "visit", company: "Acme", allowance: 20))
    filling.insert(ConferenceJourney(name: "talk", company: "Zeta", allowance: 5))
    for place in ["Oslo", "Bergen"] {
      let stop = Stop(place: place)
      stop.journey = fair
      filling.insert(stop)
    }
    try filling.save()
    context = ModelContext(container)
  }

  @Test func eachClassCountsItsOwnRows() throws {
    #expect(try context.aggregate(.count, over: FetchDescriptor<Journey>()) == 4)
    #expect(try context.aggregate(.count, over: FetchDescriptor<BusinessJourney>()) == 3)
    #expect(try context.aggregate(.count, over: FetchDescriptor<PersonalJourney>()) == 1)
    #expect(try context.aggregate(.maximum(\PersonalJourney.name)) == "home")
    #expect(context.isUntouched)
  }

  @Test func groupsOfSubclassRows() throws {
    let companies = try context.groups(
      by: \BusinessJourney.company, computing: .sum(\.allowance), .minimum(\.name))
    #expect(companies.map(\.0) == ["Acme", "Zeta"])
    #expect(companies.map(\.1) == [120, 5])
    #expect(companies.map(\.2) == ["fair", "talk"])
    #expect(context.isUntouched)
  }

  @Test func listOfASubclass() throws {
    let fair = try #require(
      try context.fetch(
        FetchDescriptor<BusinessJourney>(predicate: #Predicate { $0.name == "fair" })
      ).first)
    #expect(try fair.related(\.stops).count == 2)
    #expect(try (fair as Journey).related(\.stops).count == 2)
    #expect(try fair.related(\.stops).first(sortedBy: SortDescriptor(\.place))?.place == "Bergen")
    #expect(try fair.related(\.stops).filter(#Predicate { $0.place == "Oslo" }).count == 1)
    let stops = try context.groups(
      of: FetchDescriptor<Stop>(), by: \.journey?.name, computing: .count)
    #expect(stops.map(\.0) == ["fair"])
  }
}
