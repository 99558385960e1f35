import Foundation
import PostgresSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

/// A trigger that returns NULL prevents the server from writing a row, and the server reports no error.
@Suite(.waiting) struct SuppressedWriteTests {
  /// A context for a store with crates, and a trigger that suppresses an operation for one of them.
  private struct Place {
    let context: ModelContext
    private let server: PostgresServer
    private let schemaName: String

    init() throws {
      server = try PostgresServer.shared.get()
      let schema = Schema([Parcel.self, Crate.self, Tag.self])
      let configuration = server.configuration(schema: schema)
      schemaName = try #require(configuration.schemaName)
      context = ModelContext(try ModelContainer(for: schema, configurations: [configuration]))
    }

    func suppress(_ operation: String) throws {
      let row = operation == "DELETE" ? "OLD" : "NEW"
      try server.psql(
        """
        SET search_path TO "\(schemaName)";
        CREATE FUNCTION suppressed() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
        CREATE TRIGGER suppressing BEFORE \(operation) ON "Crate" FOR EACH ROW
        WHEN (\(row)."name" LIKE 'first%') EXECUTE FUNCTION suppressed()
        """)
    }

    func permit() throws {
      try server.psql("SET search_path TO \"\(schemaName)\"; DROP TRIGGER suppressing ON \"Crate\"")
    }

    func stored() throws -> [String] {
      let context = ModelContext(context.container)
      return try context.fetch(FetchDescriptor<Crate>()).map(\.name).sorted()
    }
  }

  private static func names(_ count: Int) -> [String] { (0..<count).map { $0 == 0 ? "first" : "\($0)" } }

  private static func isSuppressed(_ error: any Error) -> Bool {
    guard let error = error as? PostgresError else { return false }
    return error.code == .writeSuppressed && error.message.contains("'Crate'")
  }

  /// Tests one row, several rows in one statement, and rows saved with COPY.
  @Test(arguments: ["INSERT", "UPDATE", "DELETE"], [1, 20, 1_200])
  func aSuppressedWriteIsAnError(_ operation: String, _ count: Int) throws {
    let place = try Place()
    let crates = Self.names(count).map { Crate(name: $0) }
    for crate in crates { place.context.insert(crate) }
    if operation != "INSERT" { try place.context.save() }
    let before = try place.stored()
    try place.suppress(operation)
    switch operation {
    case "UPDATE": for crate in crates { crate.name += " changed" }
    case "DELETE": for crate in crates { place.context.delete(crate) }
    default: break
    }
    // Retrying the save fails again, and nothing is written.
    for _ in 0..<2 {
      #expect(performing: { try place.context.save() }, throws: Self.isSuppressed)
      #expect(place.context.hasChanges)
      #expect(try place.stored() == before)
    }
    try place.permit()
    try place.context.save()
    let expected: [String] =
      switch operation {
      case "INSERT": Self.names(count)
      case "UPDATE": Self.names(count).map { $0 + " changed" }
      default: []
      }
    #expect(try place.stored() == expected.sorted())
  }

  @Test(arguments: [1, 20, 1_200]) func aSuppressedBatchIsAnError(_ count: Int) throws {
    let place = try Place()
    try place.suppress("INSERT")
    let snapshots = Self.names(count).map { Crate.Snapshot(name: $0) }
    #expect(performing: { try place.context.insert(contentsOf: snapshots) }, throws: Self.isSuppressed)
    #expect(try place.stored().isEmpty)
    try place.permit()
    try place.context.insert(contentsOf: snapshots)
    #expect(try place.stored() == Self.names(count).sorted())
  }
}
