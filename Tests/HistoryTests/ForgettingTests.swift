import Foundation
import TestSupport
import Testing
import Trellis

/// Random parts of histories are deleted. A reader must receive all changes after its position or an error.
struct ForgettingTests {
  private typealias Transaction = DefaultHistoryTransaction

  @Test(arguments: StoreKind.allCases, [ModelConfiguration.Retention.all, .newest(9), .age(.zero)])
  func tokensReturnAllLaterTransactions_orAreExpired(kind: StoreKind, retention: ModelConfiguration.Retention) throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let fixture = try HistoryFixture(kind, { $0.history.retention = retention })
    var saved: [Transaction] = []
    var left: [Int64] = []
    var (answers, expired) = (0, 0)
    for round in 0..<Repetitions.scaled(8, upTo: 160) {
      let words = "seed \(seed), round \(round)"
      let context = ModelContext(Int.random(in: 0..<5, using: &random) == 0 ? try fixture.another() : fixture.container)
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        context.author = [nil, "app", "widget", "caf\u{E9}"].randomElement(using: &random) ?? nil
        context.recordsHistory = Int.random(in: 0..<9, using: &random) > 0
        for _ in 0...Int.random(in: 0...2, using: &random) { context.insert(Item(name: "\(round)")) }
        if let item = try context.fetch(FetchDescriptor<Item>()).randomElement(using: &random) { context.delete(item) }
        try context.save()
      }
      var all = try fixture.all()
      let new = all.filter { $0.id > saved.last?.id ?? 0 }
      saved += new
      left = try forgotten(left + new.map(\.id), by: all, retention, words)
      if !all.isEmpty, Int.random(in: 0..<4, using: &random) == 0 {
        let descriptor = descriptor(all, &random)
        var gone = try all.filter { try descriptor.predicate?.evaluate($0) ?? true }
        if descriptor.fetchLimit > 0 {
          if !descriptor.sortBy.isEmpty { gone.reverse() }
          gone = Array(gone.prefix(Int(descriptor.fetchLimit)))
        }
        try context.deleteHistory(descriptor)
        left.removeAll { number in gone.contains { $0.id == number } }
        all = try fixture.all()
        #expect(all.map(\.id) == left, "\(words): \(descriptor)")
      }
      let latest = try #require(try context.history.latestToken())
      let last = try #require(latest.tokenValue?.values.first)
      for place in [0, saved.count - 1] + (0..<2).map({ _ in Int.random(in: 0...saved.count, using: &random) })
      where saved.indices.contains(place) {
        let (token, id) = (saved[place].token, saved[place].id)
        let isGap = left.count { $0 > id } < last - id
        do {
          #expect(try fixture.since(token).map(\.id) == left.filter { $0 > id } && !isGap, "\(words), after \(id)")
          let reached = try #require(try context.history.changes(since: token).token)
          #expect(
            try reached.tokenValue == latest.tokenValue && fixture.since(reached).isEmpty, "\(words), after \(id)")
          answers += 1
        } catch SwiftDataError.historyTokenExpired {
          #expect(isGap, "\(words), after \(id)")
          expired += 1
        }
      }
      // A reader with a new token misses no changes.
      #expect(try fixture.since(latest).isEmpty, "\(words)")
      // Without a position, the result is complete only if no transaction was deleted.
      let isWhole = left.count == last && all.allSatisfy(\.isComplete)
      #expect(try context.history.changes().isComplete == isWhole, "\(words)")
    }
    print("\(kind), \(retention): \(saved.count) transactions, \(answers) answers, \(expired) expired tokens")
    // In a short run, no transactions may have been deleted.
    #expect((answers > 0 && expired > 0) || !Repetitions.isThorough)
  }

  /// If the newest transactions are deleted, the last remaining transaction's token is equal to that of a reader who
  /// missed the deleted ones.
  @Test(arguments: StoreKind.allCases) func theNewestTransactionsAreDeleted(kind: StoreKind) throws {
    let fixture = try HistoryFixture(kind)
    #expect(try fixture.context.history.latestToken()?.tokenValue?.values.first == 0)
    for author in ["app", "import"] {
      fixture.context.author = author
      fixture.context.insert(Label(text: author))
      try fixture.context.save()
    }
    let author: String? = "import"
    try fixture.context.deleteHistory(HistoryDescriptor<Transaction>(predicate: #Predicate { $0.author == author }))
    let old = try #require(try fixture.all().last?.token)
    let error = #expect(throws: SwiftDataError.self) { try fixture.since(old) }
    #expect(error == .historyTokenExpired && "\(error as Any)".contains("history.latestToken()"))
    let latest = try #require(try fixture.context.history.latestToken())
    let net = try fixture.context.history.changes()
    #expect(!net.isComplete && net.changes.map(\.text) == ["insert Label"])
    #expect(net.token?.tokenValue == latest.tokenValue)
    #expect(try net.token.map(fixture.since)?.isEmpty == true)
    #expect(try fixture.since(latest).isEmpty)
    fixture.context.insert(Label(text: "new"))
    try fixture.context.save()
    #expect(try fixture.since(latest).map(\.id) == [3])
  }

  /// All transactions of a store are new to a token without that store. If some of them were deleted, the history is
  /// incomplete.
  @Test(arguments: StoreKind.allCases) func partOfAnotherStoresHistoryIsDeleted(kind: StoreKind) throws {
    let (known, other) = (try HistoryFixture(kind), try HistoryFixture(kind))
    for fixture in [known, other, other] {
      fixture.context.insert(Label(text: "x"))
      try fixture.context.save()
    }
    let token = try #require(try known.all().last?.token)
    #expect(try other.since(token).map(\.id) == [1, 2])
    try other.context.deleteHistory(HistoryDescriptor<Transaction>(predicate: #Predicate { $0.id == 1 }))
    let error = #expect(throws: SwiftDataError.self) { try other.since(token) }
    #expect(error == .historyTokenExpired)
  }

  /// Checks the transactions that remain after a retention policy was applied.
  private func forgotten(
    _ known: [Int64], by all: [Transaction], _ retention: ModelConfiguration.Retention, _ words: String
  ) throws -> [Int64] {
    let found = all.map(\.id)
    if retention == .all { #expect(found == known, "\(words)") }
    #expect(found == known.suffix(found.count), "\(words)")
    return found
  }

  private func descriptor(
    _ all: [Transaction], _ random: inout SeededGenerator
  ) -> HistoryDescriptor<Transaction> {
    let one = all[Int.random(in: 0..<all.count, using: &random)]
    let (token, time, author, id) = (one.token, one.timestamp, one.author, one.id)
    var descriptor = HistoryDescriptor<Transaction>()
    switch Int.random(in: 0..<10, using: &random) {
    case 0: descriptor.predicate = #Predicate { $0.token < token }
    case 1: descriptor.predicate = #Predicate { $0.token <= token }
    case 2: descriptor.predicate = #Predicate { $0.token == token }
    case 3: descriptor.predicate = #Predicate { $0.timestamp < time }
    case 4: descriptor.predicate = #Predicate { $0.author == author && $0.token <= token }
    case 5: descriptor.predicate = #Predicate { $0.changes.count > 2 && $0.id < id }
    case 6: descriptor.predicate = #Predicate { $0.token > token && $0.author != author }
    case 7: descriptor.fetchLimit = 2
    case 8:
      descriptor.sortBy = [SortDescriptor(\.transactionIdentifier, order: .reverse)]
      descriptor.fetchLimit = 1
    default: if Int.random(in: 0..<4, using: &random) > 0 { descriptor.predicate = #Predicate { $0.id == id } }
    }
    return descriptor
  }
}
