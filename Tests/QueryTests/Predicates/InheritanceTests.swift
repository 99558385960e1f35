import Foundation
import InheritanceGolden
import Testing

@testable import TestWorlds
@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// Predicates and fetches for a hierarchy of models.
@Suite struct InheritanceTests {
  let container: ModelContainer
  let context: ModelContext
  let journeys: [Journey]

  init() throws {
    container = try ModelContainer(
      for: Journey.self, BusinessJourney.self, ConferenceJourney.self, PersonalJourney.self,
      SchoolJourney.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context = ModelContext(container)
    let leader = Traveller(name: "leader")
    let boss = Traveller(name: "boss")
    let plain = Journey(name: "plain")
    let business = BusinessJourney(name: "business", company: "Acme")
    business.approver = boss
    let rich = BusinessJourney(name: "rich", company: "Ajax")
    rich.allowance = 1_000
    rich.leader = leader
    let conference = ConferenceJourney(name: "conference", company: "Acme")
    conference.talks = ["one", "two"]
    conference.venues = [InheritanceGolden.Stop(place: "hall")]
    let personal = PersonalJourney(name: "personal")
    personal.leader = leader
    let school = SchoolJourney(school: "north", pupils: 7, name: "school")
    school.teacher = boss
    journeys = [plain, business, rich, conference, personal, school]
    for journey in journeys {
      journey.stops = [InheritanceGolden.Stop(place: "at \(journey.name)")]
      context.insert(journey)
    }
    try context.save()
  }

  private func names<T: PersistentModel>(_ models: [T]) -> Set<String> {
    Set(models.compactMap { ($0 as? Journey)?.name })
  }

  /// Executes all kinds of queries in a new context and in a context with changes.
  private func check<T: PersistentModel>(
    _ predicate: Predicate<T>, _ answer: Answer, finds expected: [String],
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let store = try #require(container.core.stores.first?.store as? DefaultStore)
    let translator = PredicateTranslator(
      layout: store.catalogue.layout, entity: try store.plans.plan(for: T._$definition).entity,
      marks: store.marks, storeIdentifier: store.identifier)
    let sql = try? translator.filter(predicate).text
    #expect((sql == nil) == (answer == .memory), "\(sql ?? "-")", sourceLocation: location)
    for isDirty in [false, true] {
      let context = ModelContext(container)
      let all = try context.fetch(FetchDescriptor<T>())
      if isDirty {
        for case let journey as Journey in all { journey.isOpen = true }
        context.insert(Traveller(name: "new"))
      }
      let other = isDirty ? context : ModelContext(container)
      let descriptor = FetchDescriptor(predicate: predicate)
      let found = try other.fetch(descriptor)
      #expect(names(found) == Set(expected), "\(sql ?? "-")", sourceLocation: location)
      #expect(
        try names(all.filter(predicate.evaluate)) == Set(expected), sourceLocation: location)
      #expect(try other.fetchCount(descriptor) == expected.count, sourceLocation: location)
      #expect(
        try Set(other.fetchIdentifiers(descriptor)) == Set(found.map(\.persistentModelID)),
        sourceLocation: location)
      try other.delete(model: T.self, where: predicate)
      #expect(other.deletedModelsArray.count == expected.count, sourceLocation: location)
    }
  }

  @Test func shape61_type() throws {
    try check(
      #Predicate<Journey> { $0 is BusinessJourney }, .sql, finds: ["business", "rich", "conference"])
  }

  @Test func S130_bothLevelsPersist() throws {
    let other = ModelContext(container)
    let found = try other.fetch(
      FetchDescriptor<BusinessJourney>(predicate: #Predicate { $0.name == "business" }))
    let journey = try #require(found.first)
    #expect(journey.company == "Acme" && journey.allowance == 100)
    #expect(journey.approver?.name == "boss" && journey.stops.map(\.place) == ["at business"])
  }

  @Test func S131_baseFetchesIncludeSubclassesAndSubclassFetchesOnlyTheirRows() throws {
    func names<T: PersistentModel>(_: T.Type) throws -> Set<String> {
      let context = ModelContext(container)
      return self.names(try context.fetch(FetchDescriptor<T>()))
    }
    #expect(try names(Journey.self).count == 6)
    #expect(try names(BusinessJourney.self) == ["business", "rich", "conference"])
    #expect(try names(ConferenceJourney.self) == ["conference"])
    #expect(try names(PersonalJourney.self) == ["personal"])
    for journey in try context.fetch(FetchDescriptor<Journey>()) {
      #expect((journey is SchoolJourney) == (journey.name == "school"))
    }
  }

  @Test func S132_typeAndCast() throws {
    try check(
      #Predicate<Journey> { !($0 is BusinessJourney) }, .sql, finds: ["plain", "personal", "school"])
    try check(#Predicate<Journey> { $0 is ConferenceJourney }, .sql, finds: ["conference"])
    try check(
      #Predicate<BusinessJourney> { !($0 is ConferenceJourney) }, .sql, finds: ["business", "rich"])
    let acme = "Acme"
    try check(
      #Predicate<Journey> { ($0 as? BusinessJourney)?.company == acme }, .sql,
      finds: ["business", "conference"])
    try check(
      #Predicate<Journey> { ($0 as? BusinessJourney)?.company != acme }, .sql,
      finds: ["plain", "rich", "personal", "school"])
    try check(
      #Predicate<Journey> { ($0 as? BusinessJourney)?.approver?.name == "boss" }, .sql,
      finds: ["business"])
    // Inherited members through the subclass.
    try check(
      #Predicate<Journey> { ($0 as? BusinessJourney)?.leader?.name == "leader" }, .sql,
      finds: ["rich"])
    try check(
      #Predicate<Journey> { ($0 as? BusinessJourney)?.name == "rich" }, .sql, finds: ["rich"])
    try check(
      #Predicate<Journey> {
        if let school = $0 as? SchoolJourney { school.pupils < 10 && school.isPaid } else { false }
      }, .sql, finds: ["school"])
    try check(
      #Predicate<Journey> { ($0 as? ConferenceJourney)?.venues.contains { $0.place == "hall" } ?? false },
      .sql, finds: ["conference"])
    try check(
      #Predicate<Journey> { ($0 as? BusinessJourney) == nil }, .sql,
      finds: ["plain", "personal", "school"])
    // Swift throws for a failing cast, so the predicate is evaluated in memory.
    try check(
      #Predicate<Journey> { $0 is BusinessJourney && ($0 as! BusinessJourney).company == acme },
      .memory, finds: ["business", "conference"])
  }

  @Test func S132_typeOfTheRowBehindAReference() throws {
    let descriptor = FetchDescriptor<InheritanceGolden.Stop>(
      predicate: #Predicate { stop in
        if let journey = stop.journey { journey is BusinessJourney } else { false }
      })
    #expect(
      try Set(ModelContext(container).fetch(descriptor).map(\.place))
        == ["at business", "at rich", "at conference"])
    let led = FetchDescriptor<Traveller>(
      predicate: #Predicate { $0.led.contains { $0 is PersonalJourney } })
    #expect(try ModelContext(container).fetch(led).map(\.name) == ["leader"])
  }

  @Test func S133_baseFilterAppliesToSubclasses() throws {
    try check(#Predicate<Journey> { $0.name == "rich" }, .sql, finds: ["rich"])
    try check(#Predicate<BusinessJourney> { $0.name == "plain" }, .sql, finds: [])
    try check(
      #Predicate<BusinessJourney> { $0.name != "rich" }, .sql,
      finds: ["business", "conference"])
    try check(
      #Predicate<ConferenceJourney> { $0.name == "conference" && $0.company == "Acme" }, .sql,
      finds: ["conference"])
    let place = "at rich"
    try check(
      #Predicate<BusinessJourney> { $0.stops.contains { $0.place == place } }, .sql,
      finds: ["rich"])
    var sorted = FetchDescriptor<BusinessJourney>(sortBy: [SortDescriptor(\.name, order: .reverse)])
    sorted.fetchLimit = 2
    #expect(
      try ModelContext(container).fetch(sorted).map(\.name) == ["rich", "conference"])
    let predicate = #Predicate<Journey> { $0.leader != nil }
    try check(predicate, .sql, finds: ["rich", "personal"])
  }

  /// With pending changes of related models, all rows of a subclass are evaluated in memory, even if the predicate has
  /// a cached statement.
  @Test func pendingChangesOfRelatedModelsAreIncluded() throws {
    let journeys = try context.fetch(FetchDescriptor<BusinessJourney>(sortBy: [.init(\.name)]))
    for place in ["at rich", "elsewhere", "at rich", "nowhere", "elsewhere"] {
      let predicate = #Predicate<BusinessJourney> { $0.stops.contains { $0.place == place } }
      let named = #Predicate<BusinessJourney> { $0.leader?.name == place && $0.name != place }
      for isDirty in [false, true, false] {
        let context = isDirty ? self.context : ModelContext(container)
        let all = isDirty ? journeys : try context.fetch(FetchDescriptor<BusinessJourney>())
        if isDirty {
          journeys[1].stops.first?.place = "elsewhere"
          journeys[1].leader = Traveller(name: "elsewhere")
        }
        for predicate in [predicate, named] {
          let expected = try all.filter(predicate.evaluate).map(\.name).sorted()
          let descriptor = FetchDescriptor(predicate: predicate)
          #expect(try context.fetch(descriptor).map(\.name).sorted() == expected)
          #expect(try context.fetchCount(descriptor) == expected.count)
          #expect(try context.fetchIdentifiers(descriptor).count == expected.count)
        }
        context.rollback()
      }
    }
  }

  /// Predicates with one signature also share statements for a hierarchy.
  @Test func subclassesShareStatements() throws {
    let store = try #require(container.core.stores.first?.store as? DefaultStore)
    for place in ["at rich", "elsewhere", "at conference"] {
      for limit in [nil, 1] {
        var ofSubclass = FetchDescriptor(
          predicate: #Predicate<BusinessJourney> { $0.stops.contains { $0.place == place } })
        var ofAll = FetchDescriptor(
          predicate: #Predicate<Journey> { ($0 as? BusinessJourney)?.approver?.name == place })
        (ofSubclass.fetchLimit, ofAll.fetchLimit) = (limit, limit)
        #expect(try SharedStatement.check(ofSubclass, store))
        #expect(try SharedStatement.check(ofAll, store))
      }
    }
  }

  @Test func S063_deletionSparesSubclasses() throws {
    let predicate = #Predicate<Journey> { $0.name != "none" }
    try context.delete(model: Journey.self, where: predicate, includeSubclasses: false)
    #expect(context.deletedModelsArray.compactMap { ($0 as? Journey)?.name } == ["plain"])
    try context.delete(
      model: BusinessJourney.self, where: #Predicate { $0.company == "Acme" },
      includeSubclasses: false)
    try context.save()
    #expect(
      try Set(ModelContext(container).fetch(FetchDescriptor<Journey>()).map(\.name))
        == ["rich", "conference", "personal", "school"])
  }

  @Test func composedOverTheBase() throws {
    let business = #Predicate<Journey> { $0 is BusinessJourney }
    let led = #Predicate<Journey> { $0.leader != nil }
    try check(#Predicate<Journey> { business[$0] && led[$0] }, .sql, finds: ["rich"])
  }
}
