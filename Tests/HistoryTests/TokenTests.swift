import Foundation
import Testing
import Trellis

/// Tests of positions in histories.
struct TokenTests {
  @Test(arguments: StoreKind.allCases) func S110_tokensCanBeSavedBetweenRuns(kind: StoreKind) throws {
    let fixture = try HistoryFixture(kind)
    fixture.context.insert(Label(text: "a"))
    try fixture.context.save()
    let token = try #require(fixture.all().last?.token)
    let kept = try JSONEncoder().encode(token)
    fixture.context.insert(Label(text: "b"))
    try fixture.context.save()
    let restored = try JSONDecoder().decode(DefaultHistoryToken.self, from: kept)
    #expect(restored == token && restored.hashValue == token.hashValue && restored.id == token.id)
    let context = ModelContext(try fixture.another())
    let news = try context.fetchHistory(
      HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > restored }))
    #expect(news.map(\.id) == [2])
    #expect(news[0].token > restored && !(restored > news[0].token))
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(DefaultHistoryToken.self, from: Data("{}".utf8))
    }
  }

  @Test(arguments: StoreKind.allCases) func S111_tokensApplyToTheirOwnStore(kind: StoreKind) throws {
    let (one, other) = (try HistoryFixture(kind), try HistoryFixture(kind))
    for fixture in [one, one, other] {
      fixture.context.insert(Label(text: "x"))
      try fixture.context.save()
    }
    let token = try #require(one.all().last?.token)
    // If a token does not contain a store, all of that store's transactions come after the token.
    #expect(try other.since(token).count == 1)
    let before = try other.context.fetchHistory(
      HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token < token || $0.token <= token }))
    #expect(before.isEmpty)
    try other.context.deleteHistory(
      HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token <= token }))
    #expect(try other.all().count == 1)
  }

  @Test func S111_severalStores_onePositionEach() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "trellis-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let labels = ModelConfiguration(
      "labels", schema: Schema([Document.self, Report.self]), url: folder.appending(path: "a.store"))
    let others = Schema([Parcel.self, Item.self, Label.self, Stamp.self, Stop.self])
    let stamps = ModelConfiguration("stamps", schema: others, url: folder.appending(path: "b.store"))
    let container = try ModelContainer(
      for: Schema([Parcel.self, Item.self, Label.self, Stamp.self, Stop.self, Document.self, Report.self]),
      configurations: [labels, stamps])
    let context = ModelContext(container)
    func save(_ model: any PersistentModel) throws {
      func insert<M: PersistentModel>(_ model: M) { context.insert(model) }
      insert(model)
      try context.save()
    }
    func since(_ token: DefaultHistoryToken?) throws -> [DefaultHistoryTransaction] {
      guard let token else { return try context.fetchHistory(HistoryDescriptor()) }
      return try context.fetchHistory(HistoryDescriptor(predicate: #Predicate { $0.token > token }))
    }
    try save(Document(title: "a"))
    try save(Label(text: "b"))
    try save(Document(title: "c"))
    let all = try since(nil)
    #expect(all.map(\.id) == [1, 1, 2])
    #expect(all.last?.token.tokenValue?.count == 2)
    var token = all.last?.token
    #expect(try since(token).isEmpty)
    #expect(try since(all[0].token).map { $0.changes[0].text } == ["insert Label", "insert Document"])
    try save(Label(text: "d"))
    var news = try since(token)
    #expect(news.map { $0.changes[0].text } == ["insert Label"])
    token = news.last?.token
    try save(Document(title: "e"))
    news = try since(token)
    #expect(news.map { $0.changes[0].text } == ["insert Document"])
    // One save with models of both stores is one transaction in each store.
    context.insert(Document(title: "f"))
    context.insert(Label(text: "g"))
    try context.save()
    #expect(try since(news.last?.token).count == 2)
  }

  /// Setting the clock back does not change the order within a store. No transaction is skipped.
  @Test func S111_severalStores_andAClockThatIsSetBack() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "trellis-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let parcels = Schema([Parcel.self, Item.self, Label.self, Stamp.self, Stop.self])
    let documents = ModelConfiguration(
      "documents", schema: Schema([Document.self, Report.self]), url: folder.appending(path: "a.store"))
    let others = ModelConfiguration("others", schema: parcels, url: folder.appending(path: "b.store"))
    do {
      let context = ModelContext(try ModelContainer(for: parcels, configurations: others))
      for number in 1...3 {
        context.insert(Label(text: "\(number)"))
        try context.save()
      }
    }
    try HistoryFixture.sql("UPDATE trellis_history SET time = time - 1000 * id", in: others.url)
    let container = try ModelContainer(
      for: Schema([Parcel.self, Item.self, Label.self, Stamp.self, Stop.self, Document.self, Report.self]),
      configurations: [documents, others])
    let context = ModelContext(container)
    context.insert(Document(title: "a"))
    try context.save()
    let all = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(all.map(\.id) == [1, 2, 3, 1])
    for (index, transaction) in all.enumerated() {
      let token = transaction.token
      let rest = try context.fetchHistory(
        HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token }))
      #expect(rest.count == all.count - index - 1)
    }
  }

  @Test(arguments: StoreKind.allCases) func S114_S115_deletedHistory(kind: StoreKind) throws {
    let fixture = try HistoryFixture(kind)
    for number in 1...5 {
      fixture.context.author = number == 3 ? "import" : nil
      fixture.context.insert(Label(text: "\(number)"))
      try fixture.context.save()
    }
    let tokens = try fixture.all().map(\.token)
    let third = tokens[2]
    try fixture.context.deleteHistory(
      HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token < third }))
    #expect(try fixture.all().map(\.id) == [3, 4, 5])
    #expect(try fixture.context.fetchCount(FetchDescriptor<Label>()) == 5)
    #expect(try fixture.since(tokens[1]).map(\.id) == [3, 4, 5])
    #expect(try fixture.since(third).map(\.id) == [4, 5])
    do {
      _ = try fixture.since(tokens[0])
      Issue.record("the token is not expired")
    } catch SwiftDataError.historyTokenExpired {
      // The expected error.
    }
    // Delete all transactions. The numbering continues.
    try fixture.context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(try fixture.all().isEmpty)
    #expect(try fixture.since(tokens[4]).isEmpty)
    fixture.context.insert(Label(text: "6"))
    try fixture.context.save()
    #expect(try fixture.since(tokens[4]).map(\.id) == [6])
    #expect(throws: SwiftDataError.self) { try fixture.since(tokens[3]) }
  }

  @Test(arguments: StoreKind.allCases) func deletionWithALimit_andByAPredicateEvaluatedInSwift(kind: StoreKind) throws {
    let fixture = try HistoryFixture(kind)
    for number in 1...6 {
      for _ in 0..<number { fixture.context.insert(Label(text: "\(number)")) }
      try fixture.context.save()
    }
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
    descriptor.fetchLimit = 2
    try fixture.context.deleteHistory(descriptor)
    #expect(try fixture.all().map(\.id) == [3, 4, 5, 6])
    try fixture.context.deleteHistory(
      HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.changes.count == 4 }))
    #expect(try fixture.all().map(\.id) == [3, 5, 6])
  }

  @Test func tokensOfALaterState_areExpired() throws {
    let fixture = try HistoryFixture()
    fixture.context.insert(Label(text: "a"))
    try fixture.context.save()
    let copy = try fixture.sql("PRAGMA wal_checkpoint(TRUNCATE)")
    _ = copy
    let saved = try Data(contentsOf: fixture.url)
    fixture.context.insert(Label(text: "b"))
    try fixture.context.save()
    let token = try #require(fixture.all().last?.token)
    // Restore an older copy of the file.
    let other = fixture.folder.appending(path: "older.store")
    try saved.write(to: other)
    let store = try DefaultStore(ModelConfiguration(schema: fixture.container.schema, url: other))
    #expect(store.identifier == token.tokenValue?.keys.first)
    #expect(throws: SwiftDataError.self) {
      try store.fetchHistory(HistoryDescriptor(predicate: #Predicate { $0.token > token }))
    }
  }

  @Test(arguments: StoreKind.allCases) func erasingExpiresTokens(kind: StoreKind) throws {
    let fixture = try HistoryFixture(kind)
    fixture.context.insert(Label(text: "a"))
    try fixture.context.save()
    let token = try #require(fixture.all().last?.token)
    try fixture.container.erase()
    #expect(try fixture.all().isEmpty)
    #expect(throws: SwiftDataError.self) { try fixture.since(token) }
    fixture.context.insert(Label(text: "b"))
    try fixture.context.save()
    #expect(try fixture.all().map { $0.changes.count } == [1])
  }
}
