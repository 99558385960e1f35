import Foundation
import Testing
import Trellis

/// The history of a custom store, read through a context.
@Suite struct HistoryOfCustomStoresTests {
  let container: ModelContainer
  let context: ModelContext

  init() throws {
    container = try ModelContainer(
      for: Harbour.self, configurations: DiaryStore.Configuration(name: "diary"))
    context = ModelContext(container)
    context.author = "pilot"
    let harbour = Harbour(name: "Bergen")
    context.insert(harbour)
    try context.save()
    context.author = nil
    harbour.name = "Bjørgvin"
    try context.save()
    context.delete(harbour)
    try context.save()
  }

  @Test func transactionsCanBeSortedLimitedAndFiltered() throws {
    let all = try context.fetchHistory(HistoryDescriptor<DiaryPage>())
    #expect(all.map(\.token.page) == [1, 2, 3] && all.map(\.author) == ["pilot", nil, nil])
    let first = all[0].token
    let later = HistoryDescriptor<DiaryPage>(predicate: #Predicate { $0.token > first })
    #expect(try context.fetchHistory(later).map(\.id) == [2, 3])
    var latest = HistoryDescriptor<DiaryPage>(
      predicate: nil, sortBy: [SortDescriptor(\.transactionIdentifier, order: .reverse)])
    latest.fetchLimit = 1
    #expect(try context.fetchHistory(latest).map(\.id) == [3])
  }

  @Test func changesContainTheirModelsAndTombstones() throws {
    let changes = try context.fetchHistory(HistoryDescriptor<DiaryPage>()).flatMap(\.changes)
    #expect(Set(changes.map(\.changedPersistentIdentifier)).count == 1)
    var seen: [String] = []
    for change in changes {
      switch change {
      case .insert(_ as any HistoryInsert<Harbour>): seen.append("insert")
      case .update(let update as DiaryUpdate<Harbour>):
        seen.append("update \(update.updatedAttributes.contains { $0 == \Harbour.name })")
      case .delete(let deletion as DiaryDelete<Harbour>):
        seen.append("delete \(deletion.tombstone[\.name] as? String ?? "")")
        #expect(deletion.tombstone.map { $0 as? String } == ["gone"])
      default: Issue.record("\(change)")
      }
    }
    #expect(seen == ["insert", "update true", "delete gone"])
  }

  @Test func deletingHistoryKeepsOtherTransactions() throws {
    try context.deleteHistory(
      HistoryDescriptor<DiaryPage>(predicate: #Predicate { $0.author == "pilot" }))
    #expect(try context.fetchHistory(HistoryDescriptor<DiaryPage>()).map(\.id) == [2, 3])
  }

  @Test func S118_storesWithoutHistorySupportHaveNoHistory() throws {
    let plain = ModelContext(try ModelContainer(for: Ship.self, configurations: memory()))
    let descriptor = HistoryDescriptor<DiaryPage>()
    #expect(throws: DataStoreError.unsupportedFeature) { try plain.fetchHistory(descriptor) }
    #expect(throws: DataStoreError.unsupportedFeature) { try plain.deleteHistory(descriptor) }
  }

  @Test func historiesOfSeveralStoresAreMerged() throws {
    let both = try ModelContainer(
      for: Harbour.self, Ship.self,
      configurations: DiaryStore.Configuration(name: "a", schema: Schema(Harbour.self)),
      DiaryStore.Configuration(name: "b", schema: Schema(Ship.self)))
    let context = ModelContext(both)
    context.insert(Harbour(name: "Larvik"))
    try context.save()
    var descriptor = HistoryDescriptor<DiaryPage>()
    #expect(try context.fetchHistory(descriptor).map(\.storeIdentifier) == ["a"])
    descriptor.fetchLimit = 0
    #expect(try context.fetchHistory(descriptor).count == 1)
  }

  /// A history query returns the transactions of the stores with its transaction type.
  @Test func historiesOfDifferentTypes_areQueriedSeparately() throws {
    let both = try ModelContainer(
      for: Harbour.self, Ship.self,
      configurations: DiaryStore.Configuration(name: "diary", schema: Schema(Harbour.self)),
      ModelConfiguration("ships", schema: Schema(Ship.self), isStoredInMemoryOnly: true))
    let context = ModelContext(both)
    for number in 1...2 {
      context.insert(Harbour(name: "\(number)"))
      context.insert(Ship(name: "\(number)", hull: number))
      try context.save()
    }
    let pages = try context.fetchHistory(HistoryDescriptor<DiaryPage>())
    #expect(pages.map(\.id) == [1, 2] && pages.allSatisfy { $0.storeIdentifier == "diary" })
    let transactions = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(transactions.map(\.id) == [1, 2] && transactions.allSatisfy { $0.storeIdentifier != "diary" })
    try context.deleteHistory(HistoryDescriptor<DiaryPage>())
    #expect(try context.fetchHistory(HistoryDescriptor<DiaryPage>()).isEmpty)
    #expect(try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).count == 2)
    // A token of one type is not valid for the other type.
    let first = transactions[0].token
    #expect(
      HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > first }).startingTokens == [first]
    )
    let page = pages[0].token
    #expect(
      HistoryDescriptor<DiaryPage>(predicate: #Predicate { page < $0.token && $0.author == nil }).startingTokens == [
        page
      ])
    #expect(HistoryDescriptor<DiaryPage>(predicate: #Predicate { $0.token < page }).startingTokens.isEmpty)
  }

  @Test func didSaveContainsHistoryTokens() throws {
    nonisolated(unsafe) var tokens: [[String: any HistoryToken]] = []
    let observer = NotificationCenter.default.addObserver(
      forName: ModelContext.didSave, object: context, queue: nil
    ) { note in
      let key = ModelContext.NotificationKey.historyTokens
      for key in [AnyHashable(key), AnyHashable(key.rawValue)] {
        if let found = note.userInfo?[key] as? [String: any HistoryToken] { tokens.append(found) }
      }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    context.insert(Harbour(name: "Risør"))
    try context.save()
    #expect(tokens.map { $0["diary"] as? DiaryToken } == [DiaryToken(page: 4), DiaryToken(page: 4)])
  }
}
