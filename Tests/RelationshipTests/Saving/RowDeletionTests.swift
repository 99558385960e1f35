import Foundation
import Synchronization
import Testing
import Trellis

/// `delete(model:where:)` of rows without objects: the context creates no models for them unless a later call needs
/// some.
@Suite struct RowDeletionTests {
  static let kinds: [StoreKind] = [.memory, .disk, .postgres]

  private func prepare(_ kind: StoreKind) throws -> StorePlace {
    let place = try StorePlace(kind, Account.self, Keyword.self, Gauge.self)
    let context = place.fresh()
    let keywords = ["x", "y"].map { Keyword(text: $0) }
    for number in 0..<6 {
      context.insert(Account(name: "a\(number)", keywords: [keywords[number % 2]]))
      context.insert(Gauge(level: Double(number)))
    }
    try context.save()
    return place
  }

  private func names(_ context: ModelContext) throws -> String {
    try context.fetch(FetchDescriptor<Account>()).map(\.name).sorted().joined(separator: " ")
  }

  private func registered(_ context: ModelContext) -> Bool { !context.debugDescription.contains("registered: 0") }

  @Test(arguments: kinds) func noObjectsAreCreated(_ kind: StoreKind) throws {
    let place = try prepare(kind)
    let context = place.fresh()
    try context.delete(model: Account.self, where: #Predicate { $0.name > "a2" })
    try context.delete(model: Account.self, where: #Predicate { $0.name > "a1" })
    try context.delete(model: Gauge.self)
    #expect(context.hasChanges && !registered(context))
    let told = Mutex(Set<PersistentIdentifier>())
    let observer = NotificationCenter.default.addObserver(
      forName: ModelContext.didSave, object: context, queue: nil
    ) { note in
      let deleted = note.userInfo?[ModelContext.NotificationKey.deletedIdentifiers.rawValue]
      told.withLock { $0.formUnion(deleted as? [PersistentIdentifier] ?? []) }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    try context.save()
    #expect(!context.hasChanges && !registered(context) && told.withLock { $0.count } == 10)
    #expect(try names(place.fresh()) == "a0 a1")
    #expect(try place.fresh().fetchCount(FetchDescriptor<Gauge>()) == 0)
    #expect(try place.fresh().fetch(FetchDescriptor<Keyword>()).map(\.accounts.count) == [1, 1])
  }

  enum Question: CaseIterable { case fetch, count, deleted, list, lookup }

  /// Every operation on models sees the deletion.
  @Test(arguments: kinds, Question.allCases)
  func theContextSeesTheDeletion(_ kind: StoreKind, _ question: Question) throws {
    let place = try prepare(kind)
    let context = place.fresh()
    try context.delete(model: Account.self, where: #Predicate { $0.name > "a1" })
    switch question {
    case .fetch: #expect(try names(context) == "a0 a1")
    case .count: #expect(try context.fetchCount(FetchDescriptor<Account>()) == 2)
    case .deleted: #expect(context.deletedModelsArray.count == 4)
    case .list:
      let keyword = try #require(try context.fetch(FetchDescriptor<Keyword>()).first)
      #expect(keyword.accounts.count == 1)
    case .lookup:
      let byName = FetchDescriptor<Account>(sortBy: [SortDescriptor(\.name)])
      let identifier = try #require(try place.fresh().fetchIdentifiers(byName).last)
      #expect(try context.existingModel(for: identifier, as: Account.self) == nil)
    }
    context.rollback()
    #expect(!context.hasChanges)
    #expect(try names(context) == "a0 a1 a2 a3 a4 a5")
  }

  /// A previously loaded list becomes shorter.
  @Test(arguments: kinds) func loadedListsLoseTheRows(_ kind: StoreKind) throws {
    let place = try prepare(kind)
    let context = place.fresh()
    let keyword = try #require(
      try context.fetch(FetchDescriptor<Keyword>(predicate: #Predicate { $0.text == "x" })).first)
    #expect(keyword.accounts.count == 3)
    try context.delete(model: Account.self, where: #Predicate { $0.name > "a1" })
    #expect(keyword.accounts.map(\.name) == ["a0"])
    try context.save()
    #expect(keyword.accounts.map(\.name) == ["a0"])
    #expect(try names(place.fresh()) == "a0 a1")
  }

  @Test(arguments: kinds) func rowsDeletedByOtherContextsAreDeletedOnce(_ kind: StoreKind) throws {
    let place = try prepare(kind)
    let (context, other) = (place.fresh(), place.fresh())
    try context.delete(model: Account.self, where: #Predicate { $0.name > "a1" })
    try other.delete(model: Account.self, where: #Predicate { $0.name > "a3" })
    try other.save()
    let token = try #require(try other.history.latestToken())
    try context.save()
    #expect(try names(place.fresh()) == "a0 a1")
    let changes = try context.history.changes(since: token, of: [Account.self]).changes
    #expect(changes.count == 2)
  }

  /// A transaction that throws undoes the deletion. Otherwise, the unique values of deleted rows can be reused.
  @Test(arguments: kinds) func throwingTransactionsAndReusedUniqueValues(_ kind: StoreKind) throws {
    struct Stop: Error {}
    let place = try prepare(kind)
    let context = place.fresh()
    #expect(throws: Stop.self) {
      try context.transaction {
        try context.delete(model: Account.self)
        throw Stop()
      }
    }
    #expect(!context.hasChanges)
    try context.delete(model: Account.self, where: #Predicate { $0.name > "a0" })
    context.insert(Account(name: "a1"))
    try context.save()
    #expect(try names(place.fresh()) == "a0 a1")
    #expect(try place.fresh().fetch(FetchDescriptor<Keyword>()).map(\.accounts.count).sorted() == [0, 1])
  }
}
