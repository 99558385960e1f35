import Foundation
import TestSupport
import Testing
import Trellis

/// Batches and upserts appear in the history as the resulting changes.
struct BatchHistoryTests {
  @Test(arguments: StoreKind.allCases) func insertedSnapshots(kind: StoreKind) throws {
    let fixture = try HistoryFixture(kind)
    fixture.context.author = "load"
    let result = try fixture.context.insert(contentsOf: (0..<500).map { Item.Snapshot(name: "\($0)") })
    let last = try #require(fixture.all().last)
    #expect(last.author == "load" && last.changes.count == 500)
    #expect(Set(last.changes.map(\.changedPersistentIdentifier)) == Set(result.identifiers))
  }

  @Test(arguments: StoreKind.allCases) func overwritingSave(kind: StoreKind) throws {
    let fixture = try HistoryFixture(kind)
    fixture.context.insert(Parcel(code: "a", weight: 1, note: "n"))
    try fixture.context.save()
    let other = ModelContext(fixture.container)
    other.insert(Parcel(code: "a", weight: 2, note: "n"))
    other.insert(Parcel(code: "b"))
    try other.save()
    #expect(try Set(fixture.last()) == ["insert Parcel", "update Parcel: weight"])
    #expect(try fixture.context.fetchCount(FetchDescriptor<Parcel>()) == 2)
  }

  @Test(arguments: StoreKind.allCases) func upsertedSnapshots(kind: StoreKind) throws {
    let fixture = try HistoryFixture(kind)
    try fixture.context.insert(contentsOf: ["a", "b"].map { Parcel.Snapshot(code: $0) })
    let result = try fixture.context.upsert(contentsOf: ["b", "c", "d"].map { Parcel.Snapshot(code: $0, note: "new") })
    #expect(result.insertedCount == 2 && result.updatedCount == 1)
    let changes = try #require(fixture.all().last).changes
    #expect(changes.map(\.text).map { $0.prefix(13) } == ["insert Parcel", "insert Parcel", "update Parcel"])
    #expect(Set(changes.map(\.changedPersistentIdentifier)) == Set(result.identifiers))
  }

  @Test(arguments: StoreKind.allCases) func randomChangesRoundTrip(kind: StoreKind) throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let fixture = try HistoryFixture(kind)
    var expected: [[PersistentIdentifier: String]] = []
    var live: [Item] = []
    for _ in 0..<Repetitions.scaled(30, upTo: 600) {
      var changes: [PersistentIdentifier: String] = [:]
      var inserted: [Item] = []
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        let item = Item(name: "new")
        fixture.context.insert(item)
        inserted.append(item)
      }
      live.shuffle(using: &random)
      for _ in 0..<min(live.count, Int.random(in: 0...3, using: &random)) {
        let item = live.removeLast()
        changes[item.persistentModelID] = "delete Item: \(item.name)"
        fixture.context.delete(item)
      }
      for item in live.prefix(Int.random(in: 0...8, using: &random)) {
        item.price = Bool.random(using: &random) ? item.price : item.price + 1
        if Bool.random(using: &random) { item.name += "!" }
        let other = try #require(ModelContext(fixture.container).model(for: item.persistentModelID) as? Item)
        let names = [other.name == item.name ? nil : "name", other.price == item.price ? nil : "price"].compactMap {
          $0
        }
        if !names.isEmpty { changes[item.persistentModelID] = "update Item: \(names.joined(separator: ", "))" }
      }
      try fixture.context.save()
      for item in inserted { changes[item.persistentModelID] = "insert Item" }
      live += inserted
      if !changes.isEmpty { expected.append(changes) }
    }
    let all = try fixture.all()
    #expect(all.count == expected.count)
    for (transaction, changes) in zip(all, expected) {
      let found = transaction.changes.map { ($0.changedPersistentIdentifier, $0.text) }
      #expect(Dictionary(found, uniquingKeysWith: { $0 + " and " + $1 }) == changes)
    }
  }
}
