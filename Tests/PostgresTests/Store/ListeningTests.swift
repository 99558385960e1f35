import Foundation
import PostgresSupport
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

@testable import TestWorlds

/// The connection that a store listens on, and the behaviour of observers without such a connection.
@Suite(.waiting) struct ListeningTests {
  private static let schema = Schema([DiffRow.self, DiffGroup.self, DiffOwner.self, DiffPart.self, DiffLabel.self])
  /// An observer without notifications polls every two seconds.
  private static let bound = Duration.seconds(20)

  private static func container(_ configuration: PostgresConfiguration) throws -> ModelContainer {
    try ModelContainer(for: schema, configurations: [configuration])
  }

  private static func save(_ text: String, _ container: ModelContainer) throws {
    let context = ModelContext(container)
    context.insert(DiffLabel(text: text, rows: []))
    try context.save()
  }

  private static func wait(for condition: () -> Bool) {
    let begun = ContinuousClock.now
    while !condition(), begun.duration(to: .now) < bound { usleep(5_000) }
  }

  private static func listens(_ proxy: ProtocolProxy) -> Bool {
    proxy.trace.contains { $0.sql?.hasPrefix("LISTEN") == true }
  }

  /// The store uses the direct URL only for listening, and the other URL for everything else.
  @Test func storesListenThroughTheDirectURL() throws {
    let server = try PostgresServer.shared.get()
    let (pooler, direct) = (try ProtocolProxy(to: server), try ProtocolProxy(to: server))
    defer {
      pooler.stop()
      direct.stop()
    }
    var configuration = PostgresConfiguration(url: pooler.url())
    configuration.directURL = direct.url()
    configuration.schemaName = server.configuration().schemaName
    let container = try Self.container(configuration)
    let observer = try HistoryObserver(modelContainer: container, isolation: nil)
    Self.wait { Self.listens(direct) }
    #expect(Self.listens(direct) && !Self.listens(pooler))
    // Only the connection settings and LISTEN.
    let statements = direct.trace.compactMap(\.sql)
    #expect(statements.count == 1 && direct.connectionCount == 1, "\(statements)")
    var other = PostgresConfiguration(url: server.url())
    other.schemaName = configuration.schemaName
    // The program sends notifications some time after its save.
    let program = try Self.container(other)
    defer { withExtendedLifetime(program) {} }
    try Self.save("first", program)
    Self.wait { observer.eventCounter == 1 }
    #expect(observer.eventCounter == 1)
    // The notification arrives through the direct connection. The observer may have polled before that.
    Self.wait { direct.trace.contains { $0.sender == .server && $0.kind == .typed("A") } }
    #expect(direct.trace.contains { $0.sender == .server && $0.kind == .typed("A") })
    #expect(!pooler.trace.contains { $0.sender == .server && $0.kind == .typed("A") })
  }

  /// Behind pgbouncer in transaction mode, notifications are lost. An observer without a direct URL finds the saves by
  /// polling. `./run test --all` sets `TRELLIS_POOLER`.
  @Test(.enabled(if: Pooler.isTested, "pgbouncer is tested with './run test --all'"))
  func withoutADirectURLObserversPoll() throws {
    let server = try PostgresServer()
    let pooler = try Pooler(to: server, connections: 3)
    defer { pooler.stop() }
    let container = try Self.container(PostgresConfiguration(url: pooler.url()))
    let other = try Self.container(PostgresConfiguration(url: server.url()))
    let observer = try HistoryObserver(modelContainer: container, isolation: nil)
    for number in 1...3 {
      try Self.save("\(number)", other)
      Self.wait { observer.eventCounter == number }
      #expect(observer.eventCounter == number)
    }
    #expect(Set(try ModelContext(container).fetch(FetchDescriptor<DiffLabel>()).map(\.text)) == ["1", "2", "3"])
  }
}
