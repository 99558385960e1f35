import Foundation
import Testing
import Trellis

@Suite struct UpsertTests {
  @Test(arguments: [false, true]) func rowsWithEqualUniqueValuesAreOverwritten(inMemory: Bool) throws {
    let fixture = try BatchFixture(inMemory: inMemory)
    let first = try fixture.context.insert(
      contentsOf: (0..<100).map { Person.Snapshot(name: "p\($0)", age: 1, notes: "old") })
    let second = try fixture.context.upsert(
      contentsOf: (50..<150).map { Person.Snapshot(name: "p\($0)", age: 2) })
    #expect(second.insertedCount == 50 && second.updatedCount == 50)
    #expect(Array(second.identifiers.prefix(50)) == Array(first.identifiers.suffix(50)))
    let people = try fixture.other.fetch(
      FetchDescriptor<Person>(sortBy: [SortDescriptor(\.persistentModelID)]))
    #expect(people.map(\.name) == (0..<150).map { "p\($0)" })
    #expect(people.map(\.age) == (0..<150).map { $0 < 50 ? 1 : 2 })
    #expect(people.map(\.notes) == (0..<150).map { $0 < 50 ? "old" : nil })
    #expect(Array(second.identifiers.suffix(50)) == people.suffix(50).map(\.persistentModelID))
  }

  @Test func insertionsFollowTheConflictPolicies() throws {
    let fixture = try BatchFixture()
    // Policy: overwrite.
    let people = try fixture.context.insert(contentsOf: [
      Person.Snapshot(name: "a", age: 1), Person.Snapshot(name: "b", age: 2),
      Person.Snapshot(name: "a", age: 3),
    ])
    #expect(people.insertedCount == 2 && people.updatedCount == 1)
    #expect(people.identifiers[0] == people.identifiers[2])
    #expect(try fixture.context.all(Person.self).map(\.age) == [3, 2])
    // Policy: keep.
    let coins = try fixture.context.insert(contentsOf: [
      Coin.Snapshot(number: 1, metal: "gold"), Coin.Snapshot(number: 1, metal: "lead"),
      Coin.Snapshot(number: 2),
    ])
    #expect(coins.insertedCount == 2 && coins.updatedCount == 0)
    #expect(coins.identifiers[0] == coins.identifiers[1])
    #expect(try fixture.context.all(Coin.self).map(\.metal) == ["gold", "tin"])
    // Policy: reject. The whole batch fails.
    try fixture.context.insert(contentsOf: [Ticket.Snapshot(number: 1)])
    let saved = try fixture.context.all(Ticket.self)[0].persistentModelID
    let new = [1, 2, 2, 3].map { Ticket.Snapshot(number: $0) }
    let error = failure { try fixture.context.insert(contentsOf: new) }
    #expect(error?.details.map(\.rule) == [.unique, .unique])
    #expect(error?.details.map(\.model) == [new[0], new[2]].map(\.persistentIdentifier))
    #expect(error?.details.map(\.others) == [[saved], [new[1].persistentIdentifier]])
    #expect(try fixture.context.count(Ticket.self) == 1)
  }

  @Test func upsertsOverwriteRegardlessOfThePolicy() throws {
    let fixture = try BatchFixture()
    for seat in ["1A", "2B"] {
      try fixture.context.upsert(contentsOf: [Ticket.Snapshot(number: 7, seat: seat)])
      try fixture.context.upsert(contentsOf: [Coin.Snapshot(number: 7, metal: seat)])
    }
    #expect(try fixture.context.all(Ticket.self).map(\.seat) == ["2B"])
    #expect(try fixture.context.all(Coin.self).map(\.metal) == ["2B"])
  }

  @Test func equivalentUnicodeTextsMatch() throws {
    let fixture = try BatchFixture()
    try fixture.context.upsert(contentsOf: [
      Person.Snapshot(name: "caf\u{E9}", age: 1), Person.Snapshot(name: "cafe\u{301}", age: 2),
      Person.Snapshot(name: "x", age: 3), Person.Snapshot(name: "caf\u{E9}", age: 4),
    ])
    #expect(try fixture.context.all(Person.self).map(\.age) == [4, 3])
  }

  @Test func identifiersSelectTheRowsToUpdate() throws {
    let fixture = try BatchFixture()
    let people = try fixture.context.insert(
      contentsOf: ["a", "b", "c"].map { Person.Snapshot(name: $0) }
    ).identifiers
    let result = try fixture.context.upsert(contentsOf: [
      Person.Snapshot(persistentIdentifier: people[1], name: "B", mentor: people[0]),
      Person.Snapshot(name: "d", mentor: people[1]),
    ])
    #expect(result.insertedCount == 1 && result.updatedCount == 1)
    let saved = try fixture.other.all(Person.self)
    #expect(saved.map(\.name) == ["a", "B", "c", "d"])
    #expect(saved.map { $0.mentor?.name } == [nil, "a", nil, "B"])
    // An upsert cannot take over the unique name of another row.
    let error = failure {
      try fixture.context.upsert(contentsOf: [
        Person.Snapshot(persistentIdentifier: people[1], name: "c")
      ])
    }
    #expect(error?.details.first?.rule == .unique)
    #expect(error?.details.first?.others == [people[2]])
  }

  @Test func upsertingADeletedRowIsAnError() throws {
    let fixture = try BatchFixture()
    let people = try fixture.context.insert(contentsOf: [Person.Snapshot(name: "a")]).identifiers
    let person = try #require(fixture.context.model(for: people[0]) as? Person)
    fixture.context.delete(person)
    try fixture.context.save()
    let error = failure {
      try fixture.context.upsert(contentsOf: [
        Person.Snapshot(persistentIdentifier: people[0], name: "b")
      ])
    }
    #expect(error?.details.first?.model == people[0])
    #expect(try fixture.context.count(Person.self) == 0)
  }

  @Test func rowsOfOtherClassesAreNotOverwritten() throws {
    let fixture = try BatchFixture()
    let cat = try fixture.context.insert(contentsOf: [Animal.Snapshot(name: "Tom")]).identifiers
    let byName = failure {
      try fixture.context.upsert(contentsOf: [Dog.Snapshot(name: "Tom", breed: "Beagle")])
    }
    #expect(byName?.details.first?.rule == .unique)
    let byKey = failure {
      try fixture.context.upsert(contentsOf: [
        Dog.Snapshot(persistentIdentifier: cat[0], name: "Rex", breed: "Beagle")
      ])
    }
    #expect(byKey?.details.first?.model == cat[0])
    try fixture.context.upsert(contentsOf: [Dog.Snapshot(name: "Rex", breed: "Beagle")])
    try fixture.context.upsert(contentsOf: [Dog.Snapshot(name: "Rex", legs: 3, breed: "Boxer")])
    let dogs = try fixture.context.all(Dog.self)
    #expect(dogs.map(\.breed) == ["Boxer"])
    #expect(dogs.map(\.legs) == [3])
  }

  @Test func referencesToOverwrittenSnapshotsResolveToTheirRows() throws {
    let fixture = try BatchFixture()
    try fixture.context.insert(contentsOf: [Person.Snapshot(name: "ada", age: 1)])
    let ada = Person.Snapshot(name: "ada", age: 2)
    // One row that refers to the overwritten snapshot precedes it, and another follows it.
    try fixture.context.insert(contentsOf: [
      Person.Snapshot(name: "ben", mentor: ada.persistentIdentifier), ada,
      Person.Snapshot(name: "cleo", mentor: ada.persistentIdentifier),
    ])
    let people = try fixture.other.fetch(FetchDescriptor<Person>(sortBy: [SortDescriptor(\.name)]))
    #expect(people.map(\.name) == ["ada", "ben", "cleo"])
    #expect(people.map { $0.mentor?.name } == [nil, "ada", "ada"])
    #expect(Set(people[0].pupils.map(\.name)) == ["ben", "cleo"])
    #expect(people[0].age == 2)
  }
}
