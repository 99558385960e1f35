import Foundation
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

@Suite struct StoreSaveTests {
  @Test func referencesAmongNewModelsAreResolved() throws {
    let fixture = try StoreFixture(Journey.self)
    let store = try fixture.open()
    var journey = Journey.Snapshot()
    let stop = Stop.Snapshot().with { $0.journey = journey.persistentIdentifier }
    let lodging = Lodging.Snapshot().with { $0.journey = journey.persistentIdentifier }
    journey.lodging = lodging.persistentIdentifier
    let saved = try store.save(insert: [stop.snapshot(), journey.snapshot(), lodging.snapshot()])
    #expect(saved.map(\.description) == ["Stop/1", "Journey/1", "Lodging/1"])
    #expect(saved.allSatisfy { $0.storeIdentifier == store.identifier && !$0.isTemporary })
    #expect(try store.values(Stop.Snapshot.self).map(\.journey) == [saved[1]])
    #expect(try store.values(Journey.Snapshot.self).map(\.lodging) == [saved[2]])
    #expect(try fixture.complaints() == "")
  }

  @Test func danglingReferencesAreRejected() throws {
    let fixture = try StoreFixture(Journey.self)
    let store = try fixture.open()
    let stray = Stop.Snapshot().with { $0.journey = Journey.Snapshot().persistentIdentifier }
    #expect(throws: SwiftDataError.modelValidationFailure) {
      try store.save(insert: [Journey.Snapshot().snapshot(), stray.snapshot()])
    }
    let gone = Stop.Snapshot().with {
      $0.journey = PersistentIdentifier(
        token: .interned(store: store.identifier, entity: "Journey"), row: 99)
    }
    let error = #expect(throws: SwiftDataError.self) { try store.save(insert: [gone.snapshot()]) }
    #expect(error?.details.first?.reason == "refers to a row of 'Journey' that would not exist")
    #expect(try store.values(Journey.Snapshot.self).isEmpty)
    #expect(try store.save(insert: [Journey.Snapshot().snapshot()]).map(\.row) == [1])
  }

  @Test func onlyChangedColumnsAreWritten() throws {
    let fixture = try StoreFixture(Journey.self)
    let store = try fixture.open()
    let saved = try store.save(insert: [Journey.Snapshot().with { $0.name = "a" }.snapshot()])
    let mine = Journey.Snapshot(placeholder: saved[0]).with { $0.budget = 5 }
    let theirs = Journey.Snapshot(placeholder: saved[0]).with { $0.name = "b" }
    try store.save(update: [theirs.snapshot(changed: [0])])
    try store.save(update: [mine.snapshot(changed: [2])])
    let read = try #require(try store.values(Journey.Snapshot.self).first)
    #expect(read.name == "b" && read.budget == 5)
    try store.save(update: [mine.snapshot()])
    #expect(try store.values(Journey.Snapshot.self).first?.name == "")
  }

  @Test func changingADeletedRowIsAnError() throws {
    let fixture = try StoreFixture(Journey.self)
    let store = try fixture.open()
    let saved = try store.save(
      insert: [Journey.Snapshot().snapshot(), Journey.Snapshot().snapshot()])
    let first = Journey.Snapshot(placeholder: saved[0])
    let second = Journey.Snapshot(placeholder: saved[1]).with { $0.name = "kept?" }
    try store.save(delete: [first.snapshot()])
    let error = #expect(throws: SwiftDataError.modelValidationFailure) {
      try store.save(update: [second.snapshot(changed: [0]), first.snapshot(changed: [0])])
    }
    #expect(error?.details.map(\.model) == [saved[0]])
    #expect(try store.values(Journey.Snapshot.self).map(\.name) == [""])
  }

  @Test func movedRowsAreNotDeletedWithTheirFormerOwner() throws {
    let fixture = try StoreFixture(Journey.self)
    let store = try fixture.open()
    let old = Journey.Snapshot()
    let stops = (0..<2).map { _ in
      Stop.Snapshot().with { $0.journey = old.persistentIdentifier }
    }
    let saved = try store.save(insert: [old.snapshot()] + stops.map { $0.snapshot() })
    let new = Journey.Snapshot()
    let moved = Stop.Snapshot(placeholder: saved[1]).with { $0.journey = new.persistentIdentifier }
    try store.save(
      insert: [new.snapshot()], update: [moved.snapshot(changed: [2])],
      delete: [Journey.Snapshot(placeholder: saved[0]).snapshot()])
    #expect(try store.values(Stop.Snapshot.self).map(\.persistentIdentifier) == [saved[1]])
    #expect(try fixture.complaints() == "")
  }

  @Test func manyToManyListsAreSharedAndOrdered() throws {
    let fixture = try StoreFixture(Journey.self)
    let store = try fixture.open()
    let tags = ["x", "y", "z"].map { text in Tag.Snapshot().with { $0.text = text } }
    let journey = Journey.Snapshot().with {
      $0.labels = [2, 0].map { tags[$0].persistentIdentifier }
    }
    let saved = try store.save(insert: [journey.snapshot()] + tags.map { $0.snapshot() })
    func labels() throws -> [String] {
      try store.members(Tag.Snapshot.self, of: saved[0], slot: 1).map(\.text)
    }
    #expect(try labels() == ["z", "x"])
    #expect(
      try store.members(Journey.Snapshot.self, of: saved[1], slot: 0).map(\.persistentIdentifier)
        == [saved[0]])
    // From the inverse, the new member has no position and becomes the last one.
    let y = Tag.Snapshot(placeholder: saved[2]).with { $0.journeys = [saved[0]] }
    try store.save(update: [y.snapshot(changed: [], lists: [0])])
    #expect(try labels() == ["z", "x", "y"])
    let reordered = Journey.Snapshot(placeholder: saved[0]).with {
      $0.labels = [saved[2], saved[3]]
    }
    try store.save(update: [reordered.snapshot(changed: [], lists: [1])])
    #expect(try labels() == ["y", "z"])
    try store.save(delete: [Tag.Snapshot(placeholder: saved[3]).snapshot()])
    #expect(try labels() == ["y"])
    #expect(try fixture.shell("SELECT COUNT(*) FROM \"Journey_labels\"") == "1")
    #expect(try fixture.complaints() == "")
  }

  @Test func oneToManyListsKeepTheirOrder() throws {
    let fixture = try StoreFixture(Journey.self)
    let store = try fixture.open()
    let journey = Journey.Snapshot()
    let photos = ["1", "2", "3"].map { file in
      Photo.Snapshot().with {
        $0.file = file
        $0.journey = journey.persistentIdentifier
      }
    }
    let owner = journey.with { $0.photos = photos.reversed().map(\.persistentIdentifier) }
    let saved = try store.save(insert: photos.map { $0.snapshot() } + [owner.snapshot()])
    func files() throws -> [String] {
      try store.members(Photo.Snapshot.self, of: saved[3], slot: 2).map(\.file)
    }
    #expect(try files() == ["3", "2", "1"])
    let changed = Journey.Snapshot(placeholder: saved[3]).with {
      $0.photos = [saved[1], saved[0], saved[2]]
    }
    try store.save(update: [changed.snapshot(changed: [], lists: [2])])
    #expect(try files() == ["2", "1", "3"])
  }

  @Test func hierarchiesShareATable() throws {
    let fixture = try StoreFixture(Dog.self, Cat.self)
    let store = try fixture.open()
    let dog = Dog.Snapshot(name: "Rex", age: 3)
    var cat = Cat.Snapshot(name: "Tom", age: "old")
    cat.base.friend = dog.persistentIdentifier
    let animal = Animal.Snapshot().with { $0.name = "Nessie" }
    let saved = try store.save(insert: [cat.snapshot(), dog.snapshot(), animal.snapshot()])
    #expect(Set(saved.map(\.entityName)) == ["Animal"])
    #expect(try store.values(Animal.Snapshot.self).map(\.name) == ["Tom", "Rex", "Nessie"])
    #expect(try store.values(Dog.Snapshot.self).map(\.own.age) == [3])
    let cats = try store.values(Cat.Snapshot.self)
    #expect(cats.map(\.own.age) == ["old"])
    #expect(cats.first?.base.friend == saved[1])
    var kinds: [String] = []
    let all = DataStoreFetchRequest(
      descriptor: FetchDescriptor<Animal>(), editingState: StoreFixture.context)
    try store.rows(Query(all)) { row in kinds.append(row.definition.entityName) }
    #expect(kinds == ["Cat", "Dog", "Animal"])
    let renamed = Dog.Snapshot(name: "Max", age: 4).with { $0.persistentIdentifier = saved[1] }
    try store.save(update: [renamed.snapshot(changed: [0, 3])])
    #expect(try store.values(Dog.Snapshot.self).map(\.base.name) == ["Max"])
    #expect(try store.fetchCount(all) == 3)
    #expect(
      try store.fetchCount(
        DataStoreFetchRequest(
          descriptor: FetchDescriptor<Cat>(), editingState: StoreFixture.context)) == 1)
    #expect(try fixture.complaints() == "")
  }

  @Test func keysAreNotReusedAfterErasing() throws {
    let fixture = try StoreFixture(Journey.self)
    let store = try fixture.open()
    try store.save(insert: (0..<3).map { _ in Journey.Snapshot().snapshot() })
    try store.erase()
    #expect(try store.values(Journey.Snapshot.self).isEmpty)
    let saved = try store.save(insert: [Journey.Snapshot().snapshot()])
    let row = try #require(saved[0].row)
    #expect(row > 3)
    #expect(try fixture.complaints() == "")
  }
}
