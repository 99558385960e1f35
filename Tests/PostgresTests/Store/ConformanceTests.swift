@testable import TestWorlds
import PostgresSupport
import StoreConformance
import TestTraits
import Testing
import Trellis
import TrellisPostgres

/// Runs all checks of stores with PostgreSQL.
@Suite(.waiting) struct ConformanceTests {
  @Test(arguments: ConformanceCheck.all)
  func thePostgresStore(check: ConformanceCheck) async throws {
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
