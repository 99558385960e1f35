import Foundation
import Testing

@testable import HistoryLane
@testable import Trellis

/// Any thread can report external commits. Counters must count each commit exactly once.
struct ObserverOrderTests {
  private static func found(_ store: String, _ positions: ClosedRange<Int64>) -> ExternalCommits {
    var found = ExternalCommits()
    found.transactions = positions.map { number in
      let position = HistoryPosition(number)
      var transaction = ExternalTransaction(
        token: DefaultHistoryToken(store: store, position: position), position: position, author: nil)
      transaction.entities = ["Account"]
      return transaction
    }
    return found
  }

  /// Two threads detect commits one after the other, and the second one reports first.
  @Test func commitsReportedLateAreCounted() throws {
    let ledger = try SharedLedger()
    let store = try #require(try ledger.insert("one").persistentModelID.storeIdentifier)
    let observer = try HistoryObserver(modelContainer: ledger.container, isolation: nil)
    observer.record(Self.found(store, 4...5))
    observer.record(Self.found(store, 2...3))
    #expect(observer.eventCounter == 4)
  }

  @Test func commitsCoveredByATokenAreNotCountedAgain() throws {
    let ledger = try SharedLedger()
    _ = try ledger.insert("one")
    let token = try #require(
      ledger.context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last?.token)
    let store = try #require(token.tokenValue?.keys.first)
    try ledger.run("save", "widget", "2")
    let observer = try HistoryObserver(
      historyTokens: [store: token], modelContainer: ledger.container, isolation: nil)
    #expect(observer.eventCounter == 2)
    observer.record(Self.found(store, 2...3))
    #expect(observer.eventCounter == 2)
    observer.record(Self.found(store, 5...5))
    observer.record(Self.found(store, 4...4))
    #expect(observer.eventCounter == 4)
  }

  /// Commits before and during the creation of observers are reported once.
  @Test func observersCreatedLaterCountAllCommitsSinceTheirToken() throws {
    let ledger = try SharedLedger()
    _ = try ledger.insert("one")
    let token = try #require(
      ledger.context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last?.token)
    let store = try #require(token.tokenValue?.keys.first)
    let writer = try ledger.start(["save", "widget", "150"])
    var observers: [HistoryObserver] = []
    while writer.isRunning || observers.isEmpty {
      observers.append(
        try HistoryObserver(historyTokens: [store: token], modelContainer: ledger.container, isolation: nil))
      usleep(1_000)
    }
    _ = try ledger.context.fetchCount(FetchDescriptor<Account>())
    #expect(eventually { observers.allSatisfy { $0.eventCounter == 150 } }, "\(observers.map(\.eventCounter))")
  }
}
