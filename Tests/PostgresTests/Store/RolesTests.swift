import Foundation
import PostgresSupport
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

@testable import TestWorlds

/// The roles and policies from the article *Roles*. The tests run the article's statements.
@Suite(.serialized, .waiting) struct RolesTests {
  private static let schema = Schema([Journey.self, JourneyStop.self])

  /// The article's SQL blocks: the roles, privileges on existing tables, policies, policies for the history, and the
  /// search path.
  private static let blocks: [String] = {
    let article = Repository.root
      .appendingPathComponent("Sources/Runtime/TrellisPostgres/TrellisPostgres.docc/Roles.md")
    let text = (try? String(contentsOf: article, encoding: .utf8)) ?? ""
    return text.components(separatedBy: "```sql\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
  }()

  /// A server with the article's roles and a store in the schema `trips`, created by the role for migrations.
  private static let server = Result {
    let server = try PostgresServer()
    try server.psql(blocks[0])
    _ = try container("trips_migrations", on: server)
    return server
  }

  private static func container(
    _ role: String, on server: PostgresServer, schemaName: String? = "trips", allowsSave: Bool = true
  ) throws -> ModelContainer {
    var configuration = PostgresConfiguration(url: server.url(user: role))
    configuration.schemaName = schemaName
    configuration.allowsSave = allowsSave
    return try ModelContainer(for: schema, configurations: [configuration])
  }

  private static func journey(_ code: String, _ tenant: String, stops: [String] = []) -> Journey {
    let journey = Journey(code: code, name: "journey \(code)", tenant: tenant)
    journey.stops = stops.map { JourneyStop(place: $0) }
    return journey
  }

  private static func codes(_ context: ModelContext) throws -> [String] {
    try context.fetch(FetchDescriptor<Journey>(sortBy: [SortDescriptor(\.code)])).map(\.code)
  }

  private static func failure(_ body: () throws -> Void) -> PostgresError? {
    do {
      try body()
      return nil
    } catch {
      return error as? PostgresError
    }
  }

  @Test func theArticleContainsTheStatements() {
    #expect(Self.blocks.count == 5 && Self.blocks.allSatisfy { !$0.isEmpty })
  }

  /// Each role has the privileges for its work, and no others.
  @Test func eachRoleHasSufficientPrivileges() throws {
    let server = try Self.server.get()
    let context = ModelContext(try Self.container("trips_program", on: server))
    context.author = "program"
    // Few rows, some rows with one array per column, and many rows with COPY.
    for (name, count) in [("few", 3), ("some", 30), ("many", 1_100)] {
      for number in 0..<count { context.insert(Self.journey("\(name) \(number)", "", stops: ["a", "b"])) }
      try context.save()
    }
    #expect(try context.fetchCount(FetchDescriptor<Journey>()) == 1_133)
    for journey in try context.fetch(FetchDescriptor<Journey>()) { journey.name += "!" }
    try context.save()
    context.delete(try #require(context.fetch(FetchDescriptor<Journey>()).first))
    try context.save()
    #expect(try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).count == 5)
    try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    // This also deletes the preserved values of deleted rows.
    #expect(try server.psql("SELECT count(*) FROM trips.trellis_tombstones") == "0")

    let reader = ModelContext(try Self.container("trips_reader", on: server, allowsSave: false))
    #expect(try reader.fetchCount(FetchDescriptor<Journey>()) == 1_132)
    let observer = try HistoryObserver(modelContainer: reader.container, isolation: nil)
    context.insert(Self.journey("observed", ""))
    try context.save()
    let end = ContinuousClock.now + .seconds(20)
    while observer.eventCounter == 0, ContinuousClock.now < end { usleep(5_000) }
    #expect(observer.eventCounter == 1)
    #expect(try reader.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last?.author == "program")
    reader.insert(Self.journey("reader", ""))
    #expect(throws: SwiftDataError.self) { try reader.save() }
    reader.rollback()

    // Neither role has the privileges of the role for migrations, and the reader cannot save even if its configuration
    // allows saving.
    for role in ["trips_program", "trips_reader"] {
      let erasure = Self.failure { try Self.container(role, on: server).erase() }
      #expect(erasure?.sqlState == "42501", "\(role)")
      let creation = Self.failure { _ = try Self.container(role, on: server, schemaName: "\(role) own") }
      #expect(creation?.sqlState == "42501", "\(role)")
    }
    let pretender = ModelContext(try Self.container("trips_reader", on: server))
    pretender.insert(Self.journey("pretender", ""))
    #expect(Self.failure { try pretender.save() }?.sqlState == "42501")
    #expect(try server.psql("SELECT count(*) FROM trips.\"Journey\"") == "1133")
    try Self.container("trips_migrations", on: server).erase()
    #expect(try reader.fetchCount(FetchDescriptor<Journey>()) == 0)
    // The article's statements for existing tables grant the same privileges.
    try server.psql(Self.blocks[1])
    try Self.policies(on: server)
  }

  /// Tests the article's policies. Part of the test above, because the policies remain in the database.
  private static func policies(on server: PostgresServer) throws {
    try server.psql(blocks[2])
    try server.psql(blocks[3])
    let north = ModelContext(try container("trips_north", on: server))
    let south = ModelContext(try container("trips_south", on: server))
    for number in 0..<3 { north.insert(journey("north \(number)", "trips_north")) }
    try north.save()
    // Enough rows for COPY.
    for number in 0..<1_200 { south.insert(journey("south \(number)", "trips_south")) }
    try south.save()
    #expect(try codes(north) == ["north 0", "north 1", "north 2"])
    #expect(try north.fetchCount(FetchDescriptor<Journey>()) == 3)
    #expect(try south.fetchCount(FetchDescriptor<Journey>()) == 1_200)
    let reader = ModelContext(try container("trips_reader", on: server, allowsSave: false))
    #expect(try reader.fetchCount(FetchDescriptor<Journey>()) == 1_203)

    // Insert another tenant's row together with an own row.
    north.insert(journey("north 3", "trips_north"))
    north.insert(journey("smuggled", "trips_south"))
    #expect(failure { try north.save() }?.sqlState == "42501")
    north.rollback()
    // Change a visible row so that it would become invisible.
    let moved = try #require(north.fetch(FetchDescriptor<Journey>()).first)
    moved.tenant = "trips_south"
    #expect(failure { try north.save() }?.sqlState == "42501")
    north.rollback()
    #expect(try codes(north) == ["north 0", "north 1", "north 2"])

    // This unique value belongs to an invisible row. The error does not say which row it is.
    north.insert(journey("south 7", "trips_north"))
    let duplicate = failure { try north.save() }
    #expect(duplicate?.sqlState == "23505" && duplicate?.detail == nil)
    north.rollback()
    // A new row with a visible row's unique value replaces that row.
    north.insert(journey("north 1", "trips_north", stops: ["new"]))
    try north.save()
    #expect(try codes(ModelContext(north.container)) == ["north 0", "north 1", "north 2"])

    // A row that has become invisible is treated as deleted.
    let other = ModelContext(north.container)
    let lost = try #require(other.fetch(FetchDescriptor<Journey>(predicate: #Predicate { $0.code == "north 2" })).first)
    try server.psql("UPDATE trips.\"Journey\" SET \"tenant\" = 'trips_south' WHERE \"code\" = 'north 2'")
    lost.name = "changed"
    #expect(throws: SwiftDataError.modelValidationFailure) { try other.save() }
    #expect(try codes(ModelContext(north.container)) == ["north 0", "north 1"])
    #expect(try server.psql("SELECT \"name\" FROM trips.\"Journey\" WHERE \"code\" = 'north 2'") == "journey north 2")

    // Each tenant sees only its own history.
    let victim = try #require(south.fetch(FetchDescriptor<Journey>()).first)
    south.delete(victim)
    try south.save()
    func inserted(_ context: ModelContext) throws -> Int {
      try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).flatMap(\.changes)
        .count { if case .insert = $0 { true } else { false } }
    }
    #expect(try inserted(north) == 3 + 1 && inserted(south) == 1_200)
    func tombstones(_ role: String) throws -> String {
      try server.psql("SET ROLE \(role); SELECT count(*) FROM trips.trellis_tombstones")
    }
    #expect(try tombstones("trips_south") == "1" && tombstones("trips_north") == "0")
  }

  /// Tests a user with a search path, and another store in a different schema of the same database.
  @Test func searchPathsOfUsersWork() throws {
    let server = try Self.server.get()
    try server.psql(Self.blocks[4])
    let east = ModelContext(try Self.container("trips_east", on: server, schemaName: nil))
    east.insert(Self.journey("east", ""))
    try east.save()
    #expect(try server.psql("SELECT \"code\" FROM \"East\".\"Journey\"") == "east")
    #expect(try server.psql("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == "0")
    // Open the same store by its schema name, as a user with a different search path.
    let named = ModelContext(try Self.container("trellis", on: server, schemaName: "East"))
    #expect(try Self.codes(named) == ["east"])
    named.insert(Self.journey("named", ""))
    try named.save()
    #expect(try Self.codes(east) == ["east", "named"])
    // Behind a pooler in transaction mode, the user's search path applies as well. `./run test --all` starts a pooler.
    guard Pooler.isTested else { return }
    let pooler = try Pooler(to: server, connections: 2, users: ["trips_east"])
    defer { pooler.stop() }
    let configuration = PostgresConfiguration(url: pooler.url(user: "trips_east"))
    let pooled = ModelContext(try ModelContainer(for: Self.schema, configurations: [configuration]))
    #expect(try Self.codes(pooled) == ["east", "named"])
  }
}
