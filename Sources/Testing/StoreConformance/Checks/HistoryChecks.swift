import Foundation
import Trellis

/// Checks for stores that conform to ``HistoryProviding``.
extension ConformanceCheck {
  static let history: [ConformanceCheck] = [
    ConformanceCheck(.history, "records a save as a single transaction", needsHistory: true) { store in
      try HistoryCheck.run(store) { try $0.oneSaveIsOneTransaction() }
    },
    ConformanceCheck(.history, "records exactly the changed attributes", needsHistory: true) { store in
      try HistoryCheck.run(store) { try $0.updatesNameWhatChanged() }
    },
    ConformanceCheck(.history, "keeps preserved values for deleted models", needsHistory: true) { store in
      try HistoryCheck.run(store) { try $0.deletionsLeaveTombstones() }
    },
    ConformanceCheck(.history, "returns the transactions after a token", needsHistory: true) { store in
      try HistoryCheck.run(store) { try $0.tokensArePositions() }
    },
    ConformanceCheck(.history, "deletes history and reports expired tokens", needsHistory: true) { store in
      try HistoryCheck.run(store) { try $0.reportsExpiredTokens() }
    },
    ConformanceCheck(
      .history, "records nothing for a failed save", needsBreaking: true, needsHistory: true
    ) { store in
      try HistoryCheck.run(store) { try $0.failedSavesLeaveNothing(store) }
    },
    ConformanceCheck(.history, "keeps the history when reopened", needsReopening: true, needsHistory: true) {
      store in
      try HistoryCheck.run(store) { try $0.save("a") }
      try HistoryCheck.run(store) { check in
        try expect("fetchHistory after reopening", try check.all().count, 1)
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
  func reportsExpiredTokens() throws
  func failedSavesLeaveNothing(_ store: ConformanceStore) throws
  func all() throws -> [any HistoryTransaction]
}

extension HistoryAsking {
  func save(_ reader: String) throws {
    context.insert(ConformanceLoan(reader: reader))
    try attempt("saving a new model") { try context.save() }
  }
}

private struct HistoryCheck<Provider: HistoryProviding>: HistoryAsking {
  typealias Transaction = Provider.HistoryType
  let context: ModelContext

  init(_ context: ModelContext) { self.context = context }

  func all() throws -> [any HistoryTransaction] { try transactions() }

  private func transactions() throws -> [Transaction] {
    try attempt("fetchHistory with no predicate") { try context.fetchHistory(HistoryDescriptor<Transaction>()) }
  }

  func oneSaveIsOneTransaction() throws {
    try expect("fetchHistory in a new store", try transactions().count, 0)
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
    try expect("changes for three new models", found.first?.changes.count, 3)
    try expect(
      "changes for new models: insertions",
      found.first?.changes.count { if case .insert = $0 { true } else { false } }, 3)
    try expect(
      "insertions with the model's class",
      found.first?.changes.count {
        if case .insert(let insert) = $0 { insert is any HistoryInsert<ConformanceBook> } else { false }
      }, 2)
    let store = author.persistentModelID.storeIdentifier
    try expect("a transaction's storeIdentifier", found.first?.storeIdentifier, store)
    let age = found.first.map { abs($0.timestamp.timeIntervalSinceNow) } ?? .infinity
    try expect("a transaction's timestamp", age < 600, "the save time")
  }

  func updatesNameWhatChanged() throws {
    let book = ConformanceBook(title: "a", pages: 1)
    context.insert(book)
    try context.save()
    book.title = "a"
    book.pages = 2
    try context.save()
    let changes = try transactions().last?.changes ?? []
    try expect("changes after saving a changed model", changes.count, 1)
    guard case .update(let change)? = changes.first, let update = change as? any HistoryUpdate<ConformanceBook>
    else {
      throw Mismatch(
        operation: "the change for a changed model", seen: "\(changes)", expected: "an update with its class")
    }
    let names = update.updatedAttributes.map { $0 == \ConformanceBook.pages ? "pages" : "\($0)" }
    try expect("updatedAttributes after assigning an equal value to a second attribute", names, ["pages"])
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
        operation: "the change for a deleted model", seen: "\(changes)", expected: "a deletion with its class")
    }
    try expect("a deleted model's identifier", deletion.changedPersistentIdentifier, identifier)
    try expect(
      "tombstone[\\.reader], which is preserved", deletion.tombstone[\ConformanceLoan.reader] as? String, "Ida")
    try expect("a tombstone's values", deletion.tombstone.compactMap { $0 as? String }, ["Ida"])
  }

  private func news(_ token: Transaction.TokenType) throws -> [Transaction] {
    try context.fetchHistory(try descriptor { $0.after(token) })
  }

  /// Creates a descriptor whose predicate captures a token, which must be `Codable`.
  private func descriptor(_ make: (any TokenAsking) -> Any) throws -> HistoryDescriptor<Transaction> {
    guard let asking = self as? any TokenAsking, let made = make(asking) as? HistoryDescriptor<Transaction>
    else {
      throw Mismatch(
        operation: "the token type", seen: "\(Transaction.TokenType.self)", expected: "a Codable type")
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
    try expect("tokens for later transactions", tokens[0] < tokens[1] && tokens[1] < tokens[2], "increasing tokens")
    let first = tokens[0]
    try expect(
      "fetchHistory where token > the first token", try news(first).map(\.transactionIdentifier), Array(numbers[1...]))
    var latest = HistoryDescriptor<Transaction>(
      sortBy: [SortDescriptor(\.transactionIdentifier, order: .reverse)])
    latest.fetchLimit = 2
    try expect(
      "fetchHistory for the latest two transactions", try context.fetchHistory(latest).map(\.transactionIdentifier),
      [numbers[2], numbers[1]])
    guard let kept = first as? any HistoryToken else { return }
    func copy<T: HistoryToken>(_ token: T) throws -> T {
      try JSONDecoder().decode(T.self, from: JSONEncoder().encode(token))
    }
    let restored = try attempt("encoding a token as JSON") { try copy(kept) } as? Transaction.TokenType
    try expect("a token decoded from JSON", restored, first)
  }

  func reportsExpiredTokens() throws {
    for reader in ["a", "b", "c"] { try save(reader) }
    let found = try transactions()
    let (tokens, numbers) = (found.map(\.token), found.map(\.transactionIdentifier))
    guard tokens.count == 3 else { return }
    let (first, second) = (tokens[0], tokens[1])
    try attempt("deleteHistory where token <= the second token") {
      try context.deleteHistory(try descriptor { $0.through(second) })
    }
    try expect("fetchHistory after deleteHistory", try transactions().map(\.transactionIdentifier), [numbers[2]])
    try expect("models after deleteHistory", try context.fetchCount(FetchDescriptor<ConformanceLoan>()), 3)
    let rest = try attempt("fetchHistory after the last deleted token") { try news(second) }
    try expect(
      "fetchHistory after the last deleted token", rest.map(\.transactionIdentifier),
      [numbers[2]])
    do {
      let found = try news(first)
      throw Mismatch(
        operation: "fetchHistory after a token before deleted transactions", seen: "\(found.count) transactions",
        expected: "the error SwiftDataError.historyTokenExpired")
    } catch SwiftDataError.historyTokenExpired {
      // The expected error.
    }
    try context.deleteHistory(HistoryDescriptor<Transaction>())
    try save("d")
    try expect(
      "fetchHistory after deleting everything and saving", try news(tokens[2]).map(\.changes.count), [1])
  }

  func failedSavesLeaveNothing(_ store: ConformanceStore) throws {
    try save("a")
    context.insert(ConformanceLoan(reader: "b"))
    try store.breakSaves(true)
    do {
      defer { try? store.breakSaves(false) }
      do {
        try context.save()
        throw Mismatch(operation: "save that must fail", seen: "success", expected: "an error")
      } catch let mismatch as Mismatch {
        throw mismatch
      } catch {}
    }
    try expect("fetchHistory after a failed save", try transactions().count, 1)
    try context.save()
    try expect("fetchHistory after a successful save", try transactions().map(\.changes.count), [1, 1])
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
