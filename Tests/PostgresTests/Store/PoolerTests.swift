import Foundation
import PostgresSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

@testable import TestWorlds

/// A store behind pgbouncer, which may use a different server connection for each transaction.
@Suite(.waiting) struct PoolerTests {
  private static let schema = Schema([DiffRow.self, DiffGroup.self, DiffOwner.self, DiffPart.self, DiffLabel.self])

  /// Two stores share three server connections. A statement that was prepared on one connection is unknown on the
  /// others. `./run test --all` sets `TRELLIS_POOLER`.
  @Test(.enabled(if: Pooler.isTested, "pgbouncer is tested with './run test --all'"))
  func everythingWorksInTransactionMode() async throws {
    let server = try PostgresServer()
    let pooler = try Pooler(to: server, connections: 3)
    defer { pooler.stop() }
    var configuration = PostgresConfiguration(url: pooler.url())
    configuration.directURL = server.url()
    configuration.poolSize = 6
    let shared = configuration
    let containers = try (0..<2).map { _ in try ModelContainer(for: Self.schema, configurations: [shared]) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<40 {
        group.addTask {
          try await containers[task % 2].performBackgroundTask { context in
            for round in 0..<5 {
              let label = DiffLabel(text: "\(task) \(round)", rows: [])
              context.insert(label)
              try context.save()
              label.text += "!"
              try context.save()
              let text = "\(task) \(round)!"
              let wanted = FetchDescriptor<DiffLabel>(predicate: #Predicate { $0.text == text })
              #expect(try context.fetch(wanted).map(\.text) == [text])
            }
          }
        }
      }
      try await group.waitForAll()
    }
    for container in containers {
      let labels = try ModelContext(container).fetch(FetchDescriptor<DiffLabel>())
      #expect(
        labels.count == 200 && Set(labels.map(\.text)).count == 200 && labels.allSatisfy { $0.text.hasSuffix("!") })
    }
    // The pooler has respected the limit, and connections that listen do not go through the pooler.
    let listening = try server.psql(
      "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND query LIKE 'LISTEN%'")
    let pooled = try server.psql(
      """
      SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND query NOT LIKE 'LISTEN%'
      AND pid <> pg_backend_pid()
      """)
    #expect((Int(pooled) ?? .max) <= 3)
    print("behind the pooler: \(pooled) connections, \(listening) listen")
  }

  /// Another program changes a table, so that a prepared statement's result has a different type. The statement is
  /// prepared again.
  @Test func staleStatementsArePreparedAgain() throws {
    let server = try PostgresServer.shared.get()
    var configuration = server.configuration()
    configuration.poolSize = 1
    let container = try ModelContainer(for: Self.schema, configurations: [configuration])
    let context = ModelContext(container)
    context.insert(DiffLabel(text: "a", rows: []))
    try context.save()
    func texts() throws -> [String] {
      try ModelContext(container).fetch(FetchDescriptor<DiffLabel>()).map(\.text)
    }
    #expect(try texts() == ["a"])
    let schema = try #require(configuration.schemaName)
    try server.psql("ALTER TABLE \"\(schema)\".\"DiffLabel\" ALTER COLUMN \"text\" TYPE varchar(40) COLLATE \"C\"")
    #expect(try texts() == ["a"])
  }
}
