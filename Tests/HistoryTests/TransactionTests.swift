import Foundation
import Testing
import Trellis

/// Tests of the history of a save.
struct TransactionTests {
  @Test(arguments: StoreKind.allCases) func S104_oneSaveIsOneTransaction_inOrder(kind: StoreKind) throws {
    let began = Date(timeIntervalSinceNow: -60)
    let fixture = try HistoryFixture(kind)
    let parcel = Parcel(code: "a", note: "first")
    fixture.context.insert(parcel)
    fixture.context.insert(Item(name: "cup", parcel: parcel))
    try fixture.context.save()
    parcel.note = "second"
    try fixture.context.save()
    try fixture.context.save()
    let all = try fixture.all()
    #expect(all.count == 2)
    #expect(all[0].changes.map(\.text) == ["insert Parcel", "insert Item"])
    #expect(all[1].changes.map(\.text) == ["update Parcel: note"])
    #expect(all[0].token < all[1].token && all[0].id < all[1].id)
    #expect(all[0].timestamp <= all[1].timestamp)
    #expect((began...Date(timeIntervalSinceNow: 60)).contains(all[1].timestamp))
    #expect(all[0].processIdentifier == "\(ProcessInfo.processInfo.processIdentifier)")
    #expect(!all[0].bundleIdentifier.isEmpty)
    #expect(all.map(\.isComplete) == [true, true])
  }

  @Test(arguments: StoreKind.allCases) func S105_S118_historyIsOnByDefault_andSeenByOthers(kind: StoreKind) throws {
    let fixture = try HistoryFixture(kind)
    fixture.context.insert(Label(text: "x"))
    try fixture.context.save()
    let other = ModelContext(try fixture.another())
    let seen = try other.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(seen.map(\.changes.count) == [1])
    #expect(DefaultStore.historyType == DefaultHistoryTransaction.self)
    let label = try #require(try other.fetch(FetchDescriptor<Label>()).first)
    #expect(label.persistentModelID == seen[0].changes[0].changedPersistentIdentifier)
  }

  @Test(arguments: StoreKind.allCases) func S106_changesCarryTheConcreteClassAndTheIdentifier(kind: StoreKind) throws {
    let fixture = try HistoryFixture(kind)
    let report = Report(title: "Year", year: 2025)
    let document = Document(title: "Plain")
    fixture.context.insert(report)
    fixture.context.insert(document)
    fixture.context.insert(Stamp(motif: "ship"))
    try fixture.context.save()
    let changes = try #require(fixture.all().first).changes
    #expect(Set(changes.map(\.text)) == ["insert Report", "insert Document", "insert Stamp"])
    var found: PersistentIdentifier?
    for case .insert(let insert as DefaultHistoryInsert<Report>) in changes {
      found = insert.changedPersistentIdentifier
    }
    #expect(found == report.persistentModelID)
    #expect(Set(changes.map(\.changedPersistentIdentifier)).contains(document.persistentModelID))
  }

  @Test(arguments: StoreKind.allCases) func S109_theAuthorOfTheContext(kind: StoreKind) throws {
    let fixture = try HistoryFixture(kind)
    fixture.context.insert(Label(text: "a"))
    try fixture.context.save()
    fixture.context.author = "widget"
    fixture.context.insert(Label(text: "b"))
    try fixture.context.save()
    #expect(try fixture.all().map(\.author) == [nil, "widget"])
  }

  @Test(arguments: StoreKind.allCases) func S112_updatesListExactlyWhatChanged(kind: StoreKind) throws {
    let fixture = try HistoryFixture(kind)
    let parcel = Parcel(code: "a", note: "n", count: 1)
    fixture.context.insert(parcel)
    try fixture.context.save()
    parcel.note = "n"
    parcel.count = 2
    try fixture.context.save()
    #expect(try fixture.last() == ["update Parcel: count"])
    parcel.note = "other"
    parcel.note = "n"
    parcel.weight = 2
    try fixture.context.save()
    #expect(try fixture.last() == ["update Parcel: weight"])
    let update = try #require(fixture.all().last?.changes.first)
    guard case .update(let typed as DefaultHistoryUpdate<Parcel>) = update else {
      Issue.record("no update of a parcel")
      return
    }
    #expect(typed.containsAttribute(\.weight) && !typed.containsAttribute(\.note))
    #expect(typed.updatedAttributes.count == 1)
  }

  @Test(arguments: StoreKind.allCases) func changedRelationships(kind: StoreKind) throws {
    let fixture = try HistoryFixture(kind)
    let parcel = Parcel(code: "a")
    let item = Item(name: "cup")
    let stamp = Stamp(motif: "ship")
    let stops = ["Oslo", "Bergen"].map { Stop(place: $0) }
    for model in [item] { fixture.context.insert(model) }
    fixture.context.insert(parcel)
    fixture.context.insert(stamp)
    for stop in stops { fixture.context.insert(stop) }
    try fixture.context.save()
    parcel.items.append(item)
    try fixture.context.save()
    #expect(try fixture.last() == ["update Item: parcel"])
    parcel.stamps = [stamp]
    try fixture.context.save()
    #expect(try Set(fixture.last()) == ["update Parcel: stamps", "update Stamp: parcels"])
    parcel.route = stops
    try fixture.context.save()
    #expect(
      try Set(fixture.last()) == ["update Parcel: route", "update Stop: parcel"])
    parcel.route = stops.reversed()
    try fixture.context.save()
    #expect(try fixture.last() == ["update Parcel: route"])
  }

  @Test(arguments: StoreKind.allCases) func S117_modelsAreListedOncePerTransaction(kind: StoreKind) throws {
    let fixture = try HistoryFixture(kind)
    let first = Parcel(code: "a")
    let second = Parcel(code: "b")
    let label = Label(text: "x")
    fixture.context.insert(first)
    fixture.context.insert(second)
    fixture.context.insert(label)
    first.label = label
    try fixture.context.save()
    second.label = label
    second.note = "has it"
    label.text = "y"
    try fixture.context.save()
    let changes = try #require(fixture.all().last).changes
    #expect(Set(changes.map(\.changedPersistentIdentifier)).count == changes.count)
    #expect(
      Set(changes.map(\.text)) == [
        "update Parcel: label", "update Parcel: note, label", "update Label: text, parcel",
      ])
  }

  @Test(arguments: StoreKind.allCases) func insertionAndDeletionBeforeASave_isNotRecorded(kind: StoreKind) throws {
    let fixture = try HistoryFixture(kind)
    let label = Label(text: "x")
    fixture.context.insert(label)
    fixture.context.delete(label)
    try fixture.context.save()
    #expect(try fixture.all().isEmpty)
  }

  /// Also applies to values in external files.
  @Test(arguments: StoreKind.allCases) func equalBytes_areNotAChange(kind: StoreKind) throws {
    let fixture = try HistoryFixture(kind)
    let (bytes, others) = (Data(repeating: 7, count: 200_000), Data(repeating: 8, count: 200_000))
    fixture.context.insert(Parcel(code: "a", picture: bytes))
    try fixture.context.save()
    for (picture, told) in [
      (bytes, []), (others, ["update Parcel: picture"]), (bytes.dropLast(), ["update Parcel: picture"]),
      (bytes.dropLast(), []), (nil, ["update Parcel: picture"]), (Data(), ["update Parcel: picture"]), (Data(), []),
    ] as [(Data?, [String])] {
      let context = ModelContext(fixture.container)
      let count = try fixture.all().count
      try #require(try context.fetch(FetchDescriptor<Parcel>()).first).picture = picture
      try context.save()
      #expect(try fixture.all().dropFirst(count).flatMap(\.changes).map(\.text) == told, "\(picture?.count ?? -1)")
    }
  }

  /// A list keeps no positions for deleted members after the save.
  @Test(arguments: StoreKind.allCases) func redoneDeletion_doesNotChangeTheList(kind: StoreKind) throws {
    let fixture = try HistoryFixture(kind)
    let context = fixture.context
    let undo = UndoManager()
    context.undoManager = undo
    let (parcel, stop) = (Parcel(code: "a"), Stop(place: "Bergen"))
    context.insert(parcel)
    context.insert(stop)
    parcel.route = [stop]
    try context.save()
    context.delete(stop)
    try context.save()
    let count = try fixture.all().count
    undo.undo()
    undo.redo()
    try context.save()
    #expect(try fixture.all().dropFirst(count).flatMap(\.changes).map(\.text) == [])
  }

  @Test(arguments: StoreKind.allCases) func failedSavesAreNotRecorded(kind: StoreKind) throws {
    let fixture = try HistoryFixture(kind)
    let item = Item(name: "a")
    fixture.context.insert(item)
    fixture.context.insert(Stamp(motif: "ship"))
    try fixture.context.save()
    fixture.context.delete(item)
    fixture.context.insert(Stamp(motif: "ship"))
    #expect(throws: SwiftDataError.self) { try fixture.context.save() }
    #expect(try fixture.all().count == 1)
    fixture.context.rollback()
    item.price = 3
    try fixture.context.save()
    #expect(try fixture.all().map(\.id) == [1, 2])
    #expect(try fixture.last() == ["update Item: price"])
    guard kind == .file else { return }
    #expect(try fixture.sql("SELECT COUNT(*) FROM trellis_tombstones") == "0")
  }

  @Test func inMemoryStoresHaveAHistory() throws {
    let fixture = try HistoryFixture(.memory)
    let label = Label(text: "x")
    fixture.context.insert(label)
    try fixture.context.save()
    fixture.context.delete(label)
    try fixture.context.save()
    #expect(try fixture.all().map { $0.changes.map(\.text) } == [["insert Label"], ["delete Label: "]])
  }

  @Test(arguments: StoreKind.allCases) func didSaveContainsHistoryTokens(kind: StoreKind) throws {
    let fixture = try HistoryFixture(kind)
    let tokens = Tokens()
    let observer = NotificationCenter.default.addObserver(
      forName: ModelContext.didSave, object: fixture.context, queue: nil
    ) { tokens.note($0.userInfo?[ModelContext.NotificationKey.historyTokens]) }
    defer { NotificationCenter.default.removeObserver(observer) }
    fixture.context.insert(Label(text: "x"))
    try fixture.context.save()
    let token = try #require(tokens.last)
    #expect(try fixture.all().last?.token.tokenValue == token.tokenValue)
    #expect(try fixture.since(token).isEmpty)
    fixture.context.insert(Label(text: "y"))
    try fixture.context.save()
    #expect(try fixture.since(token).map(\.changes.count) == [1])
  }

  private final class Tokens: @unchecked Sendable {  // used on one thread
    var last: DefaultHistoryToken?
    func note(_ value: Any?) {
      last = (value as? [String: any HistoryToken])?.values.first as? DefaultHistoryToken
    }
  }
}
