import Foundation
import Testing
import Trellis

/// Fetched snapshots must equal fetched models.
@Suite struct SnapshotTests {
  private func fill(_ context: ModelContext) throws {
    let people = (0..<50).map {
      Person.Snapshot(name: "p\($0)", age: $0 % 7, notes: $0 % 3 == 0 ? nil : "n\($0 % 5)")
    }
    let ids = try context.insert(contentsOf: people).identifiers
    try context.upsert(
      contentsOf: (0..<50).map {
        Person.Snapshot(
          persistentIdentifier: ids[$0], name: "p\($0)", age: $0 % 7,
          notes: $0 % 3 == 0 ? nil : "n\($0 % 5)", mentor: $0 % 4 == 0 ? nil : ids[$0 / 4])
      })
  }

  private func expectSame(_ context: ModelContext, _ descriptor: FetchDescriptor<Person>) throws {
    let snapshots = try context.fetchSnapshots(descriptor, as: Person.Snapshot.self)
    let models = try context.fetch(descriptor)
    #expect(snapshots.map(\.persistentIdentifier) == models.map(\.persistentModelID))
    #expect(snapshots.map(\.name) == models.map(\.name))
    #expect(snapshots.map(\.age) == models.map(\.age))
    #expect(snapshots.map(\.notes) == models.map(\.notes))
    #expect(snapshots.map(\.mentor) == models.map { $0.mentor?.persistentModelID })
    #expect(snapshots.allSatisfy { $0.pupils == nil && $0.clubs == nil })
    var seen: [PersistentIdentifier] = []
    try context.enumerateSnapshots(descriptor, as: Person.Snapshot.self) {
      seen.append($0.persistentIdentifier)
    }
    #expect(seen == models.map(\.persistentModelID))
  }

  private var descriptors: [FetchDescriptor<Person>] {
    var page = FetchDescriptor<Person>(
      predicate: #Predicate { $0.age > 1 },
      sortBy: [SortDescriptor(\.age, order: .reverse), SortDescriptor(\.name)])
    page.fetchLimit = 9
    page.fetchOffset = 4
    var limited = FetchDescriptor<Person>()
    limited.fetchLimit = 3
    return [
      FetchDescriptor(), page, limited,
      FetchDescriptor(predicate: #Predicate { $0.notes == nil }),
      FetchDescriptor(predicate: #Predicate { $0.mentor?.age ?? 0 > 3 }),
      // Evaluated in memory.
      FetchDescriptor(predicate: #Predicate { $0.pupils.allSatisfy { $0.age > 1 } }),
      FetchDescriptor(sortBy: [SortDescriptor(\.name, comparator: .lexical)]),
    ]
  }

  @Test(arguments: [false, true]) func snapshotsMatchModels(inMemory: Bool) throws {
    let fixture = try BatchFixture(inMemory: inMemory)
    try fill(fixture.context)
    for descriptor in descriptors { try expectSame(fixture.context, descriptor) }
  }

  @Test func snapshotsIncludePendingChanges() throws {
    let fixture = try BatchFixture()
    try fill(fixture.context)
    let context = fixture.context
    let people = try context.all(Person.self)
    people[3].age = 100
    people[5].mentor = people[20]
    people[7].mentor = nil
    context.delete(people[2])
    context.insert(Person(name: "new", age: 5, mentor: people[9]))
    for descriptor in descriptors { try expectSame(context, descriptor) }
    // Pending changes are excluded on request.
    var stored = FetchDescriptor<Person>(predicate: #Predicate { $0.age == 3 })
    stored.includePendingChanges = false
    let names = try context.fetchSnapshots(stored, as: Person.Snapshot.self).map(\.name)
    #expect(names == ["p3", "p10", "p17", "p24", "p31", "p38", "p45"])
  }

  @Test func bothSpellingsReturnTheSameSnapshots() throws {
    let fixture = try BatchFixture()
    try fixture.context.insert(contentsOf: [Reading.Snapshot(place: "a", value: 1)])
    let one = try fixture.context.fetchSnapshots(as: Reading.Snapshot.self)
    let two: [Reading.Snapshot] = try fixture.context.fetchSnapshots(
      FetchDescriptor(predicate: #Predicate { $0.value == 1 }))
    #expect(one.map(\.place) == ["a"] && two.map(\.place) == ["a"])
  }

  @Test func subclassSnapshotsContainInheritedProperties() throws {
    let fixture = try BatchFixture()
    try fixture.context.insert(contentsOf: [Animal.Snapshot(name: "Tom")])
    try fixture.context.insert(contentsOf: [Dog.Snapshot(name: "Rex", legs: 3, breed: "Boxer")])
    let animals = try fixture.context.fetchSnapshots(as: Animal.Snapshot.self)
    #expect(animals.map(\.name) == ["Tom", "Rex"])
    #expect(animals.map(\.legs) == [4, 3])
    let dogs = try fixture.context.fetchSnapshots(as: Dog.Snapshot.self)
    #expect(dogs.map(\.own.breed) == ["Boxer"])
    #expect(dogs.map(\.base.name) == ["Rex"])
  }

  @Test func enumerationReadsAConsistentState() throws {
    let fixture = try BatchFixture()
    let context = fixture.context
    try context.insert(contentsOf: (0..<500).map { Reading.Snapshot(place: "\($0)", value: 0) })
    var seen = 0
    try context.enumerateSnapshots(as: Reading.Snapshot.self) { reading in
      seen += 1
      if seen % 100 == 1 {
        try context.insert(contentsOf: [Reading.Snapshot(place: "new", value: 1)])
        context.insert(Reading(place: "model", value: 2))
        try context.save()
      }
    }
    #expect(seen == 500)
    #expect(try context.count(Reading.self) == 510)
  }

  @Test func anErrorThrownByTheBlockEndsTheEnumeration() throws {
    struct Stop: Error {}
    let fixture = try BatchFixture()
    try fixture.context.insert(
      contentsOf: (0..<50).map { Reading.Snapshot(place: "\($0)", value: 0) })
    var seen = 0
    #expect(throws: Stop.self) {
      try fixture.context.enumerateSnapshots(as: Reading.Snapshot.self) { _ in
        seen += 1
        if seen == 7 { throw Stop() }
      }
    }
    #expect(seen == 7)
    #expect(try fixture.context.count(Reading.self) == 50)
  }

  @Test func snapshotsCopyModelsBetweenStores() throws {
    let one = try BatchFixture()
    let two = try BatchFixture()
    try one.context.insert(
      contentsOf: (0..<100).map { Reading.Snapshot(place: "\($0)", value: Double($0)) })
    try two.context.insert(contentsOf: one.context.fetchSnapshots(as: Reading.Snapshot.self))
    #expect(try two.context.all(Reading.self).map(\.value) == (0..<100).map(Double.init))
  }
}
