import Foundation
import PostgresSupport
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

@testable import TestWorlds

private typealias Transaction = DefaultHistoryTransaction

/// Histories of stores with many writers. A reader cannot rely on transaction numbers alone: a transaction may take its
/// number early and commit late.
@Suite(.waiting) struct HistoryReaderTests {
  /// A new store with its containers and history table.
  private struct Ledger {
    let server: PostgresServer
    let configuration: PostgresConfiguration
    let containers: [ModelContainer]

    init(_ count: Int = 1) throws {
      server = try PostgresServer.shared.get()
      let configuration = server.configuration()
      self.configuration = configuration
      containers = try (0..<count).map { _ in
        try ModelContainer(
          for: Schema([DiffRow.self, DiffGroup.self, DiffOwner.self, DiffPart.self, DiffLabel.self]),
          configurations: [configuration])
      }
    }

    var table: String { "\"\(configuration.schemaName ?? "")\".\"trellis_history\"" }

    /// SQL that inserts a copy of the first transaction. The copy has a number but is not committed.
    var copy: String {
      """
      INSERT INTO \(table) ("save", "time", "author", "bundle", "process", "changes")
      SELECT gen_random_uuid(), "time", 'late', "bundle", "process", "changes" FROM \(table)
      WHERE "id" = 1 RETURNING "id"
      """
    }

    func save(_ text: String) throws {
      let context = ModelContext(containers[0])
      context.insert(DiffLabel(text: text, rows: []))
      try context.save()
    }

    /// The numbers of the transactions after a token.
    func numbers(since token: DefaultHistoryToken?) throws -> [Int64] { try transactions(since: token).map(\.id) }

    func transactions(since token: DefaultHistoryToken?, limit: Int = 0) throws -> [DefaultHistoryTransaction] {
      var descriptor = HistoryDescriptor<Transaction>()
      if let token { descriptor.predicate = #Predicate { $0.token > token } }
      descriptor.fetchLimit = UInt64(limit)
      return try ModelContext(containers[0]).fetchHistory(descriptor)
    }
  }

  /// A reader that fetches the history in pages and stores its token as JSON in between.
  private struct Reader {
    var token: Data?
    var seen: [Int64] = []

    mutating func read(_ ledger: Ledger, limit: Int) throws -> Int {
      let token = try token.map { try JSONDecoder().decode(DefaultHistoryToken.self, from: $0) }
      let page = try ledger.transactions(since: token, limit: limit)
      seen += page.map(\.id)
      if let last = page.last { self.token = try JSONEncoder().encode(last.token) }
      return page.count
    }
  }

  /// 20 tasks write, and other programs commit late, while readers read pages of different sizes. Each reader receives
  /// every transaction once, and receives the changes of a model in the order in which they were saved.
  ///
  ///     TRELLIS_SEED=7 TRELLIS_ROUNDS=60 swift test --filter PostgresTests.HistoryReaderTests
  @Test func noTransactionIsMissedOrReportedTwice() async throws {
    let seconds = Double(Repetitions.scaled(1))
    let seed = SeededGenerator.seed()
    let ledger = try Ledger(3)
    try ledger.save("first")
    let saves = Shared(0)
    let isOver = Shared(false)
    let late = Thread {
      var random = SeededGenerator(seed: seed)
      // Other tests may delay the tasks.
      let latest = ContinuousClock.now + .seconds(120)
      while saves.withLock({ $0 }) == 0, ContinuousClock.now < latest { Thread.sleep(forTimeInterval: 0.01) }
      let end = ContinuousClock.now + .seconds(seconds)
      for round in 0... {
        // Other tests may keep the writers waiting.
        if round > 10, ContinuousClock.now > end, saves.withLock({ $0 }) > 200 { break }
        let wait = Double(random.roll(Repetitions.isThorough ? 400 : 120)) / 1_000
        let ending = random.roll(4) == 0 ? "ROLLBACK" : "COMMIT"
        _ = try? ledger.server.psql("BEGIN; \(ledger.copy); SELECT pg_sleep(\(wait)); \(ending)")
      }
      isOver.withLock { $0 = true }
    }
    late.start()
    // Tasks with this priority do not share threads with other tests.
    let readers = try await withThrowingTaskGroup(of: Reader?.self) { group in
      for writer in 0..<20 {
        group.addTask(priority: .high) {
          var random = SeededGenerator(seed: seed &+ UInt64(writer) &+ 1)
          while !isOver.withLock({ $0 }) {
            let (action, number) = (random.roll(4), random.roll(40))
            try await ledger.containers[writer % 2].performBackgroundTask { context in
              let text = "label \(number)"
              var wanted = FetchDescriptor<DiffLabel>(predicate: #Predicate { $0.text == text })
              wanted.fetchLimit = 1
              let known = try context.fetch(wanted).first
              switch (action, known) {
              case (0, let known?): context.delete(known)
              case (1...2, let known?): known.text = "label \(number + 1)"
              default: context.insert(DiffLabel(text: text, rows: []))
              }
              do {
                try context.save()
                saves.withLock { $0 += 1 }
              } catch SwiftDataError.modelValidationFailure {
                // Another task has deleted the label.
              }
            }
          }
          return nil
        }
      }
      for limit in [0, 1, 7] {
        group.addTask(priority: .high) {
          var reader = Reader()
          while !isOver.withLock({ $0 }) {
            _ = try reader.read(ledger, limit: limit)
            try await Task.sleep(for: .milliseconds(limit == 0 ? 20 : 1))
          }
          return reader
        }
      }
      return try await group.reduce(into: [Reader]()) { if let reader = $1 { $0.append(reader) } }
    }
    while !late.isFinished { try await Task.sleep(for: .milliseconds(10)) }
    let all = try ledger.server.psql("SELECT \"id\" FROM \(ledger.table) ORDER BY 1")
      .split(separator: "\n").compactMap { Int64($0) }
    var isLate = false
    for var reader in readers {
      while try reader.read(ledger, limit: 1_000) > 0 {}
      #expect(reader.seen.sorted() == all, "seed \(seed)")
      isLate = isLate || reader.seen != all
      try Self.checkOrder(ledger, reader.seen)
    }
    // In a short run alongside other tests, a reader may read everything at the end.
    if Repetitions.isThorough { #expect(isLate, "no transaction was committed late") }
    print("\(saves.withLock { $0 }) saves of 20 tasks in \(seconds) s, \(all.count) transactions")
  }

  /// Checks that each model's changes, in the order of `numbers`, are an insertion, then updates, then a deletion.
  private static func checkOrder(_ ledger: Ledger, _ numbers: [Int64]) throws {
    let transactions = try ledger.transactions(since: nil).filter { $0.author != "late" }
    let byNumber = Dictionary(uniqueKeysWithValues: transactions.map { ($0.id, $0) })
    var isKnown: [PersistentIdentifier: Bool] = [:]
    for change in numbers.flatMap({ byNumber[$0]?.changes ?? [] }) {
      let identifier = change.changedPersistentIdentifier
      switch change {
      case .insert: #expect(isKnown.updateValue(true, forKey: identifier) == nil)
      case .update: #expect(isKnown[identifier] == true)
      case .delete: #expect(isKnown.updateValue(false, forKey: identifier) == true)
      }
    }
  }

  /// A prepared transaction has a number and may stay uncommitted indefinitely. Readers do not wait for it, and receive
  /// it once it is committed.
  @Test func preparedTransactionsAreReadOnceCommitted() throws {
    let ledger = try Ledger()
    try ledger.save("first")
    let before = try #require(try ledger.transactions(since: nil).last?.token)
    let late = "late \(ledger.configuration.schemaName ?? "")"
    try ledger.server.psql("BEGIN; \(ledger.copy); PREPARE TRANSACTION '\(late)'")
    try ledger.save("third")
    let latest = try #require(try ModelContext(ledger.containers[0]).history.latestToken())
    let page = try ledger.transactions(since: before)
    #expect(page.map(\.id) == [3])
    let token = try #require(page.last?.token)
    try ledger.save("fourth")
    #expect(try ledger.numbers(since: token) == [4])
    try ledger.server.psql("COMMIT PREPARED '\(late)'")
    for token in [token, latest] { #expect(try ledger.numbers(since: token) == [2, 4]) }
    #expect(try ledger.numbers(since: before) == [2, 3, 4])
    // Read pages of one transaction, each after the previous transaction's token.
    var (seen, next) = ([Int64](), token)
    while let found = try ledger.transactions(since: next, limit: 1).first {
      seen.append(found.id)
      #expect(found.token > next)
      next = found.token
    }
    #expect(seen == [2, 4])
  }

  /// The token of a program's own save does not contain a transaction that began earlier and commits later.
  @Test func saveTokensExcludeRunningTransactions() throws {
    let ledger = try Ledger()
    try ledger.save("first")
    let late = "running \(ledger.configuration.schemaName ?? "")"
    try ledger.server.psql("BEGIN; \(ledger.copy); PREPARE TRANSACTION '\(late)'")
    let context = ModelContext(ledger.containers[0])
    let tokens = Shared<[DefaultHistoryToken]>([])
    let observer = NotificationCenter.default.addObserver(
      forName: ModelContext.didSave, object: context, queue: nil
    ) { note in
      let saved = note.userInfo?[ModelContext.NotificationKey.historyTokens] as? [String: any HistoryToken]
      tokens.withLock { $0 += (saved ?? [:]).values.compactMap { $0 as? DefaultHistoryToken } }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    context.insert(DiffLabel(text: "third", rows: []))
    try context.save()
    let token = try #require(tokens.withLock { $0.last })
    #expect(try ledger.numbers(since: token) == [])
    try ledger.server.psql("COMMIT PREPARED '\(late)'")
    #expect(try ledger.numbers(since: token) == [2])
  }

  /// Transactions in the server's other databases do not delay a reader.
  @Test func transactionsInOtherDatabasesDelayNothing() throws {
    let ledger = try Ledger()
    try ledger.save("first")
    try ledger.server.psql(
      "BEGIN; CREATE TABLE other_\(UInt32.random(in: 0...UInt32.max)) (); PREPARE TRANSACTION 'other'",
      database: "template1")
    defer { _ = try? ledger.server.psql("ROLLBACK PREPARED 'other'", database: "template1") }
    let token = try #require(try ledger.transactions(since: nil).last?.token)
    try ledger.save("second")
    #expect(try ledger.numbers(since: token) == [2])
  }

  /// A program deletes parts of the history while others write. A reader receives everything after its token, or an
  /// error that the token is expired.
  @Test func readersOfADeletedHistoryGetAllChangesOrAnError() async throws {
    let seed = SeededGenerator.seed()
    let ledger = try Ledger(2)
    try ledger.save("first")
    let isOver = Shared(false)
    // The transactions that each reader has read without an error in between.
    let runs = Shared<[[PersistentIdentifier]]>([])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 1...6 {
        group.addTask {
          var round = 0
          while !isOver.withLock({ $0 }) {
            round += 1
            let text = "\(writer * 100_000 + round)"
            try await ledger.containers[writer % 2].performBackgroundTask { context in
              context.insert(DiffLabel(text: text, rows: []))
              try context.save()
            }
          }
        }
      }
      group.addTask {
        var random = SeededGenerator(seed: seed)
        defer { isOver.withLock { $0 = true } }
        for _ in 0..<Repetitions.scaled(40, upTo: 200) {
          let all = try ledger.transactions(since: nil)
          if let token = all.isEmpty ? nil : all[random.roll(all.count)].token {
            try ModelContext(ledger.containers[0]).deleteHistory(
              HistoryDescriptor<Transaction>(predicate: #Predicate { $0.token <= token }))
          }
          try await Task.sleep(for: .milliseconds(30))
        }
      }
      for pause in [0, 5, 60] {
        group.addTask {
          var token = try #require(try ModelContext(ledger.containers[1]).history.latestToken())
          var run: [PersistentIdentifier] = []
          while !isOver.withLock({ $0 }) {
            do {
              let page = try ledger.transactions(since: token)
              run += page.flatMap { $0.changes.map(\.changedPersistentIdentifier) }
              if let last = page.last { token = last.token }
            } catch SwiftDataError.historyTokenExpired {
              runs.withLock { $0.append(run) }
              run = []
              token = try #require(try ModelContext(ledger.containers[1]).history.latestToken())
            }
            try await Task.sleep(for: .milliseconds(pause))
          }
          runs.withLock { $0.append(run) }
        }
      }
      try await group.waitForAll()
    }
    let labels = try ModelContext(ledger.containers[0]).fetch(FetchDescriptor<DiffLabel>())
    let numbers = Dictionary(uniqueKeysWithValues: labels.map { ($0.persistentModelID, Int($0.text) ?? 0) })
    let found = runs.withLock { $0 }
    for run in found {
      // A writer saves its labels one by one.
      let byWriter = Dictionary(grouping: run.compactMap { numbers[$0] }) { $0 / 100_000 }
      for own in byWriter.values {
        #expect(own == Array(own[0]...(own[0] + own.count - 1)), "seed \(seed): a transaction is missed or repeated")
      }
    }
    print("\(found.count - 3) expired tokens, \(found.map(\.count).reduce(0, +)) transactions read")
    #expect(found.count > 3 && found.contains { !$0.isEmpty })
  }

  /// An observer learns about other programs' saves through LISTEN, and also without it.
  // Without notifications, the test waits for the observer's interval of two seconds.
  @Test(arguments: [true, false]) func observersCountSavesOfOtherPrograms(hasNotifications: Bool) throws {
    let ledger = try Ledger(2)
    let observer = try HistoryObserver(modelContainer: ledger.containers[1], isolation: nil)
    try ledger.save("first")
    func wait(for count: Int) -> Duration {
      let begun = ContinuousClock.now
      while observer.eventCounter < count, begun.duration(to: .now) < .seconds(30) {
        usleep(5_000)
      }
      return begun.duration(to: .now)
    }
    _ = wait(for: 1)
    #expect(observer.eventCounter == 1)
    if hasNotifications {
      // Polling takes 2 s, so 20 saves would take 40 s without notifications. The test keeps its thread, because a task that
      // sleeps may wait for other tests.
      let begun = ContinuousClock.now
      for number in 2...21 {
        try ledger.save("\(number)")
        _ = wait(for: number)
      }
      #expect(begun.duration(to: .now) < .seconds(20))
    } else {
      // This transaction sends no notification.
      try ledger.server.psql(ledger.copy)
      #expect(wait(for: 2) < .seconds(20))
    }
    let count = observer.eventCounter
    usleep(50_000)
    #expect(observer.eventCounter == count)
  }

  /// When a program erases the store, other programs see no models and their tokens are expired.
  @Test func otherProgramsDetectAnErasedStore() throws {
    let ledger = try Ledger(2)
    try ledger.save("first")
    let context = ModelContext(ledger.containers[1])
    let label = try #require(try context.fetch(FetchDescriptor<DiffLabel>()).first)
    let token = try #require(try ledger.transactions(since: nil).last?.token)
    try ledger.containers[0].erase()
    #expect(try context.fetchCount(FetchDescriptor<DiffLabel>()) == 0)
    #expect(try context.fetch(FetchDescriptor<DiffLabel>()).isEmpty)
    #expect(throws: SwiftDataError.historyTokenExpired) { try ledger.transactions(since: token) }
    try ledger.save("second")
    let found = try context.fetch(FetchDescriptor<DiffLabel>())
    #expect(found.map(\.text) == ["second"] && found[0].persistentModelID != label.persistentModelID)
    #expect(try ledger.transactions(since: nil).count == 1)
  }
}
