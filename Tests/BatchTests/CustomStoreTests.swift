import Foundation
import Testing
import Trellis

@testable import TestStores

/// Batches in a store that supports only snapshots.
@Suite struct CustomStoreTests {
  private func container() throws -> ModelContainer {
    try BatchFixture.container(SnapshotStore.Configuration(name: UUID().uuidString))
  }

  @Test func batchesInsertRows() throws {
    let container = try container()
    let context = ModelContext(container)
    var counts: [Int] = []
    let result = try context.insert(
      contentsOf: (0..<25).lazy.map { Reading.Snapshot(place: "p\($0)", value: Double($0)) },
      chunkSize: 10
    ) { counts.append($0) }
    #expect(result.insertedCount == 25 && counts == [10, 20, 25])
    let readings = try context.fetch(FetchDescriptor<Reading>(sortBy: [SortDescriptor(\.value)]))
    #expect(readings.map(\.place) == (0..<25).map { "p\($0)" })
    #expect(readings.map(\.persistentModelID) == Array(result.identifiers))
  }

  @Test func bothSidesOfRelationshipsAreSet() throws {
    let container = try container()
    let context = ModelContext(container)
    let mentor = Person.Snapshot(name: "m")
    let people = try context.insert(
      contentsOf: [
        Person.Snapshot(name: "a", mentor: mentor.persistentIdentifier), mentor,
        Person.Snapshot(name: "b", mentor: mentor.persistentIdentifier),
      ], chunkSize: 1
    ).identifiers
    try context.insert(contentsOf: [
      Club.Snapshot(title: "x", members: [people[0], people[1]])
    ])
    try context.insert(contentsOf: [Passport.Snapshot(number: "1", owner: people[1])])
    let saved = try context.fetch(FetchDescriptor<Person>(sortBy: [SortDescriptor(\.name)]))
    #expect(saved.map(\.name) == ["a", "b", "m"])
    #expect(Set(saved[2].pupils.map(\.name)) == ["a", "b"])
    #expect(saved.map { $0.clubs.map(\.title) } == [["x"], [], ["x"]])
    #expect(saved[2].passport?.number == "1" && saved[2].passport?.owner === saved[2])
    // A later batch extends a list that is stored with its owner.
    try context.insert(contentsOf: [Person.Snapshot(name: "c", mentor: people[1])])
    let other = ModelContext(container)
    let again = try other.fetch(FetchDescriptor<Person>(predicate: #Predicate { $0.name == "m" }))
    #expect(Set(again[0].pupils.map(\.name)) == ["a", "b", "c"])
  }

  @Test func relationshipRulesAreEnforced() throws {
    let context = ModelContext(try container())
    let line = failure {
      try context.insert(contentsOf: [Line.Snapshot(text: "a", order: nil)])
    }
    #expect(line?.details.first?.rule == .required)
    let orders = try context.insert(contentsOf: [Order.Snapshot(number: 1)]).identifiers
    let lines = failure {
      try context.insert(
        contentsOf: (0..<4).map { Line.Snapshot(text: "\($0)", order: orders[0]) })
    }
    #expect(lines?.details.first?.rule == .maximumModelCount)
    let derived = failure {
      try context.insert(contentsOf: [Club.Snapshot(title: "a", matches: [orders[0]])])
    }
    #expect(derived?.details.first?.reason.contains("'club'") == true)
    #expect(try context.count(Line.self) == 0)
    #expect(try context.count(Club.self) == 0)
  }

  @Test func upsertsOverwriteExistingRows() throws {
    let context = ModelContext(try container())
    let people = try context.insert(
      contentsOf: ["a", "b"].map { Person.Snapshot(name: $0, age: 1, notes: "old") }
    ).identifiers
    let result = try context.upsert(contentsOf: [
      Person.Snapshot(name: "b", age: 2),
      Person.Snapshot(persistentIdentifier: people[0], name: "A", age: 3, mentor: people[1]),
      Person.Snapshot(name: "c", age: 4), Person.Snapshot(name: "c", age: 5),
    ])
    #expect(result.insertedCount == 2 - 1 && result.updatedCount == 3)
    let saved = try context.fetch(FetchDescriptor<Person>(sortBy: [SortDescriptor(\.age)]))
    #expect(saved.map(\.name) == ["b", "A", "c"])
    #expect(saved.map(\.age) == [2, 3, 5])
    #expect(saved.map(\.notes) == [nil, nil, nil])
    #expect(saved[1].mentor?.name == "b")
    #expect(result.identifiers[2] == result.identifiers[3])
  }

  @Test func registeredModelsAreUpdated() throws {
    let container = try container()
    let context = ModelContext(container)
    let ada = Person(name: "ada")
    context.insert(ada)
    try context.save()
    #expect(ada.pupils.isEmpty)
    try context.insert(contentsOf: [Person.Snapshot(name: "ben", mentor: ada.persistentModelID)])
    #expect(ada.pupils.map(\.name) == ["ben"])
  }

  @Test func snapshotsMatchModels() throws {
    let context = ModelContext(try container())
    try context.insert(contentsOf: (0..<20).map { Person.Snapshot(name: "p\($0)", age: $0 % 4) })
    let descriptor = FetchDescriptor<Person>(
      predicate: #Predicate { $0.age > 1 }, sortBy: [SortDescriptor(\.name)])
    let snapshots = try context.fetchSnapshots(descriptor, as: Person.Snapshot.self)
    let models = try context.fetch(descriptor)
    #expect(snapshots.map(\.name) == models.map(\.name))
    #expect(snapshots.map(\.persistentIdentifier) == models.map(\.persistentModelID))
    #expect(snapshots.allSatisfy { $0.pupils == nil })
    let all = try context.fetchSnapshots(as: Person.Snapshot.self)
    #expect(Set(all.map(\.name)) == Set((0..<20).map { "p\($0)" }))
    var seen = 0
    try context.enumerateSnapshots(as: Person.Snapshot.self) { _ in seen += 1 }
    #expect(seen == 20)
  }
}
