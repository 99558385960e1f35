import Foundation
import Testing
import TrellisSQLite

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// Later releases open stores without a migration plan. Either every row keeps its values, or the store does not open.
struct SheltersTests {
  private func withStore(
    _ first: any VersionedSchema.Type, _ rows: (ModelContext) throws -> Void, _ body: (URL) throws -> Void
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("shelter \(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("a.store")
    let context = try Self.context(url, first)
    try rows(context)
    try context.save()
    try body(url)
  }

  private static func context(_ url: URL, _ version: any VersionedSchema.Type) throws -> ModelContext {
    let schema = Schema(versionedSchema: version)
    return ModelContext(
      try ModelContainer(for: schema, configurations: ModelConfiguration(schema: schema, url: url)))
  }

  private func withAnimals(_ body: (URL) throws -> Void) throws {
    try withStore(Shelter1.self) { context in
      for age in [nil, 9] { context.insert(Shelter1.Dog(age: age)) }
      context.insert(Shelter1.Cat())
    } _: { url in
      try body(url)
    }
  }

  @Test func requiredPropertyOfASubclass() throws {
    try withAnimals { url in
      let error = #expect(throws: SwiftDataError.unknownDataStoreSchema) { try Self.context(url, Shelter3.self) }
      #expect(
        error?.explanation?.contains("'Dog.age' has no default value, and there are rows without a value: Dog/1")
          == true)
      let context = try Self.context(url, Shelter2.self)
      let dogs = try context.fetch(FetchDescriptor<Shelter2.Dog>())
      #expect(dogs.map(\.age).sorted() == [9, 44] && dogs.allSatisfy { $0.legs == 11 })
      #expect(try context.fetch(FetchDescriptor<Shelter2.Animal>()).count == 3)
      // Opening the store with the second version has added the missing values.
      let ages = try Self.context(url, Shelter3.self).fetch(FetchDescriptor<Shelter3.Dog>()).map(\.age)
      #expect(ages.sorted() == [9, 44])
    }
  }

  @Test func nameReusedInTwoSubclasses() throws {
    try withAnimals { url in
      let context = try Self.context(url, Shelter4.self)
      let dogs = try context.fetch(FetchDescriptor<Shelter4.Dog>())
      #expect(dogs.allSatisfy { $0.age == 44 } && Set(dogs.map(\.years)) == [nil, 9])
      #expect(try context.fetch(FetchDescriptor<Shelter4.Cat>()).map(\.age) == ["x"])
    }
  }

  @Test func propertyMovesToSubclasses() throws {
    try withAnimals { url in
      let error = #expect(throws: SwiftDataError.unknownDataStoreSchema) { try Self.context(url, Shelter5.self) }
      #expect(error?.explanation?.contains("'Dog.legs' is declared by another class") == true)
      let legs = try Self.context(url, Shelter1.self).fetch(FetchDescriptor<Shelter1.Animal>()).map(\.legs)
      #expect(legs.sorted() == [11, 11, 12])
    }
  }

  private func withPersons(_ names: [String], _ body: (URL, Connection) throws -> Void) throws {
    try withStore(Office1.self) { context in
      for (number, name) in names.enumerated() {
        let person = Office1.Person(name: name)
        context.insert(person)
        if number == 0 { person.desk = Office1.Desk(number: 3) }
      }
      context.insert(Office1.Desk(number: 4))
    } _: { url in
      try body(url, Connection(url.path, .existing))
    }
  }

  @Test func newValuesMatchTheSchema() throws {
    try withPersons(["a", "b"]) { url, connection in
      try connection.execute("CREATE TABLE \"log\" (\"name\" TEXT)")
      try connection.execute(
        """
        CREATE TRIGGER "note" AFTER UPDATE ON "Person" BEGIN INSERT INTO "log" VALUES (old."name"); END
        """)
      let context = try Self.context(url, Office2.self)
      let label = "\u{e9}"
      #expect(try context.fetchCount(FetchDescriptor<Office2.Person>(predicate: #Predicate { $0.label == label })) == 2)
      let persons = try context.fetch(FetchDescriptor<Office2.Person>(sortBy: [SortDescriptor(\.title)]))
      #expect(
        persons.map { Array($0.bytes.utf8) } == [[97, 0, 98], [97, 0, 98]] && persons.map(\.rank) == [nil, nil])
      let desks = try context.fetch(FetchDescriptor<Office2.Desk>(sortBy: [SortDescriptor(\.number)]))
      #expect(desks.map { $0.persons.map(\.title) } == [["a"], []])
      // The migration did not fire the trigger, and the trigger uses the column's new name.
      #expect(try connection.rows("SELECT * FROM log").isEmpty)
      persons[1].rank = 8
      try context.save()
      #expect(try connection.rows("SELECT name FROM log").map(\.[0].text) == ["b"])
    }
  }

  @Test func equivalentUnicodeTextsAreNotUnique() throws {
    try withPersons(["e\u{301}", "\u{e9}"]) { url, _ in
      let error = #expect(throws: SwiftDataError.unknownDataStoreSchema) { try Self.context(url, Office3.self) }
      #expect(error?.explanation?.contains("the values of name of 'Person' are not unique") == true)
    }
    try withPersons(["e\u{301}", "e"]) { url, _ in
      let context = try Self.context(url, Office3.self)
      context.insert(Office3.Person(name: "\u{e9}"))
      try context.save()
      #expect(try context.fetchCount(FetchDescriptor<Office3.Person>()) == 2)
    }
  }

  @Test func structsDoNotLoseProperties() throws {
    try withPersons(["a"]) { url, _ in
      let error = #expect(throws: SwiftDataError.unknownDataStoreSchema) { try Self.context(url, Office4.self) }
      #expect(error?.explanation?.contains("'Person.pay.currency' is no longer in the schema") == true)
      let person = try Self.context(url, Office1.self).fetch(FetchDescriptor<Office1.Person>()).first
      #expect(person?.pay.currency == "EUR")
    }
  }
}
