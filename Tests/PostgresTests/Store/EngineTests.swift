@testable import TestWorlds
import Foundation
import PostgresSupport
import StoreConformance
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

/// The profiles of other engines with PostgreSQL behind a proxy that rejects what an engine lacks.
@Suite(.serialized, .waiting) struct EngineTests {
  private static let schema = Schema([DiffRow.self, DiffGroup.self, DiffOwner.self, DiffPart.self, DiffLabel.self])

  @Test(arguments: EngineProfile.all.indices) func everyEngineConforms(engine index: Int) async throws {
    let engine = EngineProfile.all[index]
    let server = try PostgresServer.shared.get()
    let proxy = try engine.proxy(to: server)
    defer { proxy.stop() }
    let conformance = StoreConformance<PostgresConfiguration>(declining: [.nullCharacters]) {
      engine.configuration(server, proxy)
    }
    await withTaskGroup(of: Void.self) { group in
      let checks = Repetitions.sample(
        ConformanceCheck.all, every: 8, "checks of \(engine.capabilities.name)", shift: index * 3)
      for check in checks {
        group.addTask {
          do {
            try await conformance.verify(check)
          } catch {
            Issue.record("\(engine.capabilities.name): \(error)")
          }
        }
      }
    }
    #expect(proxy.rejections.isEmpty, "\(engine.capabilities.name)")
  }

  /// The proxies reject what the store uses with PostgreSQL, so the other tests can fail.
  @Test(arguments: EngineProfile.all.indices) func aProxyRejectsWhatAnEngineLacks(engine index: Int) throws {
    let server = try PostgresServer.shared.get()
    let proxy = try EngineProfile.all[index].proxy(to: server)
    defer { proxy.stop() }
    var configuration = EngineProfile.all[index].configuration(server, proxy)
    configuration.engine = .postgres
    configuration.schema = Self.schema
    #expect { try PostgresStore(configuration) } throws: { ($0 as? PostgresError)?.sqlState == "0A000" }
  }

  /// Many writers and readers: each reader gets every transaction once, in the order of its number.
  @Test func numbersAreInTheOrderOfCommits() async throws {
    let server = try PostgresServer.shared.get()
    let proxy = try EngineProfile.cockroach.proxy(to: server)
    defer { proxy.stop() }
    let configuration = EngineProfile.cockroach.configuration(server, proxy)
    let containers = try (0..<2).map { _ in try ModelContainer(for: Self.schema, configurations: [configuration]) }
    let isOver = Shared(false)
    let seen = try await withThrowingTaskGroup(of: [Int64].self) { group in
      for task in 0..<8 {
        group.addTask {
          for round in 0..<20 {
            try await containers[task % 2].performBackgroundTask { context in
              context.insert(DiffLabel(text: "\(task) \(round)", rows: []))
              try context.save()
            }
          }
          return []
        }
      }
      group.addTask {
        var numbers: [Int64] = []
        var token: DefaultHistoryToken?
        while true {
          let isLast = isOver.withLock { $0 }
          let news = try await containers[0].performBackgroundTask { [token] context in
            var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
            if let token { descriptor.predicate = #Predicate { $0.token > token } }
            return try context.fetchHistory(descriptor).map { ($0.id, $0.token) }
          }
          numbers += news.map(\.0)
          token = news.last?.1 ?? token
          if isLast { return numbers }
        }
      }
      for _ in 0..<8 { _ = try await group.next() }
      isOver.withLock { $0 = true }
      return try await group.next() ?? []
    }
    #expect(seen == Array(1...160))
  }

  /// A save that the engine would refuse is refused before it begins.
  @Test(arguments: [2_900, 3_000]) func aSaveIsSmallEnough(count: Int) throws {
    let server = try PostgresServer.shared.get()
    let proxy = try EngineProfile.dsql.proxy(to: server)
    defer { proxy.stop() }
    let context = ModelContext(
      try ModelContainer(for: Self.schema, configurations: [EngineProfile.dsql.configuration(server, proxy)]))
    for number in 0..<count { context.insert(DiffLabel(text: "\(number)", rows: [])) }
    proxy.forgetTrace()
    guard count > 2_998 else { return try context.save() }
    #expect { try context.save() } throws: { error in
      (error as? PostgresError)?.code == .tooManyRows && "\(error)".contains("3002 rows, and Aurora DSQL accepts 3000")
    }
    #expect(!proxy.trace.contains { $0.sql?.hasPrefix("INSERT") == true })
  }

  /// Without distribution, Citus gets the statements of PostgreSQL, so the tests of PostgreSQL are those of Citus.
  @Test func citusIsPostgreSQLOnItsCoordinator() {
    var citus = Capabilities.citus
    citus.name = Capabilities.postgres.name
    #expect(citus == .postgres)
  }

  /// Citus: the store calls its functions for the tables of the models. They only take notes here.
  @Test func tablesAreDistributedByTheirKeys() throws {
    let server = try PostgresServer()
    try server.psql(
      """
      CREATE TABLE calls (call text);
      CREATE FUNCTION create_distributed_table(regclass, text) RETURNS void LANGUAGE sql AS
      $$ INSERT INTO calls SELECT relname || ' by ' || $2 FROM pg_class WHERE oid = $1 $$;
      CREATE FUNCTION create_reference_table(regclass) RETURNS void LANGUAGE sql AS
      $$ INSERT INTO calls SELECT relname || ' replicated' FROM pg_class WHERE oid = $1 $$;
      """)
    var configuration = PostgresConfiguration(url: server.url())
    configuration.engine = .citus
    configuration.engine.distribution = .byRow
    _ = try ModelContainer(for: Self.schema, configurations: [configuration])
    let calls = try server.psql("SELECT call FROM calls ORDER BY call COLLATE \"C\"").split(separator: "\n")
    #expect(calls.contains("DiffLabel by id") && calls.contains("DiffGroup replicated"))
    let tables = try server.psql(
      "SELECT count(*) FROM pg_tables WHERE schemaname = 'public' AND tablename LIKE '%Diff%'")
    #expect("\(calls.count)" == tables)
    #expect(try server.psql("SELECT count(*) FROM pg_constraint WHERE contype = 'f'") == "0")
  }

  /// Programs that create a store at the same time agree on one, without locks.
  @Test func aStoreIsCreatedOnce() throws {
    for engine in [EngineProfile.yugabyte, EngineProfile.dsql] {
      let server = try PostgresServer.shared.get()
      let proxy = try engine.proxy(to: server)
      defer { proxy.stop() }
      var configuration = engine.configuration(server, proxy)
      configuration.schema = Self.schema
      let identifiers = Shared<[String]>([])
      let threads = (0..<6).map { [configuration] _ in
        Thread {
          do {
            let store = try PostgresStore(configuration)
            identifiers.withLock { $0.append(store.identifier) }
          } catch {
            identifiers.withLock { $0.append("\(error)") }
          }
        }
      }
      for thread in threads { thread.start() }
      for thread in threads { while !thread.isFinished { Thread.sleep(forTimeInterval: 0.01) } }
      let all = identifiers.withLock { $0 }
      #expect(all.count == 6 && Set(all).count == 1, "\(all)")
    }
  }
}
