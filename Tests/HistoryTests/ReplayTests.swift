import Foundation
import TestSupport
import Testing
import Trellis

/// Random saves are replayed in a second store from the history. Both stores must be equal after every step.
struct ReplayTests {
  /// The kind of history that the reader uses.
  enum Reading: CaseIterable, Sendable { case net, transactions }

  private static let rounds = Repetitions.scaled(16, upTo: 240)
  private typealias News = (changes: [HistoryChange], isComplete: Bool)

  @Test(arguments: StoreKind.allCases, Reading.allCases)
  func replayingTheHistoryReproducesTheStore(kind: StoreKind, reading: Reading) throws {
    let fixture = try HistoryFixture(kind)
    var token: DefaultHistoryToken?
    try replay(fixture.container) { context, _ in
      let news = try context.history.changes(since: token)
      guard reading == .transactions else {
        token = news.token
        return (news.changes, news.isComplete)
      }
      let transactions = try token.map(fixture.since) ?? fixture.all()
      token = transactions.last?.token ?? token
      return (transactions.flatMap(\.changes), transactions.allSatisfy(\.isComplete))
    }
  }

  /// The reader learns in time that it must compare all objects.
  @Test(arguments: StoreKind.allCases) func replayingTheHistoryReproducesTheStore_afterPartialDeletion(kind: StoreKind)
    throws
  {
    let fixture = try HistoryFixture(kind, { $0.history.retention = .newest(3) })
    var token: DefaultHistoryToken?
    try replay(fixture.container) { context, random in
      if Int.random(in: 0..<3, using: &random) == 0,
        let transaction = try fixture.all().randomElement(using: &random)
      {
        let (id, author) = (transaction.id, transaction.author)
        try context.deleteHistory(
          HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.id <= id && $0.author == author }))
      }
      do {
        let news = try context.history.changes(since: token)
        token = news.token
        return (news.changes, news.isComplete)
      } catch SwiftDataError.historyTokenExpired {
        token = try context.history.latestToken()
        return ([], false)
      }
    }
  }

  /// Replays a custom store with a custom history.
  @Test func replayingTheHistoryReproducesTheStore_withACustomHistory() throws {
    let schema = Schema([Parcel.self, Item.self, Label.self, Stamp.self, Stop.self, Document.self, Report.self])
    let container = try ModelContainer(
      for: schema, configurations: [NotebookStore.Configuration(schema: schema)])
    var token: NotebookToken?
    try replay(container) { context, _ in
      var descriptor = HistoryDescriptor<NotebookLine>()
      if let token { descriptor.predicate = #Predicate { $0.token > token } }
      do {
        let lines = try context.fetchHistory(descriptor)
        let isFirst = token == nil
        token = lines.last?.token ?? token
        return (lines.flatMap(\.changes), !isFirst)
      } catch SwiftDataError.historyTokenExpired {
        token = try context.fetchHistory(HistoryDescriptor<NotebookLine>()).last?.token
        return ([], false)
      }
    }
  }

  /// - Parameter news: Returns the changes since the previous call.
  private func replay(
    _ source: ModelContainer, _ news: (ModelContext, inout SeededGenerator) throws -> News
  ) throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    var program = RandomSaves(source, seed: seed)
    let target = try HistoryFixture(.memory)
    var replica = Replica(of: source, in: target.container)
    var log: [String] = []
    var (steps, comparisons) = (0, 0)
    for round in 0..<Self.rounds {
      _ = program.round()
      log.append("\(round): \(program.log.joined(separator: "; "))")
      guard Int.random(in: 0..<4, using: &random) == 0 || round == Self.rounds - 1 else { continue }
      let words = "seed \(seed)\n\(log.joined(separator: "\n"))"
      let told = try news(ModelContext(source), &random)
      do {
        if told.isComplete { try replica.apply(told.changes) } else { try replica.applyEverything() }
      } catch {
        Issue.record("\(error): \(words)")
        return
      }
      let (expected, found) = (try StoredState(source), try replica.state())
      #expect(found == expected, "\(words)\n\(found.difference(from: expected))")
      if found != expected { return }
      steps += 1
      if !told.isComplete { comparisons += 1 }
      log = []
    }
    print("\(steps) steps, of which \(comparisons) compared everything; \(program.saved) saves")
    #expect(steps > comparisons || comparisons > Self.rounds / 20)
  }
}
