import Foundation
import PostgresSupport
import TestSupport
import Testing
import Trellis
import TrellisPostgres

/// Random saves of models in two stores of one container. Each store records its part, and the combined history is
/// complete.
struct SeveralStoresTests {
  private typealias Transaction = DefaultHistoryTransaction

  /// - Parameter kind: The kind of the second store.
  @Test(arguments: StoreKind.allCases) func historiesOfTwoStores_areCombined(kind: StoreKind) throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let folder = FileManager.default.temporaryDirectory.appending(path: "trellis-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let container = try container(folder, kind)
    var program = RandomSaves(container, seed: seed)
    var replica = Replica(of: container, in: try HistoryFixture(.memory).container)
    var before = try StoredState(container)
    var all: [Transaction] = []
    var forgotten: Set<Transaction> = []
    // Saved tokens of readers, with the number of transactions at that time.
    var kept: [(token: DefaultHistoryToken, count: Int)] = []
    var token: DefaultHistoryToken?
    for round in 0..<Repetitions.scaled(16, upTo: 160) {
      let outcome = program.round()
      let words = "seed \(seed), round \(round): \(program.log.joined(separator: "; "))"
      let after = try StoredState(container)
      let context = ModelContext(container)
      let now = try context.fetchHistory(HistoryDescriptor<Transaction>())
      let rest = all.filter { !forgotten.contains($0) }
      let news = Array(now.dropFirst(rest.count))
      #expect(Array(now.prefix(rest.count)) == rest, "\(words)")
      #expect(Set(news.map(\.storeIdentifier)).count == news.count, "one of each store: \(words)")
      #expect(news.allSatisfy { $0.author == outcome.author }, "\(words)")
      for transaction in news {
        let isOfDocuments = Set(
          transaction.changes.map { ["Document", "Report"].contains($0.changedPersistentIdentifier.entityName) })
        #expect(isOfDocuments.count == (outcome.isQuiet ? 0 : 1), "\(words)")
        for change in transaction.changes {
          #expect(change.changedPersistentIdentifier.storeIdentifier == transaction.storeIdentifier, "\(words)")
        }
      }
      let changed = Set(before.changes(to: after).keys.map { ["Document", "Report"].contains($0.entityName) })
      #expect(changed.count <= news.count, "\(words)")
      all += news
      before = after
      if let latest = try context.history.latestToken() { kept.append((latest, all.count)) }
      if Int.random(in: 0..<5, using: &random) == 0, let one = now.randomElement(using: &random) {
        let (last, author) = (one.token, one.author)
        var descriptor = HistoryDescriptor<Transaction>(
          predicate: Bool.random(using: &random)
            ? #Predicate { $0.token <= last } : #Predicate { $0.author == author && $0.token <= last })
        descriptor.fetchLimit = UInt64.random(in: 0...3, using: &random)
        if Bool.random(using: &random) { descriptor.sortBy = [SortDescriptor(\.timestamp, order: .reverse)] }
        let gone = Set(try context.fetchHistory(descriptor))
        try context.deleteHistory(descriptor)
        #expect(
          try context.fetchHistory(HistoryDescriptor<Transaction>()) == now.filter { !gone.contains($0) }, "\(words)")
        forgotten.formUnion(gone)
      }
      for reader in kept.shuffled(using: &random).prefix(2) {
        let rest = Array(all[reader.count...])
        do {
          try checkRest(rest, after: reader.token, context, &random, words)
          #expect(forgotten.isDisjoint(with: rest), "\(words)")
        } catch SwiftDataError.historyTokenExpired {
          #expect(!forgotten.isDisjoint(with: rest), "\(words)")
        }
      }
      guard round % 4 == 3 else { continue }
      do {
        let net = try context.history.changes(since: token)
        if net.isComplete { try replica.apply(net.changes) } else { try replica.applyEverything() }
        token = net.token
      } catch SwiftDataError.historyTokenExpired {
        try replica.applyEverything()
        token = try context.history.latestToken()
      }
      let found = try replica.state()
      #expect(found == after, "\(words)\n\(found.difference(from: after))")
      if found != after { return }
    }
    print("\(kind): \(program.saved) saves, \(all.count) transactions")
    // A short run may save nothing in one of the stores.
    #expect(Set(all.map(\.storeIdentifier)).count == 2 || !Repetitions.isThorough)
  }

  /// Checks that a query after a token returns the remaining transactions, both at once and in pages.
  private func checkRest(
    _ rest: [Transaction], after start: DefaultHistoryToken, _ context: ModelContext,
    _ random: inout SeededGenerator, _ words: String
  ) throws {
    var token = start
    var descriptor = HistoryDescriptor<Transaction>(predicate: #Predicate { $0.token > start })
    #expect(try context.fetchHistory(descriptor) == rest, "\(words)")
    let author: String? = [nil, "app", "widget"].randomElement(using: &random) ?? nil
    let isFiltered = Bool.random(using: &random)
    descriptor.fetchLimit = UInt64.random(in: 1...4, using: &random)
    var pages: [Transaction] = []
    var page: [Transaction] = []
    repeat {
      let position = token
      descriptor.predicate =
        isFiltered
        ? #Predicate { $0.token > position && $0.author == author } : #Predicate { $0.token > position }
      page = try context.fetchHistory(descriptor)
      #expect(page.count <= Int(descriptor.fetchLimit), "\(words)")
      pages += page
      token = page.last?.token ?? token
    } while !page.isEmpty && pages.count <= rest.count
    #expect(
      pages == rest.filter { !isFiltered || $0.author == author }, "\(words): \(descriptor.fetchLimit) at a time")
  }

  private func container(_ folder: URL, _ kind: StoreKind) throws -> ModelContainer {
    let (documents, parcels): (Schema, Schema) = (
      Schema([Document.self, Report.self]),
      Schema([Parcel.self, Item.self, Label.self, Stamp.self, Stop.self])
    )
    let second: any DataStoreConfiguration =
      switch kind {
      case .file: ModelConfiguration("documents", schema: documents, url: folder.appending(path: "b.store"))
      case .memory: ModelConfiguration("documents", schema: documents, isStoredInMemoryOnly: true)
      case .postgres: try PostgresServer.shared.get().configuration("documents", schema: documents)
      }
    return try ModelContainer(
      for: Schema([Parcel.self, Item.self, Label.self, Stamp.self, Stop.self, Document.self, Report.self]),
      configurations: [
        ModelConfiguration("parcels", schema: parcels, url: folder.appending(path: "a.store")), second,
      ])
  }
}
