import TestSupport
import Testing
import Trellis

@Suite struct RelationshipKindTests {
  /// Ten kinds, six states, two ends to assign, and three kinds of stores.
  @Test(arguments: RelationshipKind.all, StoreKind.allCases)
  func S032_bothSidesAreSetImmediatelyInAnyOrder(
    _ kind: RelationshipKind, _ store: StoreKind
  ) throws {
    let home = try StorePlace(store, Self.schema)
    // In the other states, a server receives the same requests.
    let isShort = !Repetitions.isThorough && store == .postgres
    for place in Whereabouts.allCases where !isShort || place == .neither || place == .bothFetched {
      for (side, join) in kind.joins.enumerated() {
        var context = home.fresh()
        var (first, second) = kind.make()
        if place != .neither && place != .secondInserted { context.insert(any: first) }
        if place != .neither && place != .firstInserted { context.insert(any: second) }
        if place == .bothSaved || place == .bothFetched { try context.save() }
        if place == .bothFetched {
          context = home.fresh()
          first = context.model(for: first.persistentModelID)
          second = context.model(for: second.persistentModelID)
        }
        let comment: Comment = "\(place), from side \(side)"
        join(first, second)
        #expect(kind.sees(first, second) == (true, true), comment)
        // An end with a context has inserted the other end.
        if place == .neither { context.insert(any: first) }
        #expect(first.modelContext === context && second.modelContext === context, comment)
        #expect(first.hasChanges && second.hasChanges, comment)
        try context.save()
        #expect(kind.sees(first, second) == (true, true), comment)
        #expect(!context.hasChanges, comment)
        let other = home.fresh()
        let ends = (
          other.model(for: first.persistentModelID), other.model(for: second.persistentModelID)
        )
        #expect(kind.sees(ends.0, ends.1) == (true, true), comment)
        kind.part(ends.0, ends.1)
        #expect(kind.sees(ends.0, ends.1) == (false, false), comment)
        try other.save()
        let third = home.fresh()
        let left = (
          third.model(for: first.persistentModelID), third.model(for: second.persistentModelID)
        )
        #expect(kind.sees(left.0, left.1) == (false, false), comment)
        // The next round begins with an empty store, because some values are unique.
        third.delete(any: left.0)
        third.delete(any: left.1)
        try third.save()
      }
    }
  }

  static let schema = Schema([
    Person.self, Playlist.self, Song.self, Folder.self, Badge.self, Vehicle.self, Truck.self,
  ])

  @Test func S023_S033_inversesAreInferred() throws {
    let schema = Self.schema
    func inverse(_ entity: String, _ name: String) -> String? {
      schema.entitiesByName[entity]?.relationshipsByName[name]?.inverseName
    }
    #expect(inverse("Person", "reports") == "boss" && inverse("Person", "boss") == "reports")
    #expect(inverse("City", "residents") == "home" && inverse("City", "workers") == "workplace")
    #expect(inverse("Wheel", "vehicle") == "wheels")
    #expect(inverse("Person", "spouse") == "spouse" && inverse("Person", "friends") == "friends")
    #expect(inverse("Person", "birthplace") == nil && inverse("Person", "visited") == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func S034_oneWayRelationshipsDoNotChangeTheirTarget(_ store: StoreKind) throws {
    let home = try StorePlace(store, Self.schema)
    let context = home.fresh()
    let (city, other) = (City(name: "Oslo"), City(name: "Bergen"))
    let person = Person(name: "p", birthplace: city, visited: [city, other])
    context.insert(person)
    #expect(city.modelContext === context && other.modelContext === context)
    #expect(city.residents.isEmpty && city.workers?.isEmpty == true)
    try context.save()
    person.birthplace = other
    person.visited.removeFirst()
    #expect(context.changedModelsArray.map(\.persistentModelID) == [person.persistentModelID])
    try context.save()
    let read = try #require(try home.fresh().fetch(FetchDescriptor<Person>()).first)
    #expect(read.birthplace?.name == "Bergen" && read.visited.map(\.name) == ["Bergen"])
  }

  @Test(arguments: StoreKind.allCases)
  func listEditsMarkBothOwnersAsChanged(_ store: StoreKind) throws {
    let home = try StorePlace(store, Self.schema)
    let maker = home.fresh()
    let (song, tag, old) = (Song(name: "s"), Tag(name: "t"), Tag(name: "old"))
    song.tags = [old]
    for model in [song, tag] as [any PersistentModel] { maker.insert(any: model) }
    try maker.save()
    let context = home.fresh()
    let read = try #require(context.model(for: song.persistentModelID) as? Song)
    let new = try #require(context.model(for: tag.persistentModelID) as? Tag)
    let before = try #require(context.model(for: old.persistentModelID) as? Tag)
    read.tags = [new]
    #expect(context.hasChanges && read.hasChanges && new.hasChanges && before.hasChanges)
    #expect(
      Set(context.changedModelsArray.map(\.persistentModelID))
        == [song.persistentModelID, tag.persistentModelID, old.persistentModelID])
    try context.save()
    #expect(!context.hasChanges && context.changedModelsArray.isEmpty)
  }

  @Test func severalRelationshipsBetweenTwoModelsAreIndependent() throws {
    let home = try StorePlace(.memory, Self.schema)
    let context = home.fresh()
    let (oslo, bergen) = (City(name: "Oslo"), City(name: "Bergen"))
    let person = Person(name: "p", home: oslo, workplace: bergen, birthplace: bergen)
    context.insert(person)
    try context.save()
    oslo.workers = [person]
    #expect(bergen.workers?.isEmpty == true && person.workplace === oslo && person.home === oslo)
    oslo.residents = []
    #expect(person.home == nil && person.workplace === oslo && person.birthplace === bergen)
    try context.save()
    let cities = try home.fresh().fetch(
      FetchDescriptor<City>(sortBy: [SortDescriptor(\.name)]))
    #expect(cities.map(\.residents.count) == [0, 0] && cities.map { $0.workers?.count } == [0, 1])
  }

  /// For a list, nil equals the empty array.
  @Test func optionalArraysReadAsEmpty() throws {
    let home = try StorePlace(.memory, Self.schema)
    let context = home.fresh()
    let city = City(name: "Oslo", workers: nil)
    #expect(city.workers == [])
    context.insert(city)
    city.workers = [Person(name: "p")]
    city.workers = nil
    #expect(city.workers == [])
    try context.save()
    #expect(try home.fresh().fetch(FetchDescriptor<City>()).first?.workers == [])
  }

  @Test(arguments: StoreKind.allCases)
  func S035_newAndExistingModelsAreInsertedTogether(_ store: StoreKind) throws {
    let home = try StorePlace(store, Self.schema)
    let context = home.fresh()
    let existing = Person(name: "existing")
    context.insert(existing)
    try context.save()
    let new = Person(name: "new", friends: [existing, Person(name: "friend")])
    #expect(new.modelContext === context)
    let far = City(name: "far")
    new.friends.last?.home = far
    existing.reports = [Person(name: "report", boss: nil)]
    context.insert(new)
    #expect(context.insertedModelsArray.count == 4 && context.changedModelsArray.count == 1)
    context.insert(far)
    #expect(context.insertedModelsArray.count == 4)
    try context.save()
    let people = try home.fresh().fetch(
      FetchDescriptor<Person>(sortBy: [SortDescriptor(\.name)]))
    #expect(people.map(\.name) == ["existing", "friend", "new", "report"])
    #expect(people[0].friends.map(\.name) == ["new"] && people[1].home?.name == "far")
    #expect(people[3].boss === people[0])
  }

  @Test(arguments: StoreKind.allCases)
  func mutuallyRequiredModelsAreSavedTogether(_ store: StoreKind) throws {
    let home = try StorePlace(store, Schema([Country.self, Link.self]))
    let context = home.fresh()
    let country = Country(name: "Norway", capital: "Oslo")
    #expect(country.capital.country === country)
    context.insert(country)
    let ring = ["a", "b", "c"].map(Link.init)
    for (index, link) in ring.enumerated() { link.next = ring[(index + 1) % 3] }
    context.insert(ring[0])
    #expect(context.insertedModelsArray.count == 5)
    try context.save()
    let other = home.fresh()
    let read = try #require(try other.fetch(FetchDescriptor<Country>()).first)
    #expect(read.capital.name == "Oslo" && read.capital.country === read)
    let links = try other.fetch(FetchDescriptor<Link>(sortBy: [SortDescriptor(\.name)]))
    #expect(links.map(\.next.name) == ["b", "c", "a"])
    for link in links { other.delete(link) }
    try other.save()
    #expect(try other.fetchCount(FetchDescriptor<Link>()) == 0)
  }
}

extension ModelContext {
  /// Opens an existential.
  func insert(any model: any PersistentModel) {
    func open<M: PersistentModel>(_ model: M) { insert(model) }
    open(model)
  }

  /// Opens an existential.
  func delete(any model: any PersistentModel) {
    func open<M: PersistentModel>(_ model: M) { delete(model) }
    open(model)
  }
}
