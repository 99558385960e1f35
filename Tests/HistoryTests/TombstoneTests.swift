import Foundation
import Testing
import Trellis

/// Tests of the preserved values of deleted models.
struct TombstoneTests {
  private let full = Parcel.Address(street: "Gata 1", city: "Bergen")

  @Test(arguments: StoreKind.allCases) func S113_preservedValues_byKeyPathAndByIteration(kind: StoreKind) throws {
    let fixture = try HistoryFixture(kind)
    let picture = Data(repeating: 7, count: 200_000)
    let date = Date(timeIntervalSinceReferenceDate: 0.1)
    let parcel = Parcel(
      code: "e\u{301}", weight: .infinity, state: .lost, address: full, words: ["a", "b"], picture: picture,
      sentOn: date, serial: .max, note: "not kept")
    fixture.context.insert(parcel)
    try fixture.context.save()
    fixture.context.delete(parcel)
    try fixture.context.save()
    let tombstone = try #require(try deletion(fixture)).tombstone
    #expect((tombstone[\.code] as? String)?.unicodeScalars.count == 2)
    #expect(tombstone[\.weight] as? Double == .infinity)
    #expect(tombstone[\.state] as? Parcel.State == .lost)
    #expect(tombstone[\.address] as? Parcel.Address == full)
    #expect(tombstone[\.words] as? [String] == ["a", "b"])
    #expect(tombstone[\.picture] as? Data == picture)
    #expect(tombstone[\.sentOn] as? Date == date)
    #expect(tombstone[\.serial] as? UInt64 == .max)
    #expect(tombstone[\.note] == nil && tombstone[\.count] == nil)
    #expect(Array(tombstone).count == 8)
    // The external file of the picture was deleted with the row.
    guard kind == .file else { return }
    let files = try FileManager.default.contentsOfDirectory(atPath: fixture.url.path + "-external")
    #expect(files.filter { $0 != "pending" }.isEmpty)
  }

  /// If another row takes over a deleted row's unique value in the same save, the deleted row's value is cleared first.
  @Test(arguments: StoreKind.allCases) func valueTakenOverByAnotherModel(kind: StoreKind) throws {
    let fixture = try HistoryFixture(kind)
    let (old, new) = (Parcel(code: "a"), Parcel(code: "b"))
    fixture.context.insert(old)
    fixture.context.insert(new)
    try fixture.context.save()
    fixture.context.delete(old)
    new.code = "a"
    try fixture.context.save()
    #expect(try #require(try deletion(fixture)).tombstone[\.code] as? String == "a")
  }

  @Test(arguments: StoreKind.allCases) func nilValues(kind: StoreKind) throws {
    let fixture = try HistoryFixture(kind)
    let parcel = Parcel(code: "a")
    fixture.context.insert(parcel)
    try fixture.context.save()
    fixture.context.delete(parcel)
    try fixture.context.save()
    let tombstone = try #require(try deletion(fixture)).tombstone
    #expect(tombstone[\.weight] as? Double == nil && tombstone[\.address] as? Parcel.Address == nil)
    #expect(tombstone[\.code] as? String == "a")
    #expect(Array(tombstone).count == 8 && tombstone[\.picture] is Data?)
  }

  @Test(arguments: StoreKind.allCases) func S134_inheritedValuesOfSubclasses(kind: StoreKind) throws {
    let fixture = try HistoryFixture(kind)
    let report = Report(title: "Year", year: 1999)
    fixture.context.insert(report)
    try fixture.context.save()
    report.title = "Old"
    report.author = "me"
    try fixture.context.save()
    #expect(try fixture.last() == ["update Report: title, author"])
    fixture.context.delete(report)
    try fixture.context.save()
    guard case .delete(let change as DefaultHistoryDelete<Report>)? = try fixture.all().last?.changes.first
    else {
      Issue.record("no deletion of a report")
      return
    }
    #expect(change.tombstone[\.title] as? String == "Old")
    #expect(change.tombstone[\.year] as? Int == 1999)
    #expect(change.tombstone[\.pages] == nil)
  }

  @Test(arguments: [false, true]) func cascades(isRegistered: Bool) throws {
    let fixture = try HistoryFixture()
    let parcel = Parcel(code: "a")
    fixture.context.insert(parcel)
    for number in 0..<3 { fixture.context.insert(Item(name: "item \(number)", parcel: parcel)) }
    fixture.context.insert(Label(text: "x", parcel: parcel))
    for place in ["Oslo", "Bergen"] { fixture.context.insert(Stop(place: place, parcel: parcel)) }
    try fixture.context.save()
    let context = ModelContext(fixture.container)
    let found = try #require(try context.fetch(FetchDescriptor<Parcel>()).first)
    let items = isRegistered ? try context.fetch(FetchDescriptor<Item>()) : []
    let others: [any PersistentModel] =
      isRegistered ? try context.fetch(FetchDescriptor<Label>()) + context.fetch(FetchDescriptor<Stop>()) : []
    context.delete(found)
    try context.save()
    withExtendedLifetime((items, others)) {}
    let changes = try #require(fixture.all().last).changes
    var names = Set<String>()
    for case .delete(let change as DefaultHistoryDelete<Item>) in changes {
      names.insert(change.tombstone[\.name] as? String ?? "")
    }
    #expect(names == ["item 0", "item 1", "item 2"])
    #expect(changes.count { $0.text.hasPrefix("delete Parcel") } == 1)
    #expect(
      changes.map(\.text).filter { $0.hasPrefix("update") }.sorted()
        == ["update Label: parcel", "update Stop: parcel", "update Stop: parcel"])
  }

  @Test(arguments: StoreKind.allCases) func tombstonesOfManyRows(kind: StoreKind) throws {
    let fixture = try HistoryFixture(kind)
    try fixture.context.transaction {
      for number in 0..<2_000 { fixture.context.insert(Item(name: "\(number)")) }
    }
    try fixture.context.delete(model: Item.self, where: #Predicate { $0.price == 0 })
    try fixture.context.save()
    var names = Set<String>()
    for case .delete(let change as DefaultHistoryDelete<Item>) in try #require(fixture.all().last).changes {
      names.insert(change.tombstone[\.name] as? String ?? "")
    }
    #expect(names.count == 2_000)
  }

  @Test func byPredicateInTheStore() throws {
    let fixture = try HistoryFixture()
    for number in 0..<10 { fixture.context.insert(Report(title: "r\(number)", year: 2000 + number)) }
    fixture.context.insert(Document(title: "d"))
    try fixture.context.save()
    let store = try DefaultStore(ModelConfiguration(schema: fixture.container.schema, url: fixture.url))
    try store.delete(
      DataStoreBatchDeleteRequest<Document>(
        predicate: #Predicate { $0.title > "r4" || $0.title == "d" }, editingState: EditingState(author: "me")))
    let last = try #require(try store.fetchHistory(HistoryDescriptor()).last)
    #expect(last.author == "me")
    #expect(last.changes.map(\.text) == ["delete Document: d"] + (5..<10).map { "delete Report: r\($0), \(2000 + $0)" })
  }

  private func deletion(_ fixture: HistoryFixture) throws -> DefaultHistoryDelete<Parcel>? {
    for case .delete(let change as DefaultHistoryDelete<Parcel>) in try fixture.all().last?.changes ?? [] {
      return change
    }
    return nil
  }
}
