import Foundation
import TestSupport
import TestTraits
import Testing
import Trellis

@testable import HistoryLane

/// A process that saves is killed at random times. The data and its history must agree afterwards.
@Suite(.waiting) struct KilledWriterTests {
  @Test func dataAndHistoryAgree_afterManyKills() throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let ledger = try SharedLedger()
    var told = ToldState()
    var token: DefaultHistoryToken?
    var transactions = 0
    let rounds = Repetitions.scaled(20, upTo: 400)
    for round in 0..<rounds {
      let output = Pipe()
      let process = try ledger.start(["churn", "\(UInt64.random(in: 0 ... .max, using: &random))"], output: output)
      _ = output.fileHandleForReading.availableData
      usleep(UInt32.random(in: 0...6_000, using: &random))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let news = try history(ledger, after: token)
      transactions += news.count
      for transaction in news { told.apply(transaction) }
      token = news.last?.token ?? token
      let context = ModelContext(try Ledger.container(ledger.url))
      let stored = try ToldState(context)
      #expect(stored == told, "round \(round)")
      guard stored == told else { return }
    }
    print("\(transactions) transactions")
    #expect(transactions >= rounds)
  }

  private func history(
    _ ledger: SharedLedger, after token: DefaultHistoryToken?
  ) throws -> [DefaultHistoryTransaction] {
    guard let token else { return try ledger.context.fetchHistory(HistoryDescriptor()) }
    return try ledger.context.fetchHistory(HistoryDescriptor(predicate: #Predicate { $0.token > token }))
  }
}

/// The contents according to the store or to its history.
struct ToldState: Equatable {
  /// The number of edits of each account.
  var accounts: [PersistentIdentifier: Int] = [:]
  var entries: Set<PersistentIdentifier> = []

  init() {}

  init(_ context: ModelContext) throws {
    for account in try context.fetch(FetchDescriptor<Account>()) {
      accounts[account.persistentModelID] = account.edition
    }
    entries = Set(try context.fetchIdentifiers(FetchDescriptor<Entry>()))
  }

  mutating func apply(_ transaction: DefaultHistoryTransaction) {
    for change in transaction.changes {
      let identifier = change.changedPersistentIdentifier
      switch change {
      case .insert(_ as DefaultHistoryInsert<Account>): accounts[identifier] = 0
      case .insert: entries.insert(identifier)
      case .update(let update as DefaultHistoryUpdate<Account>):
        if update.containsAttribute(\.edition) { accounts[identifier]? += 1 }
      case .update: break
      case .delete(let delete as DefaultHistoryDelete<Account>):
        accounts[identifier] = (delete.tombstone[\.name] as? String) == nil ? -1 : nil
      case .delete(let delete as DefaultHistoryDelete<Entry>):
        if delete.tombstone[\.text] is String { entries.remove(identifier) }
      case .delete: break
      }
    }
  }
}
