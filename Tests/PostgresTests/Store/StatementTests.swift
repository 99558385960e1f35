import Foundation
import PostgresSupport
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

/// The statements of a connection: how long the server keeps them prepared, and which ones are retried.
@Suite(.waiting) struct StatementTests {
  private static let schema = Schema([Parcel.self, Crate.self, Tag.self])

  private static func context(_ proxy: ProtocolProxy) throws -> ModelContext {
    var configuration = PostgresConfiguration(url: proxy.url())
    configuration.schemaName = try PostgresServer.shared.get().configuration().schemaName
    configuration.poolSize = 1
    return ModelContext(try ModelContainer(for: schema, configurations: [configuration]))
  }

  /// 390 fetches with different statements.
  private static func fetches() -> [FetchDescriptor<Parcel>] {
    let keys: [(SortOrder) -> SortDescriptor<Parcel>] = [
      { SortDescriptor(\.label, order: $0) }, { SortDescriptor(\.weight, order: $0) },
      { SortDescriptor(\.note, order: $0) },
    ]
    var sorts: [[SortDescriptor<Parcel>]] = []
    func add(_ sort: [SortDescriptor<Parcel>], _ rest: [Int]) {
      if !sort.isEmpty { sorts.append(sort) }
      for key in rest {
        for order in [SortOrder.forward, .reverse] { add(sort + [keys[key](order)], rest.filter { $0 != key }) }
      }
    }
    add([], [0, 1, 2])
    let predicates: [Predicate<Parcel>?] = [
      nil, #Predicate { $0.weight > 0 }, #Predicate { $0.weight < 9 }, #Predicate { $0.note == nil },
      #Predicate { $0.label == "a" },
    ]
    return predicates.flatMap { predicate in sorts.map { FetchDescriptor(predicate: predicate, sortBy: $0) } }
  }

  /// The highest number of prepared statements in a session at any time, according to the messages.
  private static func mostPrepared(_ proxy: ProtocolProxy) -> Int {
    var (names, most) = (Set<String>(), 0)
    for message in proxy.trace {
      guard let sql = message.sql else { continue }
      if sql == "DEALLOCATE ALL" {
        names.removeAll()
      } else {
        let name = String(decoding: message.bytes.dropFirst(5).prefix { $0 != 0 }, as: UTF8.self)
        if !name.isEmpty { names.insert(name) }
      }
      most = max(most, names.count)
    }
    return most
  }

  /// - Parameter isRefused: True behind a pooler that prepares statements under different names and does not know those
  ///   of the store.
  @Test(arguments: [false, true]) func theServerKeepsALimitedNumberOfStatements(isRefused: Bool) throws {
    let proxy = try ProtocolProxy(to: try PostgresServer.shared.get()) { message in
      isRefused && message.sql?.hasPrefix("DEALLOCATE ") == true
        ? .reject(sqlState: "26000", "prepared statement does not exist") : .forward
    }
    defer { proxy.stop() }
    let context = try Self.context(proxy)
    let parcels = [("a", 1.0), ("b", 2), ("c", 10)].map { Parcel(label: $0, weight: $1) }
    for parcel in parcels { context.insert(parcel) }
    try context.save()
    let fetches = Self.fetches()
    #expect(fetches.count == 390)
    for _ in 0..<2 {
      for fetch in fetches {
        let wanted = try parcels.filter { try fetch.predicate?.evaluate($0) ?? true }.map(\.label)
        #expect(try context.fetch(fetch).map(\.label).sorted() == wanted)
      }
    }
    // This save uses the oldest statements, which are prepared again.
    context.insert(Parcel(label: "d"))
    try context.save()
    let most = Self.mostPrepared(proxy)
    #expect(most > 200 && most <= 270, "\(most) prepared statements")
    #expect(proxy.connectionCount == 1)
  }

  /// The response arrives after the store has stopped waiting for it. A later statement on the connection would mistake
  /// it for its own response.
  @Test func aLateResponseToDeallocatingStatementsClosesTheConnection() throws {
    let server = try PostgresServer.shared.get()
    let direct = server.configuration()
    let setup = ModelContext(try ModelContainer(for: Self.schema, configurations: [direct]))
    setup.insert(Parcel(label: "a", weight: 1))
    try setup.save()
    let proxy = try ProtocolProxy(to: server)
    defer { proxy.stop() }
    var configuration = PostgresConfiguration(schema: Self.schema, url: proxy.url())
    configuration.schemaName = direct.schemaName
    configuration.poolSize = 1
    configuration.timeouts.answer = .seconds(3)
    // Without a context, the store runs no statements in the background.
    let store = try PostgresStore(configuration, migrationPlan: nil)
    func labels(_ fetch: FetchDescriptor<Parcel>) throws -> [String?] {
      let request = DataStoreFetchRequest(descriptor: fetch, editingState: EditingState())
      return try store.fetch(request).fetchedSnapshots.map { $0[\Parcel.label] }
    }
    let released = Shared<[Int]>([])
    let timeout = DispatchSemaphore(value: 0)
    proxy.setRule { message in
      // The store cancels the statement that timed out.
      if message.kind == .cancelRequest {
        timeout.signal()
        return .cut
      }
      guard message.sql == "DEALLOCATE ALL" else { return .forward }
      released.withLock { $0.append(message.connection) }
      _ = timeout.wait(timeout: .now() + 60)
      return .forward
    }
    var fetches = Self.fetches().makeIterator()
    while Self.mostPrepared(proxy) <= 256, let fetch = fetches.next() { _ = try labels(fetch) }
    #expect(released.withLock { $0 } == [])
    #expect {
      try labels(FetchDescriptor())
    } throws: {
      ($0 as? PostgresError)?.code == .answerTimeout
    }
    let ended = released.withLock { $0 }
    #expect(ended.count == 1)
    #expect(try labels(FetchDescriptor()) == ["a"])
    let later = proxy.trace.drop { $0.sql != "DEALLOCATE ALL" }.dropFirst().filter { $0.sql != nil }
    #expect(!later.isEmpty && !later.contains { ended.contains($0.connection) })
  }

  /// A standby cancels a query with a conflict error if the primary has removed rows that the query reads.
  @Test func readsCancelledByAStandbyAreRetried() throws {
    let refusals = Shared(0)
    let proxy = try ProtocolProxy(to: try PostgresServer.shared.get()) { message in
      guard message.sql?.contains("FROM \"") == true else { return .forward }
      return refusals.withLock { rest in
        guard rest > 0 else { return .forward }
        rest -= 1
        return .reject(sqlState: "40001", "canceling statement due to conflict with recovery")
      }
    }
    defer { proxy.stop() }
    let context = try Self.context(proxy)
    context.insert(Parcel(label: "a"))
    try context.save()
    let descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
    refusals.withLock { $0 = 1 }
    #expect(try context.fetchHistory(descriptor).count == 1)
    #expect(refusals.withLock { $0 } == 0)
    refusals.withLock { $0 = 3 }
    #expect(try ModelContext(context.container).fetch(FetchDescriptor<Parcel>()).count == 1)
    #expect(refusals.withLock { $0 } == 0)
    refusals.withLock { $0 = 20 }
    #expect {
      try context.fetchCount(FetchDescriptor<Parcel>(predicate: #Predicate { $0.weight > 1 }))
    } throws: { ($0 as? PostgresError)?.sqlState == "40001" }
  }
}
