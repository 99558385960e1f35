import PostgresSupport
import StoreConformance
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

@testable import TestWorlds

/// Runs all store conformance checks with PostgreSQL. A short run includes one sixth of them.
@Suite(.waiting) struct ConformanceTests {
  @Test(arguments: Repetitions.sample(ConformanceCheck.all, every: 6, "checks of a PostgreSQL store"))
  func postgresStore(check: ConformanceCheck) async throws {
    let server = try PostgresServer.shared.get()
    let configuration = server.configuration()
    try await StoreConformance(
      declining: [.nullCharacters],
      breakSaves: { configuration, isBroken in
        let names = ["trellis_history", "broken"]
        let (from, to) = isBroken ? (names[0], names[1]) : (names[1], names[0])
        try server.psql("ALTER TABLE \"\(configuration.schemaName ?? "")\".\(from) RENAME TO \(to)")
      }
    ) { configuration }.verify(check)
  }
}
