import Foundation
import Observation
import Synchronization
import TestSupport
import Testing

@testable import HistoryLane
@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// Commits of other processes are reported, refreshed and recorded.
struct OtherProcessTests {
  @Test func S105_transactionsOfOtherProcessesAreInTheHistory_withTheirAuthor() throws {
    let ledger = try SharedLedger()
    _ = try ledger.insert("mine")
    try ledger.run("edit", "widget", "mine")
    let all = try ledger.context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(all.map(\.author) == [nil, "widget"])
    #expect(all[1].changes.map(\.text) == ["update Account: edition"])
    #expect(Set(all.map(\.processIdentifier)).count == 2)
    #expect(all[1].bundleIdentifier == "HistoryLane")
  }

  @Test func registeredObjectsAreRefreshedAtTheNextFetch() throws {
    let ledger = try SharedLedger()
    let account = try ledger.insert("one")
    let doomed = try ledger.insert("two")
    try ledger.run("edit", "widget", "one")
    try ledger.run("delete", "widget", "two")
    try ledger.run("save", "widget", "1")
    #expect(account.edition == 0)
    let found = try ledger.context.fetch(FetchDescriptor<Account>(sortBy: [SortDescriptor(\.name)]))
    #expect(found.map(\.name) == ["one", "widget 0"])
    #expect(account.edition == 1 && found.first === account)
    #expect(doomed.isDeleted)
  }

  @Test func ownChangesAreKeptDuringARefresh() throws {
    let ledger = try SharedLedger()
    let account = try ledger.insert("one")
    account.name = "renamed"
    try ledger.run("edit", "widget", "one")
    _ = try ledger.context.fetchCount(FetchDescriptor<Account>())
    #expect(account.name == "renamed" && account.edition == 1)
    try ledger.context.save()
    let other = try #require(try ModelContext(Ledger.container(ledger.url)).fetch(FetchDescriptor<Account>()).first)
    #expect(other.name == "renamed" && other.edition == 1)
  }

  @Test func aSoleWriterNeverLooksForCommits() throws {
    let ledger = try SharedLedger()
    for number in 0..<50 {
      let account = try ledger.insert("\(number)")
      account.edition += 1
      try ledger.context.save()
      if number % 3 == 0 {
        ledger.context.delete(account)
        try ledger.context.save()
      }
      _ = try ledger.context.fetch(FetchDescriptor<Account>())
      #expect(!ledger.mayHaveExternalCommits)
    }
    try ledger.run("save", "widget", "1")
    #expect(ledger.mayHaveExternalCommits)
    _ = try ledger.context.fetch(FetchDescriptor<Account>())
    #expect(!ledger.mayHaveExternalCommits)
  }

  @Test @MainActor func resultsObserversAreNotified() async throws {
    let ledger = try SharedLedger()
    _ = try ledger.insert("one")
    let observer = try ResultsObserver<Account, Never>(
      sortBy: [SortDescriptor(\.name)], modelContext: ledger.context)
    #expect(observer.results.map(\.name) == ["one"])
    try ledger.run("save", "widget", "2")
    // Other tests can occupy the main actor for minutes, so this counts turns.
    for _ in 0..<12_000 where observer.results.count < 3 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(observer.results.map(\.name) == ["one", "widget 0", "widget 1"])
  }

  @Test func historyObserver_countsRelevantTransactions() throws {
    let ledger = try SharedLedger()
    _ = try ledger.insert("one")
    let all = try observer(ledger)
    let entries = try observer(ledger, [Entry.self])
    let widgets = try observer(ledger, [Account.self], ["widget"])
    try ledger.run("save", "app", "3")
    try ledger.run("edit", "widget", "one")
    _ = try ledger.insert("own")
    // Observers are notified one after the other.
    #expect(eventually { all.eventCounter == 4 && widgets.eventCounter == 1 })
    #expect(entries.eventCounter == 0)
    usleep(50_000)
    #expect(all.eventCounter == 4)
  }

  @Test func historyObserver_startsAtASavedToken() throws {
    let ledger = try SharedLedger()
    _ = try ledger.insert("one")
    let token = try #require(
      ledger.context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last?.token)
    try ledger.run("save", "widget", "3")
    let store = try #require(token.tokenValue?.keys.first)
    let observer = try HistoryObserver(
      historyTokens: [store: token], observedModels: [Account.self], authors: ["widget"],
      modelContainer: ledger.container, isolation: nil)
    #expect(observer.eventCounter == 3)
    try ledger.run("save", "widget", "1")
    #expect(eventually { observer.eventCounter == 4 })
    try ledger.context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(throws: SwiftDataError.self) {
      try HistoryObserver(historyTokens: [store: token], modelContainer: ledger.container, isolation: nil)
    }
    #expect(throws: SwiftDataError.self) {
      try HistoryObserver(observedModels: [Parcel.self], modelContainer: ledger.container, isolation: nil)
    }
  }

  /// The process's own transactions do not count as external, even if they were deleted or already checked.
  @Test func historyObserver_doesNotCountDeletedOwnTransactions() throws {
    let ledger = try SharedLedger { $0.history.retention = .newest(1) }
    let observers = [
      try observer(ledger), try observer(ledger, [Account.self]), try observer(ledger, [], ["widget"]),
    ]
    for number in 0..<200 { _ = try ledger.insert("\(number)") }
    try ledger.run("save", "widget", "1")
    for observer in observers { #expect(eventually { observer.eventCounter == 1 }) }
    _ = try ledger.context.fetchCount(FetchDescriptor<Account>())
    let token = try #require(
      ledger.context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).first?.token)
    for number in 0..<20 { _ = try ledger.insert("more \(number)") }
    try ledger.run("save", "widget", "2")
    for observer in observers { #expect(eventually { observer.eventCounter == 3 }) }
    let store = try #require(token.tokenValue?.keys.first)
    let late = try HistoryObserver(
      historyTokens: [store: token], modelContainer: ledger.container, isolation: nil)
    #expect(late.eventCounter == 3)
    usleep(50_000)
    for observer in observers { #expect(observer.eventCounter == 3) }
  }

  /// Three programs and this process save concurrently.
  @Test func everyTransactionOfOtherProcessesIsCountedOnce() throws {
    let ledger = try SharedLedger()
    let all = try observer(ledger)
    let widget = try observer(ledger, [Account.self], ["b"])
    let processes = try ["a", "b", "c"].map { try ledger.start(["save", $0, "150"]) }
    var own = 0
    while processes.contains(where: \.isRunning) {
      _ = try ledger.insert("own \(own)")
      own += 1
      usleep(500)
    }
    _ = try ledger.context.fetchCount(FetchDescriptor<Account>())
    #expect(
      eventually { all.eventCounter >= 450 && widget.eventCounter >= 150 }, "\(all.eventCounter) \(widget.eventCounter)"
    )
    usleep(600_000)
    #expect(all.eventCounter == 450 && widget.eventCounter == 150, "\(own) own, \(all.eventCounter) counted")
    let history = try ledger.context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(history.count == 450 + own)
  }

  @Test @MainActor func historyObserver_isUpdatedOnItsActor() async throws {
    let ledger = try SharedLedger()
    let observer = try HistoryObserver(modelContainer: ledger.container)
    let changed = Synchronization.Mutex(0)
    withObservationTracking {
      _ = observer.eventCounter
    } onChange: {
      changed.withLock { $0 += 1 }
    }
    try ledger.run("save", "widget", "1")
    // Other tests can occupy the main actor for minutes, so this counts turns.
    for _ in 0..<12_000 where observer.eventCounter == 0 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(observer.eventCounter == 1 && changed.withLock { $0 } == 1)
  }

  @Test func notificationsContainTheStoreIdentifier() throws {
    let ledger = try SharedLedger()
    let stores = Synchronization.Mutex<[String: Int64]>([:])
    let token = NotificationCenter.default.addObserver(
      forName: ModelContainer.remoteChange, object: nil, queue: nil
    ) { note in
      guard let store = note.userInfo?[ModelContainer.RemoteChangeKey.storeIdentifier] as? String,
        let token = note.userInfo?[ModelContainer.RemoteChangeKey.historyToken] as? DefaultHistoryToken
      else { return }
      stores.withLock { $0[store] = token.tokenValue?[store] }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    let observer = try observer(ledger)
    let account = try ledger.insert("x")
    try ledger.run("save", "widget", "1")
    let store = try #require(account.persistentModelID.storeIdentifier)
    #expect(eventually { stores.withLock { $0[store] } == 2 })
    withExtendedLifetime(observer) {}
  }

  @Test func commitsOfProgramsWithoutHistory_areSeen() throws {
    let ledger = try SharedLedger()
    let account = try ledger.insert("one")
    let observer = try observer(ledger)
    try SQLiteShell(ledger.url).run("UPDATE Account SET edition = 7")
    #expect(eventually { observer.eventCounter == 1 })
    _ = try ledger.context.fetchCount(FetchDescriptor<Account>())
    #expect(account.edition == 7)
  }

  /// A query only looks for commits if its own read detects one or if it reads nothing.
  @Test func everyKindOfQuerySeesCommits() throws {
    let ledger = try SharedLedger()
    let account = try ledger.insert("one")
    let (context, identifier) = (ledger.context, account.persistentModelID)
    var none = FetchDescriptor<Account>()
    none.fetchLimit = 0
    let queries: [() throws -> Void] = [
      { _ = try context.fetch(FetchDescriptor<Account>()) },
      { _ = try context.fetchCount(FetchDescriptor<Account>(predicate: #Predicate { $0.edition > 100 })) },
      { _ = try context.fetchIdentifiers(FetchDescriptor<Account>()) },
      { _ = try context.fetch(none) },
      { _ = try context.fetchIdentifiers(none) },
      { _ = try context.fetch(FetchDescriptor<Account>(predicate: #Predicate { $0.persistentModelID == identifier })) },
      { _ = try context.existingModel(for: identifier, as: Account.self) },
      {
        // This read detects the commit but does not look for it.
        _ = ModelContext(ledger.container).model(for: identifier)
        _ = try context.fetchCount(FetchDescriptor<Account>())
      },
    ]
    for (number, query) in queries.enumerated() {
      for _ in 0..<2 { try query() }
      try SQLiteShell(ledger.url).run("UPDATE Account SET edition = \(number + 1)")
      #expect(account.edition == number)
      try query()
      #expect(account.edition == number + 1)
    }
  }

  /// A save of this process that is waiting, for example for another process's lock, does not hide commits.
  @Test func commitsAreSeenDuringASaveOnAnotherThread() throws {
    let ledger = try SharedLedger()
    let account = try ledger.insert("one")
    let all = try observer(ledger)
    let store = try #require(ledger.container.core.stores.first?.store as? DefaultStore)
    let (isWriting, isRead) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      try? store.pool.exclusively { _ in
        isWriting.signal()
        isRead.wait()
      }
      isWriting.signal()
    }
    isWriting.wait()
    func edition() -> Int? {
      (try? ledger.context.fetchCount(FetchDescriptor<Account>())).map { _ in account.edition }
    }
    try ledger.run("edit", "widget", "one")
    // The thread that waits for signals may already have found the commit.
    #expect(eventually { edition() == 1 })
    // The history does not contain this commit, which is found once the other thread has saved.
    try SQLiteShell(ledger.url).run("UPDATE Account SET edition = 7")
    #expect(edition() == 1)
    isRead.signal()
    isWriting.wait()
    #expect(eventually { edition() == 7 })
    // Only the recorded commit counts as an external one.
    #expect(eventually { all.eventCounter == 1 })
    #expect(!ledger.mayHaveExternalCommits)
  }

  private func observer(
    _ ledger: SharedLedger, _ models: [any PersistentModel.Type] = [], _ authors: Set<String> = []
  ) throws -> HistoryObserver {
    try HistoryObserver(
      observedModels: models, authors: authors, modelContainer: ledger.container, isolation: nil)
  }
}

extension SharedLedger {
  fileprivate var mayHaveExternalCommits: Bool {
    container.core.commitMonitors.contains { $0.mayHaveExternalCommits }
  }
}
