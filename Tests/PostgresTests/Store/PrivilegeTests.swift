import Foundation
import PostgresSupport
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

@testable import TestWorlds

/// Operations without a required privilege. Each throws a server error that names the object, saves nothing, and leaves
/// the store's connections usable.
@Suite(.waiting) struct PrivilegeTests {
  private static let schema = Schema([Journey.self, JourneyStop.self])

  /// A role with all privileges on a store that contains three journeys with one stop each.
  private struct Place {
    let server: PostgresServer
    let role = "role_\(UInt64.random(in: 0...UInt64.max))"
    let schemaName: String

    init() throws {
      server = try PostgresServer.shared.get()
      let configuration = server.configuration()
      schemaName = configuration.schemaName ?? ""
      let context = ModelContext(try ModelContainer(for: schema, configurations: [configuration]))
      for number in 0..<3 {
        let journey = Journey(code: "\(number)", name: "name")
        journey.stops = [JourneyStop(place: "place")]
        context.insert(journey)
      }
      try context.save()
      try grant("CREATE ROLE \(role) LOGIN;")
    }

    var quotedSchema: String { "\"\(schemaName)\"" }

    /// Grants the role all privileges that a program needs.
    ///
    /// - Parameter statements: Statements that the server runs beforehand.
    func grant(_ statements: String = "") throws {
      try server.psql(
        """
        \(statements)
        GRANT USAGE ON SCHEMA \(quotedSchema) TO \(role);
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(quotedSchema) TO \(role);
        GRANT USAGE ON ALL SEQUENCES IN SCHEMA \(quotedSchema) TO \(role)
        """)
    }

    func revoke(_ right: String, _ object: String) throws {
      let kind = object.hasSuffix("_keys") || object.hasSuffix("_numbers") ? "SEQUENCE " : ""
      let name = object == schemaName ? "SCHEMA \(quotedSchema)" : "\(kind)\(quotedSchema).\"\(object)\""
      try server.psql("REVOKE \(right) ON \(name) FROM \(role)")
    }

    func container() throws -> ModelContainer {
      var configuration = PostgresConfiguration(url: server.url(user: role))
      configuration.schemaName = schemaName
      configuration.poolSize = 1
      return try ModelContainer(for: schema, configurations: [configuration])
    }

    /// The contents of all model tables and the history.
    func content() throws -> String {
      // A single call of `psql`, because there are many cases.
      try server.psql(
        ["Journey", "JourneyStop", "trellis_history", "trellis_tombstones"].map { table in
          "SELECT '\(table)', t::text COLLATE \"C\" FROM \(quotedSchema).\"\(table)\" AS t"
        }.joined(separator: " UNION ALL ") + " ORDER BY 1, 2")
    }
  }

  /// An operation of the program.
  enum Operation: String, Sendable {
    case open, fetch, count, insert, insertMany, update, delete, history
  }

  struct Case: Sendable, CustomStringConvertible {
    let operation: Operation
    let right: String
    /// The table or sequence; nil for the schema.
    let object: String?

    var description: String { "\(operation.rawValue) without \(right) on \(object ?? "the schema")" }
  }

  static let cases = [
    Case(operation: .open, right: "USAGE", object: nil),
    Case(operation: .open, right: "SELECT", object: "trellis_metadata"),
    // Without this privilege, a context would not see other programs' saves.
    Case(operation: .open, right: "SELECT", object: "trellis_history"),
    Case(operation: .fetch, right: "USAGE", object: nil),
    Case(operation: .fetch, right: "SELECT", object: "Journey"),
    Case(operation: .count, right: "SELECT", object: "Journey"),
    Case(operation: .insert, right: "INSERT", object: "Journey"),
    Case(operation: .insert, right: "INSERT", object: "JourneyStop"),
    Case(operation: .insert, right: "USAGE", object: "Journey_keys"),
    Case(operation: .insert, right: "INSERT", object: "trellis_history"),
    Case(operation: .insert, right: "USAGE", object: "trellis_history_numbers"),
    Case(operation: .insertMany, right: "INSERT", object: "JourneyStop"),
    Case(operation: .update, right: "UPDATE", object: "Journey"),
    Case(operation: .update, right: "INSERT", object: "trellis_history"),
    Case(operation: .delete, right: "DELETE", object: "Journey"),
    Case(operation: .delete, right: "INSERT", object: "trellis_tombstones"),
    Case(operation: .history, right: "SELECT", object: "trellis_history"),
  ]

  private static func perform(_ operation: Operation, _ context: ModelContext) throws {
    switch operation {
    case .open: break
    case .fetch: _ = try context.fetch(FetchDescriptor<Journey>())
    case .count: _ = try context.fetchCount(FetchDescriptor<Journey>())
    case .history: _ = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    case .insert, .insertMany:
      for number in 0..<(operation == .insert ? 1 : 1_050) {
        let journey = Journey(code: "new \(number)", name: "new")
        journey.stops = [JourneyStop(place: "new")]
        context.insert(journey)
      }
      try context.save()
    case .update:
      for journey in try context.fetch(FetchDescriptor<Journey>()) { journey.name = "changed" }
      try context.save()
    case .delete:
      for journey in try context.fetch(FetchDescriptor<Journey>()) { context.delete(journey) }
      try context.save()
    }
  }

  @Test(arguments: cases) func missingPrivilegesAreErrors(missing: Case) throws {
    let place = try Place()
    let object = missing.object ?? place.schemaName
    // Except when testing opening, the privilege is revoked after the store was opened.
    let container = missing.operation == .open ? nil : try place.container()
    let before = try place.content()
    try place.revoke(missing.right, object)
    var failure: PostgresError?
    do {
      try Self.perform(missing.operation, ModelContext(try container ?? place.container()))
    } catch {
      failure = try #require(error as? PostgresError, "\(error)")
    }
    #expect(failure?.code == .server && failure?.sqlState == "42501")
    #expect(failure?.message.contains(object) == true, "\(failure?.message ?? "no error")")
    #expect(try place.content() == before, "a part is saved")
    // The only connection still works.
    try place.grant()
    let after = try container ?? place.container()
    #expect(try ModelContext(after).fetchCount(FetchDescriptor<Journey>()) == 3)
    try Self.perform(missing.operation, ModelContext(after))
  }

  /// Tests a role that may not create a schema, and one that may not create tables in an existing schema.
  @Test(arguments: [false, true]) func creatingAStoreWithoutPrivileges(schemaExists: Bool) throws {
    let server = try PostgresServer.shared.get()
    let role = "role_\(UInt64.random(in: 0...UInt64.max))"
    var configuration = PostgresConfiguration(url: server.url(user: role))
    let name = try #require(server.configuration().schemaName)
    configuration.schemaName = name
    try server.psql("CREATE ROLE \(role) LOGIN")
    if schemaExists { try server.psql("CREATE SCHEMA \"\(name)\"; GRANT USAGE ON SCHEMA \"\(name)\" TO \(role)") }
    #expect {
      _ = try ModelContainer(for: Self.schema, configurations: [configuration])
    } throws: { error in
      let error = error as? PostgresError
      return error?.sqlState == "42501" && error?.message.contains(schemaExists ? name : "database postgres") == true
    }
    #expect(try server.psql("SELECT count(*) FROM pg_tables WHERE schemaname = '\(name)'") == "0")
  }

  /// The owner of a schema can create tables in it without the privilege to create schemas.
  @Test func schemaOwnersNeedNoDatabasePrivileges() throws {
    let server = try PostgresServer.shared.get()
    let role = "role_\(UInt64.random(in: 0...UInt64.max))"
    var configuration = PostgresConfiguration(url: server.url(user: role))
    configuration.schemaName = server.configuration().schemaName
    try server.psql(
      "CREATE ROLE \(role) LOGIN; CREATE SCHEMA \"\(configuration.schemaName ?? "")\" AUTHORIZATION \(role)")
    let context = ModelContext(try ModelContainer(for: Self.schema, configurations: [configuration]))
    context.insert(Journey(code: "a", name: "a"))
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Journey>()) == 1)
  }
}
