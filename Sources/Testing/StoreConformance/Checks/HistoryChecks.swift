import Foundation
import Trellis

/// Checks for stores that conform to ``HistoryProviding``.
extension ConformanceCheck {
  static let history: [ConformanceCheck] = [
    ConformanceCheck(.history, "tells of a save as one transaction", needsHistory: true) { store in
      try HistoryCheck.run(store) { try $0.oneSaveIsOneTransaction() }
    },
    ConformanceCheck(.history, "tells exactly which attributes were changed", needsHistory: true) { store in
      try HistoryCheck.run(store) { try $0.updatesNameWhatChanged() }
    },
    ConformanceCheck(.history, "keeps what outlives deleted models", needsHistory: true) { store in
      try HistoryCheck.run(store) { try $0.deletionsLeaveTombstones() }
    },
    ConformanceCheck(.history, "tells what came after a token", needsHistory: true) { store in
      try HistoryCheck.run(store) { try $0.tokensArePositions() }
    },
    ConformanceCheck(.history, "forgets, and says that a token is expired", needsHistory: true) { store in
      try HistoryCheck.run(store) { try $0.forgetsAndSaysSo() }
    },
    ConformanceCheck(
      .history, "tells nothing of a save that failed", needsBreaking: true, needsHistory: true
    ) { store in
      try HistoryCheck.run(store) { try $0.failedSavesLeaveNothing(store) }
    },
    ConformanceCheck(.history, "has its history when it is opened again", needsReopening: true, needsHistory: true) {
      store in
      try HistoryCheck.run(store) { try $0.save("a") }
      try HistoryCheck.run(store) { check in
        try expect("fetchHistory after opening again", try check.all().count, 1)
      }
    },
  ]
}

/// Reads a store's history with any transaction type.
private protocol HistoryAsking {
  var context: ModelContext { get }
  init(_ context: ModelContext)
  func oneSaveIsOneTransaction() throws
  func updatesNameWhatChanged() throws
  func deletionsLeaveTombstones() throws
  func tokensArePositions() throws
  func forgetsAndSaysSo() throws
  func failedSavesLeaveNothing(_ store: ConformanceStore) throws
  func all() throws -> [any HistoryTransaction]
}

extension HistoryAsking {
  func save(_ reader: String) throws {
    context.insert(ConformanceLoan(reader: reader))
    try attempt("save of a new model") { try context.save() }
  }
}

private struct HistoryCheck<Provider: HistoryProviding>: HistoryAsking {
  typealias Transaction = Provider.HistoryType
  let context: ModelContext

  init(_ context: ModelContext) { self.context = context }

  func all() throws -> [any HistoryTransaction] { try transactions() }

  private func transactions() throws -> [Transaction] {
    try attempt("fetchHistory of everything") { try context.fetchHistory(HistoryDescriptor<Transaction>()) }
  }

  func oneSaveIsOneTransaction() throws {
    try expect("fetchHistory of a new store", try transactions().count, 0)
    context.author = "somebody"
    let books = ["a", "b"].map { ConformanceBook(title: $0) }
    let author = ConformanceAuthor(name: "x", books: books)
    context.insert(author)
    try context.save()
    context.author = nil
    try save("later")
    let found = try transactions()
    try expect("fetchHistory after two saves: authors", found.map(\.author), ["somebody", nil])
    let identifiers = Set(found.first?.changes.map(\.changedPersistentIdentifier) ?? [])
    try expect(
      "the identifiers in a transaction", identifiers,
      Set(books.map(\.persistentModelID) + [author.persistentModelID]))
    try expect("changes of three new models", found.first?.changes.count, 3)
    try expect(
      "changes of new models that are insertions",
      found.first?.changes.count { if case .insert = $0 { true } else { false } }, 3)
    try expect(
      "insertions of the class of the model",
      found.first?.changes.count {
        if case .insert(let insert) = $0 { insert is any HistoryInsert<ConformanceBook> } else { false }
      }, 2)
    let store = author.persistentModelID.storeIdentifier
    try expect("storeIdentifier of a transaction", found.first?.storeIdentifier, store)
    let age = found.first.map { abs($0.timestamp.timeIntervalSinceNow) } ?? .infinity
    try expect("timestamp of a transaction", age < 600, "the time of the save")
  }

  func updatesNameWhatChanged() throws {
    let book = ConformanceBook(title: "a", pages: 1)
    context.insert(book)
    try context.save()
    book.title = "a"
    book.pages = 2
    try context.save()
    let changes = try transactions().last?.changes ?? []
    try expect("changes of a save of one changed model", changes.count, 1)
    guard case .update(let change)? = changes.first, let update = change as? any HistoryUpdate<ConformanceBook>
    else {
      throw Mismatch(
        operation: "the change of a changed model", seen: "\(changes)", expected: "an update of its class")
    }
    let names = update.updatedAttributes.map { $0 == \ConformanceBook.pages ? "pages" : "\($0)" }
    try expect("updatedAttributes where another one was given the value it had", names, ["pages"])
  }

  func deletionsLeaveTombstones() throws {
    let loan = ConformanceLoan(reader: "Ida")
    context.insert(loan)
    try context.save()
    let identifier = loan.persistentModelID
    context.delete(loan)
    try context.save()
    let changes = try transactions().last?.changes ?? []
    guard case .delete(let change)? = changes.first, let deletion = change as? any HistoryDelete<ConformanceLoan>
    else {
      throw Mismatch(
        operation: "the change of a deleted model", seen: "\(changes)", expected: "a deletion of its class")
    }
    try expect("the identifier of a deleted model", deletion.changedPersistentIdentifier, identifier)
    try expect(
      "tombstone[\\.reader], which is preserved", deletion.tombstone[\ConformanceLoan.reader] as? String, "Ida")
    try expect("the values of a tombstone", deletion.tombstone.compactMap { $0 as? String }, ["Ida"])
  }

  private func news(_ token: Transaction.TokenType) throws -> [Transaction] {
    try context.fetchHistory(try descriptor { $0.after(token) })
  }

  /// Predicates can capture values that are only `Codable`.
  private func descriptor(_ make: (any TokenAsking) -> Any) throws -> HistoryDescriptor<Transaction> {
    guard let asking = self as? any TokenAsking, let made = make(asking) as? HistoryDescriptor<Transaction>
    else {
      throw Mismatch(
        operation: "the type of tokens", seen: "\(Transaction.TokenType.self)", expected: "one that is Codable")
    }
    return made
  }

  func tokensArePositions() throws {
    for reader in ["a", "b", "c"] { try save(reader) }
    let found = try transactions()
    let (tokens, numbers) = (found.map(\.token), found.map(\.transactionIdentifier))
    guard tokens.count == 3 else {
      throw Mismatch(
        operation: "fetchHistory after three saves", seen: "\(tokens.count)", expected: "3 transactions")
    }
    try expect("tokens of later transactions", tokens[0] < tokens[1] && tokens[1] < tokens[2], "greater ones")
    let first = tokens[0]
    try expect(
      "fetchHistory where token > the first one", try news(first).map(\.transactionIdentifier), Array(numbers[1...]))
    var latest = HistoryDescriptor<Transaction>(
      sortBy: [SortDescriptor(\.transactionIdentifier, order: .reverse)])
    latest.fetchLimit = 2
    try expect(
      "fetchHistory of the latest two", try context.fetchHistory(latest).map(\.transactionIdentifier),
      [numbers[2], numbers[1]])
    guard let kept = first as? any HistoryToken else { return }
    func copy<T: HistoryToken>(_ token: T) throws -> T {
      try JSONDecoder().decode(T.self, from: JSONEncoder().encode(token))
    }
    let restored = try attempt("a token that is kept as JSON") { try copy(kept) } as? Transaction.TokenType
    try expect("a token that was kept as JSON", restored, first)
  }

  func forgetsAndSaysSo() throws {
    for reader in ["a", "b", "c"] { try save(reader) }
    let found = try transactions()
    let (tokens, numbers) = (found.map(\.token), found.map(\.transactionIdentifier))
    guard tokens.count == 3 else { return }
    let (first, second) = (tokens[0], tokens[1])
    try attempt("deleteHistory where token <= the second one") {
      try context.deleteHistory(try descriptor { $0.through(second) })
    }
    try expect("fetchHistory after deleteHistory", try transactions().map(\.transactionIdentifier), [numbers[2]])
    try expect("models after deleteHistory", try context.fetchCount(FetchDescriptor<ConformanceLoan>()), 3)
    let rest = try attempt("fetchHistory after the last token that was forgotten") { try news(second) }
    try expect(
      "fetchHistory after the last token that was forgotten", rest.map(\.transactionIdentifier),
      [numbers[2]])
    do {
      let found = try news(first)
      throw Mismatch(
        operation: "fetchHistory where token > one of which part was forgotten", seen: "\(found.count) transactions",
        expected: "the error SwiftDataError.historyTokenExpired")
    } catch SwiftDataError.historyTokenExpired {
      // The expected error.
    }
    try context.deleteHistory(HistoryDescriptor<Transaction>())
    try save("d")
    try expect(
      "fetchHistory after forgetting everything and a save", try news(tokens[2]).map(\.changes.count), [1])
  }

  func failedSavesLeaveNothing(_ store: ConformanceStore) throws {
    try save("a")
    context.insert(ConformanceLoan(reader: "b"))
    try store.breakSaves(true)
    do {
      defer { try? store.breakSaves(false) }
      do {
        try context.save()
        throw Mismatch(operation: "save while it fails", seen: "that it succeeds", expected: "an error")
      } catch let mismatch as Mismatch {
        throw mismatch
      } catch {}
    }
    try expect("fetchHistory after a save that failed", try transactions().count, 1)
    try context.save()
    try expect("fetchHistory after it has succeeded", try transactions().map(\.changes.count), [1, 1])
  }
}

private protocol TokenAsking {
  func after(_ token: Any) -> Any
  func through(_ token: Any) -> Any
}

extension HistoryCheck: TokenAsking where Provider.HistoryType.TokenType: Codable {
  fileprivate func after(_ token: Any) -> Any {
    guard let token = token as? Transaction.TokenType else { return () }
    return HistoryDescriptor<Transaction>(predicate: #Predicate { $0.token > token })
  }

  fileprivate func through(_ token: Any) -> Any {
    guard let token = token as? Transaction.TokenType else { return () }
    return HistoryDescriptor<Transaction>(predicate: #Predicate { $0.token <= token })
  }
}

extension HistoryCheck where Provider == DefaultStore {
  fileprivate static func run(_ store: ConformanceStore, _ body: (any HistoryAsking) throws -> Void) throws {
    func asking<H: HistoryProviding>(_: H.Type, _ context: ModelContext) -> any HistoryAsking {
      HistoryCheck<H>(context)
    }
    func type<C: DataStoreConfiguration>(_: C) -> Any.Type { C.Store.self }
    guard let provider = type(store.configuration) as? any HistoryProviding.Type else { return }
    let context = ModelContext(try store.container())
    try withExtendedLifetime(context) { try body(asking(provider, context)) }
  }
}
