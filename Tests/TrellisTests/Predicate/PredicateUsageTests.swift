import Foundation
import TestSupport
import Testing

@testable import TestWorlds
@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// Typical predicates of programs with their SQL text and results.
@Suite struct PredicateUsageTests {
  let store: PredicateStore

  init() throws {
    store = try PredicateStore()
    var dice = SeededGenerator(seed: 7)
    try store.fill(80, irregular: false, &dice)
  }

  /// Checks that the predicate has this SQL text and the results of Swift.
  private func expect(
    _ predicate: Predicate<Item>, _ text: String? = nil,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let sql = try store.sql(predicate)
    if let text { #expect(sql.text.replacing("\"", with: "") == text, sourceLocation: location) }
    let expected = try store.items.filter(predicate.evaluate).compactMap(\._$identifier.row)
    #expect(try store.rows(predicate) == expected, "\(sql.text)", sourceLocation: location)
  }

  @Test func equality() throws {
    let name = "ab"
    let note: String? = "a"
    let none: String? = nil
    let count = 7
    let kind = Kind.home
    let uid = Pool.uuids[1]
    let size = 0.1
    let date = Date(timeIntervalSinceReferenceDate: 1)
    try expect(#Predicate { $0.name == name }, "t0.name = ?")
    try expect(#Predicate { $0.note == note }, "t0.note IS ?")
    try expect(#Predicate { $0.note == none }, "t0.note IS ?")
    try expect(#Predicate { $0.uid == uid }, "t0.uid = ?")
    try expect(#Predicate { $0.name == name && $0.count == count }, "t0.name = ? AND t0.count = ?")
    try expect(
      #Predicate { $0.name == name && $0.size == size && $0.date == date && $0.flag == true },
      "t0.name = ? AND t0.size = ? AND t0.date = ? AND t0.flag = ?")
    try expect(#Predicate { $0.name == "ab" }, "t0.name = ?")
    try expect(#Predicate { $0.count == 7 }, "t0.count = ?")
    try expect(#Predicate { $0.name != name }, "t0.name <> ?")
    try expect(#Predicate { $0.note != note }, "t0.note IS NOT ?")
    try expect(#Predicate { $0.name == "a" || $0.name == "b" || $0.note == "ab" })
    try expect(#Predicate { $0.kind == kind }, "t0.kind = ?")
    try expect(#Predicate { $0.optKind == kind }, "t0.optKind IS ?")
    try expect(#Predicate { $0.kind.rawValue == "home" }, "t0.kind = ?")
    let level = Level.high
    try expect(#Predicate { $0.level == level }, "t0.level = ?")
  }

  @Test func identity() throws {
    let id = store.items[3]._$identifier
    try expect(#Predicate { $0.persistentModelID == id }, "t0.id = ?")
    try expect(#Predicate { $0.id == id }, "t0.id = ?")
    try expect(#Predicate { $0.name != "a" && $0.id != id }, "t0.name <> ? AND t0.id <> ?")
    let foreign = PersistentIdentifier(
      token: .interned(store: "other", entity: "Item"), row: id.row!)
    try expect(#Predicate { $0.persistentModelID == foreign })
    let new = Item()._$identifier
    try expect(#Predicate { $0.persistentModelID != new })
    #expect(try store.rows(#Predicate<Item> { $0.id == id }) == [id.row!])
    // A property with the name `id` is not the identifier.
    #expect(try store.sql(#Predicate<Group> { $0.id == 3 }).text == #""t0"."id" = ?"#)
    let group = store.groups[2]._$identifier
    #expect(
      try store.sql(#Predicate<Group> { $0.persistentModelID == group }).text
        == #""t0"."_id" = ?"#)
  }

  @Test func booleans() throws {
    let yes = true
    let no = false
    try expect(#Predicate { $0.flag }, "t0.flag = 1")
    try expect(#Predicate { !$0.flag }, "t0.flag = 0")
    try expect(#Predicate { $0.flag == false }, "t0.flag = ?")
    try expect(#Predicate { !$0.flag && $0.name == "a" }, "t0.flag = 0 AND t0.name = ?")
    try expect(#Predicate { $0.optFlag == true })
    try expect(#Predicate { $0.optFlag != true })
    try expect(#Predicate { $0.optFlag ?? false })
    try expect(#Predicate { !($0.optFlag ?? true) })
    try expect(#Predicate { _ in true }, "?")
    try expect(#Predicate { _ in false }, "?")
    // Captured flags determine the remaining terms.
    try expect(#Predicate { (yes || !$0.flag) && (no || $0.count == 1) }, "t0.count = ?")
    try expect(#Predicate { (no || !$0.flag) && (!no || $0.count == 1) }, "t0.flag = 0")
  }

  @Test func nils() throws {
    let text = "ab"
    let day = Date(timeIntervalSinceReferenceDate: 1)
    try expect(#Predicate { $0.note != nil }, "t0.note IS NOT NULL")
    try expect(#Predicate { $0.note == nil }, "t0.note IS NULL")
    try expect(#Predicate { $0.note == nil || $0.note == text }, "t0.note IS NULL OR t0.note IS ?")
    try expect(#Predicate { $0.note == nil || $0.note != text })
    try expect(
      #Predicate { $0.optDate == nil || $0.optDate! < day }, "t0.optDate IS NULL OR t0.optDate < ?")
    try expect(
      #Predicate { $0.optDate != nil && $0.optDate! >= day },
      "t0.optDate IS NOT NULL AND t0.optDate >= ?")
    try expect(#Predicate { $0.group == nil }, "t0.group IS NULL")
    try expect(#Predicate { $0.group != nil || $0.note != nil })
    try expect(#Predicate { $0.photo == nil }, "t0.photo IS NULL")
    try expect(#Predicate { $0.group?.rank == nil })
    try expect(#Predicate { !($0.optDate != nil && $0.optDate! >= day) })
    try expect(
      #Predicate { if let date = $0.optDate { date >= day } else { false } }, "t0.optDate >= ?")
    try expect(#Predicate { if let date = $0.optDate { date >= day } else { true } })
    try expect(#Predicate { $0.optDate != nil ? $0.optDate! > day : $0.flag })
  }

  @Test func ranges() throws {
    let low = -1
    let high = 7
    let start = Date(timeIntervalSinceReferenceDate: 0)
    let end = Date(timeIntervalSinceReferenceDate: 1)
    try expect(#Predicate { $0.date >= start }, "t0.date >= ?")
    try expect(#Predicate { $0.date < end }, "t0.date < ?")
    try expect(#Predicate { $0.count > 1 }, "t0.count > ?")
    try expect(#Predicate { $0.date >= start && $0.date < end && $0.name != "a" })
    try expect(#Predicate { (low...high).contains($0.count) }, "t0.count >= ? AND t0.count <= ?")
    try expect(#Predicate { (low..<high).contains($0.count) }, "t0.count >= ? AND t0.count < ?")
    let span = start...end
    try expect(#Predicate { span.contains($0.date) }, "t0.date >= ? AND t0.date <= ?")
    try expect(#Predicate { $0.count > $0.optCount ?? 0 }, "t0.count > COALESCE(t0.optCount, ?)")
    try expect(#Predicate { $0.name < $0.note ?? "b" })
  }

  @Test func capturedCollections() throws {
    let names = ["a", "ab", "zz"]
    let ids = Set(store.items.prefix(5).map(\._$identifier))
    let uids = [Pool.uuids[0], Pool.uuids[2]]
    let notes: [String?] = ["a", nil]
    let none: [String] = []
    let kinds: Set<Kind> = [.home, .other]
    let sizes = [0.1, -.infinity, .nan, -0.0]
    let blobs = [Data([0]), Data()]
    let dates = [Date(timeIntervalSinceReferenceDate: 0.1)]
    let big: [UInt64] = [.max, 1]
    let prices = [Decimal(string: "0.10")!]
    let list = "IN (SELECT value FROM json_each(?))"
    try expect(#Predicate { names.contains($0.name) }, "t0.name \(list)")
    try expect(#Predicate { ids.contains($0.persistentModelID) }, "t0.id \(list)")
    try expect(#Predicate { ids.contains($0.id) }, "t0.id \(list)")
    try expect(#Predicate { !ids.contains($0.id) }, "NOT (t0.id \(list))")
    try expect(#Predicate { uids.contains($0.uid) }, "t0.uid \(list)")
    try expect(#Predicate { $0.flag && names.contains($0.name) })
    try expect(#Predicate { ($0.flag && !names.contains($0.name)) || !$0.flag })
    try expect(#Predicate { $0.flag || (!$0.flag && !none.contains($0.name)) })
    try expect(#Predicate { notes.contains($0.note) }, "t0.note IS NULL OR t0.note \(list)")
    try expect(#Predicate { !notes.contains($0.note) })
    try expect(#Predicate { if let note = $0.note { names.contains(note) } else { false } })
    try expect(#Predicate { kinds.contains($0.kind) })
    try expect(#Predicate { sizes.contains($0.size) })
    try expect(#Predicate { blobs.contains($0.data) })
    try expect(#Predicate { dates.contains($0.date) })
    try expect(#Predicate { big.contains($0.big) })
    try expect(#Predicate { prices.contains($0.price) })
    try expect(#Predicate { none.contains($0.name) })
    try expect(#Predicate { none.isEmpty || none.contains($0.name) })
    let many = Array(-50_000...50_000)
    try expect(#Predicate { many.contains($0.count) })
  }

  @Test func throughToOne() throws {
    let group = store.groups[1]
    let id: PersistentIdentifier? = group._$identifier
    let own = 1
    let names = ["a", "b"]
    try expect(#Predicate { $0.group?.persistentModelID == id }, "t0.group IS ?")
    let none: PersistentIdentifier? = nil
    try expect(#Predicate { $0.group?.persistentModelID == none }, "t0.group IS ?")
    try expect(
      #Predicate { $0.group?.id == own },
      "t0.group IS NOT NULL AND t0.group IN (SELECT _id FROM Group WHERE id = ?)")
    try expect(
      #Predicate { $0.group?.title == "a" },
      "(SELECT r.title FROM Group AS r WHERE r._id = t0.group) IS ?")
    try expect(#Predicate { $0.group?.title == "a" && $0.flag == false })
    try expect(#Predicate { $0.group?.flag != true })
    try expect(#Predicate { $0.group?.parent?.title == "a" })
    try expect(#Predicate { $0.group?.parent?.parent == nil })
    try expect(#Predicate { $0.group?.rank == nil && $0.name != "a" })
    try expect(#Predicate { $0.owner.name == "a" })
    try expect(#Predicate { $0.owner.name == "a" && $0.note == nil })
    try expect(#Predicate { $0.owner.best?.title == "a" })
    try expect(
      #Predicate { if let best = $0.owner.best { best.flag && best.id > 1 } else { false } })
    try expect(#Predicate { $0.group.flatMap { names.contains($0.title) } ?? false })
    try expect(#Predicate { $0.group != nil && $0.group!.flag })
    try expect(
      #Predicate {
        if let group = $0.group, let parent = group.parent {
          parent.id == own && group.flag
        } else {
          false
        }
      })
    // Not in the predicate above, which would take the compiler three seconds.
    try expect(#Predicate { if let group = $0.group { group.parent?.id == 0 } else { false } })
    let owner = store.items[0].owner._$identifier
    try expect(#Predicate { $0.owner.persistentModelID == owner }, "t0.owner = ?")
    try expect(#Predicate { $0.group == $0.owner.best })
  }

  @Test func toMany() throws {
    let names = ["a", "ab"]
    let text = "a"
    try expect(#Predicate { $0.parts.contains { $0.title == "a" } })
    try expect(
      #Predicate { $0.labels.contains { $0.text.contains(text) } || $0.name.contains(text) })
    try expect(#Predicate { $0.parts.isEmpty })
    try expect(#Predicate { !$0.parts.isEmpty })
    try expect(#Predicate { $0.parts.isEmpty == false })
    try expect(#Predicate { $0.parts.count == 2 && $0.labels.count == 1 })
    try expect(#Predicate { $0.parts.filter { names.contains($0.title) }.count == 1 })
    try expect(#Predicate { $0.parts.filter { $0.weight == nil }.isEmpty })
    try expect(#Predicate { $0.parts.allSatisfy { $0.weight ?? 0 < 3 } })
    try expect(#Predicate { $0.parts.contains { $0.maker?.name == "a" } })
    try expect(#Predicate { $0.optParts?.isEmpty ?? true })
    try expect(#Predicate { ($0.optParts?.count ?? 0) == 2 })
    try expect(#Predicate { $0.optParts?.contains { $0.amount > 0 } ?? false })
    try expect(#Predicate { item in item.parts.contains { $0.title == item.name } })
    try expect(
      #Predicate { item in
        item.group?.items.contains { other in other.parts.contains { $0.title == item.name } }
          ?? false
      })
    try expect(
      #Predicate { $0.parts.filter { $0.weight != nil && $0.weight! > 1 }.count > $0.labels.count })
  }

  @Test func search() throws {
    let text = "a"
    let empty = ""
    let key = 0
    try expect(#Predicate { $0.name.contains(text) }, "swift_contains(t0.name, ?)")
    try expect(#Predicate { $0.name.starts(with: text) }, "swift_starts(t0.name, ?)")
    try expect(#Predicate { $0.note?.contains(text) ?? false }, "swift_contains(t0.note, ?)")
    try expect(#Predicate { $0.note?.contains(text) == true })
    try expect(#Predicate { $0.group?.title == "a" && $0.name.contains(text) })
    try expect(#Predicate { if empty.isEmpty { true } else { $0.name.contains(empty) } })
    try expect(
      #Predicate { text.isEmpty ? true : ($0.name.contains(text) || $0.owner.name.contains(text)) })
    try expect(
      #Predicate {
        (key == 0 || $0.count == key) && $0.flag && (empty == "" || $0.name.contains(empty))
      }, "t0.flag = 1")
    try expect(#Predicate { text.contains($0.name) })
    try expect(#Predicate { $0.name.isEmpty }, "t0.name = ''")
    try expect(#Predicate { $0.name.count > 1 }, "swift_count(t0.name) > ?")
    let letter: Character = "a"
    try expect(#Predicate { $0.name.contains(letter) })
    try expect(#Predicate { $0.name.first == letter })
    try expect(#Predicate { $0.letter == letter })
  }

  @Test func localizedSearch() throws {
    let text = "ZÜ"
    try expect(
      #Predicate { $0.name.localizedStandardContains(text) }, "swift_localized_contains(t0.name, ?)"
    )
    try expect(#Predicate { $0.note?.localizedStandardContains(text) ?? true })
    try expect(#Predicate { text.isEmpty || $0.name.localizedStandardContains(text) })
    let predicate = #Predicate<Item> { $0.name.localizedStandardContains(text) }
    #expect(!"\(predicate)".isEmpty)
    #expect(!(try store.rows(predicate)).isEmpty)
  }

  @Test func arithmetic() throws {
    let two = 2
    let half = 0.5
    let infinity = Double.infinity
    try expect(#Predicate { ($0.optCount ?? 0) + two > 3 })
    try expect(#Predicate { ($0.optCount ?? 0) * two - 1 == 1 })
    try expect(#Predicate { $0.size * half > 0.1 })
    try expect(#Predicate { $0.size / half == infinity })
    try expect(#Predicate { -$0.size < half })
    try expect(#Predicate { ($0.optCount ?? 5) / 2 == 1 })
    try expect(#Predicate { ($0.optCount ?? 5) % 2 == -1 })
  }

  @Test func refused() throws {
    let tag = "a"
    let city = "x"
    let level = Level.low
    func expectRefused(_ predicate: Predicate<Item>, at location: SourceLocation = #_sourceLocation) {
      #expect(throws: Untranslatable.self, sourceLocation: location) { try store.sql(predicate) }
    }
    expectRefused(#Predicate { $0.optDate! > $0.date })
    expectRefused(#Predicate { $0.optDate! > $0.date && $0.optDate != nil })
    expectRefused(#Predicate { $0.tags.first == tag })
    expectRefused(#Predicate { $0.address.city == city })
    expectRefused(#Predicate { $0.kind.title == "HOME" })
    expectRefused(#Predicate { $0.level < level })
    expectRefused(#Predicate { $0.scratch == 0 })
    let photo = Data()
    expectRefused(#Predicate { $0.photo == photo })
    expectRefused(#Predicate { ($0.count...7).contains(3) })
    expectRefused(#Predicate { $0.parts.first?.title == "a" })
  }

  @Test func types() throws {
    for (index, wheels) in [4, 3, 4, 2].enumerated() {
      let vehicle =
        index % 2 == 0
        ? Car(Car._$definition, wheels: wheels) : Vehicle(Vehicle._$definition, wheels: wheels)
      (vehicle as? Car)?.doors = index
      try store.add(vehicle)
    }
    for predicate: Predicate<Vehicle> in [
      #Predicate { $0 is Car }, #Predicate { !($0 is Car) },
      #Predicate { $0.wheels == 4 && $0 is Car },
      #Predicate { ($0 as? Car)?.doors == 2 }, #Predicate { ($0 as? Car)?.wheels != 4 },
      #Predicate { if let car = $0 as? Car { car.doors > 0 } else { true } },
    ] {
      let expected = try store.vehicles.filter(predicate.evaluate).compactMap(\._$identifier.row)
      let text = try store.sql(predicate).text
      #expect(try store.rows(predicate) == expected, "\(text)")
    }
  }
}
