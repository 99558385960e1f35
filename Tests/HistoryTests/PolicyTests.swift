import Foundation
import TestSupport
import Testing
import Trellis

/// Tests of the recorded and retained transactions.
struct PolicyTests {
  @Test(arguments: StoreKind.allCases) func newestTransactionsAreKept(kind: StoreKind) throws {
    let fixture = try HistoryFixture(kind, { $0.history.retention = .newest(10) })
    let first = try token(fixture)
    // Save more transactions than the history keeps before it is shortened.
    for number in 0..<Repetitions.scaled(45, upTo: 200) {
      let item = Item(name: "\(number)")
      fixture.context.insert(item)
      try fixture.context.save()
      fixture.context.delete(item)
      try fixture.context.save()
    }
    let all = try fixture.all()
    #expect((10...74).contains(all.count), "\(all.count)")
    #expect(all.map(\.id) == Array((all[0].id)...(all[0].id + Int64(all.count) - 1)))
    #expect(throws: SwiftDataError.self) { try fixture.since(first) }
    guard kind == .file else { return }
    let tombstones = try Int(fixture.sql("SELECT COUNT(*) FROM trellis_tombstones")) ?? 0
    #expect((1...74).contains(tombstones))
  }

  @Test func oldTransactionsAreDeleted() throws {
    let fixture = try HistoryFixture(.file, { $0.history.retention = .age(.seconds(3600)) })
    for _ in 0..<20 { _ = try token(fixture) }
    _ = try fixture.sql("UPDATE trellis_history SET time = time - 7200.5 WHERE id <= 15")
    for _ in 0..<60 { _ = try token(fixture) }
    #expect(try fixture.all().first?.id == 16)
  }

  /// A clock that was years ahead must not prevent deletion for years.
  @Test func transactionsWithFutureDates_areDeleted() throws {
    let fixture = try HistoryFixture(.file, { $0.history.retention = .age(.seconds(3600)) })
    for _ in 0..<20 { _ = try token(fixture) }
    _ = try fixture.sql(
      "UPDATE trellis_history SET time = time - 7200.5 WHERE id <= 15; "
        + "UPDATE trellis_history SET time = time + 1e9 WHERE id IN (3, 19)")
    for _ in 0..<60 { _ = try token(fixture) }
    #expect(try fixture.all().first?.id == 16)
  }

  @Test func transactionsWithPastDates_deleteNoRecentTransactions() throws {
    let fixture = try HistoryFixture(.file, { $0.history.retention = .age(.seconds(3600)) })
    for _ in 0..<20 { _ = try token(fixture) }
    _ = try fixture.sql("UPDATE trellis_history SET time = time - 1e9 WHERE id = 10")
    for _ in 0..<60 { _ = try token(fixture) }
    #expect(try fixture.all().first?.id == 1)
  }

  @Test(arguments: [
    ModelConfiguration.Retention.newest(0), .newest(.min), .newest(1), .age(.zero), .age(.seconds(Int64.min)),
  ])
  func atLeastOneTransactionIsKept(retention: ModelConfiguration.Retention) throws {
    let fixture = try HistoryFixture(.file, { $0.history.retention = retention })
    var last: DefaultHistoryToken?
    for _ in 0..<130 { last = try token(fixture) }
    let all = try fixture.all()
    #expect((1...66).contains(all.count) && all.last?.id == 130)
    #expect(try fixture.since(#require(last)).isEmpty)
  }

  @Test(arguments: [ModelConfiguration.Retention.newest(.max), .age(.seconds(Int64.max))])
  func retentionBeyondTheHistoryKeepsEverything(retention: ModelConfiguration.Retention) throws {
    let fixture = try HistoryFixture(.file, { $0.history.retention = retention })
    for _ in 0..<130 { _ = try token(fixture) }
    #expect(try fixture.all().count == 130)
  }

  @Test(arguments: StoreKind.allCases) func unrecordedSaves_leaveADetectableGap(kind: StoreKind) throws {
    let fixture = try HistoryFixture(kind)
    let before = try token(fixture)
    fixture.context.recordsHistory = false
    fixture.context.author = "import"
    for number in 0..<5 { fixture.context.insert(Label(text: "\(number)")) }
    try fixture.context.save()
    try fixture.context.insert(contentsOf: [Stamp.Snapshot(motif: "ship")])
    fixture.context.recordsHistory = true
    fixture.context.insert(Label(text: "told"))
    try fixture.context.save()
    let news = try fixture.since(before)
    #expect(news.map(\.changes.count) == [0, 0, 1])
    #expect(news.map(\.isComplete) == [false, false, true])
    #expect(news.map(\.author) == ["import", "import", "import"])
  }

  @Test func historyDisabled_andEnabledAgain() throws {
    let fixture = try HistoryFixture()
    let before = try token(fixture)
    do {
      let context = ModelContext(try fixture.another { $0.history.isRecorded = false })
      context.insert(Label(text: "silent"))
      try context.save()
      #expect(try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).count == 1)
    }
    let context = ModelContext(try fixture.another())
    context.insert(Label(text: "heard"))
    try context.save()
    #expect(throws: SwiftDataError.self) { try fixture.since(before) }
    let all = try fixture.all()
    #expect(all.map(\.isComplete) == [true, false, true])
    #expect(try fixture.since(all[1].token).map(\.changes.count) == [1])
  }

  @Test func readOnlyStoresCanBeQueried() throws {
    let fixture = try HistoryFixture()
    _ = try token(fixture)
    var configuration = ModelConfiguration(schema: fixture.container.schema, url: fixture.url, allowsSave: false)
    configuration.history.retention = .newest(1)
    let store = try DefaultStore(configuration)
    #expect(try store.fetchHistory(HistoryDescriptor()).count == 1)
    #expect(throws: SwiftDataError.self) { try store.deleteHistory(HistoryDescriptor()) }
  }

  private func token(_ fixture: HistoryFixture) throws -> DefaultHistoryToken {
    fixture.context.insert(Label(text: "x"))
    try fixture.context.save()
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(sortBy: [SortDescriptor(\.id, order: .reverse)])
    descriptor.fetchLimit = 1
    return try #require(fixture.context.fetchHistory(descriptor).first?.token)
  }
}
