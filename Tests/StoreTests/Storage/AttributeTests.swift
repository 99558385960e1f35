import Foundation
import Testing
import Trellis

/// Tests of stored and restored values.
@Suite struct AttributeTests {
  @Test func S001_modelsArePersistentAndObservable() throws {
    func isObservable(_: any Observable.Type) -> Bool { true }
    #expect(isObservable(Specimen.self))
    let specimen = Specimen("fern")
    nonisolated(unsafe) var changes = 0
    withObservationTracking {
      _ = specimen.size
    } onChange: {
      changes += 1
    }
    specimen.size = 2
    #expect(changes == 1)
  }

  @Test func S002_S003_storedPropertiesRoundTrip() throws {
    let fixture = try StorageFixture()
    do {
      let context = ModelContext(try fixture.container(Specimen.self))
      let specimen = Specimen("fern", size: 4)
      specimen.kind = .fossil
      specimen.kinds = [.animal, .fossil]
      specimen.otherKind = .animal
      specimen.origin = .found(place: "Røros")
      specimen.scale = Specimen.Scale(width: 2)
      specimen.grade = .high
      specimen.shade = .dark
      specimen.method = .machine
      specimen.strict = Strict(word: "slate")
      specimen.words = ["a", ""]
      specimen.numbers = [3, 1]
      specimen.table = ["x": [1, 2]]
      context.insert(specimen)
      try context.save()
    }
    let found = try ModelContext(fixture.container(Specimen.self)).only(Specimen.self)
    #expect(found.label == "fern")
    #expect(found.size == 4)
    #expect(found.kind == .fossil)
    #expect(found.kinds == [.animal, .fossil])
    #expect(found.otherKind == .animal)
    #expect(found.origin == .found(place: "Røros"))
    #expect(found.scale == Specimen.Scale(width: 2, height: 1))
    #expect(found.grade == .high)
    #expect(found.shade == .dark)
    #expect(found.method == .machine)
    #expect(found.strict == Strict(word: "slate"))
    #expect(found.words == ["a", ""])
    #expect(found.numbers == [1, 3])
    #expect(found.table == ["x": [1, 2]])
    #expect(found.serial == 7)
  }

  /// Nil and empty differ for collections, too.
  @Test func optionalCollectionsCanBeNilOrEmpty() throws {
    let fixture = try StorageFixture()
    let context = ModelContext(try fixture.container(Specimen.self))
    let none = Specimen("none")
    let empty = Specimen("empty")
    empty.words = []
    empty.numbers = []
    empty.table = [:]
    context.insert(none)
    context.insert(empty)
    try context.save()
    let found = try ModelContext(context.container).fetch(
      FetchDescriptor<Specimen>(sortBy: [SortDescriptor(\.label)]))
    #expect(found.map(\.words) == [[], nil])
    #expect(found.map(\.numbers) == [[], nil])
    #expect(found.map(\.table) == [[:], nil])
    #expect(try fixture.shell("SELECT words IS NULL FROM Specimen ORDER BY label") == "0\n1")
  }

  @Test func S004_computedPropertiesAreNotStored() throws {
    let fixture = try StorageFixture()
    _ = try fixture.container(Specimen.self)
    let columns = try fixture.shell("SELECT name FROM pragma_table_info('Specimen')")
      .split(separator: "\n")
    #expect(!columns.contains("description"))
    #expect(columns.contains("label"))
    #expect(Specimen("fern", size: 1).description == "fern of 1")
  }

  @Test func S005_S006_transientPropertiesHaveTheirDefaultsAfterAFetch() throws {
    let fixture = try StorageFixture()
    let context = ModelContext(try fixture.container(Specimen.self))
    let specimen = Specimen("fern")
    specimen.cache = ["full"]
    specimen.extra = 3
    context.insert(specimen)
    try context.save()
    #expect(specimen.cache == ["full"])
    let found = try ModelContext(context.container).only(Specimen.self)
    #expect(found.cache == ["empty"])
    #expect(found.extra == nil)
    #expect(try !fixture.shell("SELECT sql FROM sqlite_schema WHERE name = 'Specimen'").contains("cache"))
  }

  @Test func S019_ephemeralPropertiesAreChangesButNotStored() throws {
    let fixture = try StorageFixture()
    let context = ModelContext(try fixture.container(Specimen.self))
    let specimen = Specimen("fern")
    context.insert(specimen)
    try context.save()
    #expect(!context.hasChanges)
    nonisolated(unsafe) var changes = 0
    withObservationTracking {
      _ = specimen.note
    } onChange: {
      changes += 1
    }
    specimen.note = "seen"
    specimen.mark = 5
    #expect(changes == 1)
    #expect(context.hasChanges)
    #expect(context.changedModelsArray.count == 1)
    try context.save()
    #expect(!context.hasChanges)
    #expect(specimen.note == "seen")
    let found = try ModelContext(context.container).only(Specimen.self)
    #expect(found.note == "none")
    #expect(found.mark == nil)
    #expect(try !fixture.shell("SELECT sql FROM sqlite_schema WHERE name = 'Specimen'").contains("note"))
  }

  @Test func S022_theSchemaReflectsTheAttributes() throws {
    let schema = Schema([Specimen.self, House.self])
    let specimen = try #require(schema.entitiesByName["Specimen"])
    #expect(specimen.name == "Specimen")
    #expect(specimen.attributesByName["note"]?.options == [.ephemeral])
    #expect(specimen.attributesByName["note"]?.isTransient == true)
    #expect(specimen.attributesByName["shade"]?.isCodable == true)
    #expect(specimen.attributesByName["kind"]?.valueType == Specimen.Kind.self)
    #expect(specimen.attributesByName["cache"] == nil)
    #expect(specimen.indices == [["label", "size"], ["size"]])
    let house = try #require(schema.entitiesByName["House"])
    #expect(house.uniquenessConstraints == [["address.street", "address.city"]])
    #expect(house.indices == [["address.city", "name"], ["second.zip"]])
    #expect(house.attributesByName["address"] is Schema.CompositeAttribute)
    let ticket = try #require(Schema([Ticket.self]).entitiesByName["Ticket"])
    #expect(ticket.attributesByName["tolerant"]?.options == [.unknown(.default)])
    let again = try JSONDecoder().decode(
      Schema.self, from: JSONEncoder().encode(Schema([House.self, Ticket.self])))
    #expect(again == Schema([House.self, Ticket.self]))
  }

  @Test(arguments: [true, false]) func S021_indexesDoNotChangeResults(_ isIndexed: Bool) throws {
    let fixture = try StorageFixture()
    let context = ModelContext(try fixture.container(Specimen.self, Spot.self))
    for number in 0..<60 {
      context.insert(Specimen("s\(number % 7)", size: number % 5))
      let place = Double(number) / 4
      context.insert(Spot(name: "p\(number % 3)", latitude: place, longitude: 15 - place))
    }
    try context.save()
    if !isIndexed {
      let names = try fixture.shell(
        "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
      #expect(names.split(separator: "\n").count >= 4)
      for name in names.split(separator: "\n") { try fixture.shell("DROP INDEX \"\(name)\"") }
    }
    let specimens = try context.fetch(
      FetchDescriptor<Specimen>(
        predicate: #Predicate { $0.label == "s3" && $0.size > 1 },
        sortBy: [SortDescriptor(\.label), SortDescriptor(\.size)]))
    #expect(specimens.map(\.size) == [2, 2, 3, 3, 4, 4])
    let spots = try context.fetchCount(
      FetchDescriptor<Spot>(
        predicate: #Predicate<Spot> { $0.latitude >= 6 && $0.longitude > 7 }))
    #expect(spots == 8)
  }
}
