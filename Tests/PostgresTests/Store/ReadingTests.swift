import Foundation
import PostgresSupport
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

@testable import TestWorlds

/// Fetches during other programs' saves, and fetches and saves of many rows.
@Suite(.waiting) struct ReadingTests {
  private static let schema = Schema([
    Studio.self, Badge.self, Piece.self, Painting.self, Sculpture.self, Subject.self, Artist.self,
  ])

  /// Another program inserts artists and updates their count in the studio, in one save. A fetch that prefetches the
  /// artists sees the same number in both places.
  @Test func fetchesAndPrefetchesReadAConsistentState() async throws {
    let configuration = try PostgresServer.shared.get().configuration()
    let containers = try (0..<2).map { _ in try ModelContainer(for: Self.schema, configurations: [configuration]) }
    let context = ModelContext(containers[0])
    for number in 0..<20 { context.insert(Studio(name: "\(number)", opened: .now)) }
    try context.save()
    let isOver = Shared(false)
    let saves = Shared(0)
    let writer = Thread {
      while !isOver.withLock({ $0 }) {
        let context = ModelContext(containers[1])
        for studio in (try? context.fetch(FetchDescriptor<Studio>())) ?? [] {
          studio.floor += 1
          studio.pieces.append(Piece(title: "new", maker: Artist(name: "new")))
        }
        if (try? context.save()) != nil { saves.withLock { $0 += 1 } }
      }
    }
    writer.start()
    defer { isOver.withLock { $0 = true } }
    var seen = Set<Int>()
    while seen.count < 10 {
      let reader = ModelContext(containers[0])
      var descriptor = FetchDescriptor<Studio>()
      descriptor.relationshipKeyPathsForPrefetching = [\.pieces]
      for studio in try reader.fetch(descriptor) {
        #expect(studio.pieces.count == studio.floor)
        seen.insert(studio.floor)
      }
    }
    isOver.withLock { $0 = true }
    #expect(saves.withLock { $0 } > 0)
  }

  /// The context provides the purposes, as for a file store. Failed statements are reported too.
  @Test func theTraceHasStatementsRowsAndPurposes() throws {
    let log = Shared<[TracedStatement]>([])
    var configuration = try PostgresServer.shared.get().configuration()
    configuration.trace = { statement in log.withLock { $0.append(statement) } }
    let container = try ModelContainer(for: Self.schema, configurations: [configuration])
    let context = ModelContext(container)
    for number in 0..<3 { context.insert(Studio(name: "\(number)", opened: .now)) }
    try context.save()
    let studios = try context.fetch(FetchDescriptor<Studio>())
    let names = try context.rows(
      "SELECT \(\Studio.name) FROM \(Studio.self) WHERE \(\Studio.floor) = \(0)", as: String.self)
    #expect(studios.count == 3 && names.count == 3)
    #expect(throws: PostgresError.self) { try context.rows("SELECT nothing FROM \(Studio.self)", as: Int.self) }
    let statements = log.withLock { $0 }
    let insertions = statements.filter { $0.purpose == .save && $0.sql.contains("INSERT INTO") }
    #expect(insertions.filter { $0.sql.contains("\"Studio\"") }.map(\.rows).reduce(0, +) == 3)
    #expect(statements.contains { $0.purpose == .fetch && $0.sql.contains("Studio") && $0.rows == 3 })
    #expect(statements.contains { $0.purpose == .sql && $0.sql.contains("\"floor\" = $1") && $0.rows == 3 })
    #expect(statements.contains { $0.purpose == .sql && $0.sql.hasPrefix("SELECT nothing") })
    #expect(statements.allSatisfy { $0.storeName == "default" && $0.duration > .zero })
  }

  /// Tests the expression and the view from the article *A server store*.
  @Test func otherProgramsReadDatesAsTimestamps() throws {
    let server = try PostgresServer.shared.get()
    let configuration = server.configuration()
    let schema = try #require(configuration.schemaName)
    let context = ModelContext(try ModelContainer(for: Self.schema, configurations: [configuration]))
    context.insert(Studio(name: "attic", opened: Date(timeIntervalSince1970: 1_796_000_000.5)))
    try context.save()
    let answer = try server.psql(
      """
      SET search_path TO "\(schema)"; SET TIME ZONE 'UTC';
      CREATE VIEW studios AS SELECT name, to_timestamp("opened" + 978307200) AS opened FROM "Studio";
      SELECT name, opened, pg_typeof(opened) FROM studios
      """)
    #expect(answer == "attic|2026-11-30 00:53:20.5+00|timestamp with time zone")
    #expect(try context.fetchCount(FetchDescriptor<Studio>()) == 1)
  }

  /// Many new rows are saved with COPY. If the table has row security, which COPY does not support, the rows are
  /// inserted with other statements.
  @Test(arguments: [false, true]) func manyRowsAreCopied(hasRowSecurity: Bool) throws {
    let server = try PostgresServer.shared.get()
    var configuration = server.configuration()
    let schema = configuration.schemaName ?? ""
    if hasRowSecurity {
      _ = try ModelContainer(for: Self.schema, configurations: [configuration])
      let role = "writer_\(UInt32.random(in: 0...UInt32.max))"
      try server.psql(
        """
        CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA "\(schema)" TO \(role);
        GRANT ALL ON ALL TABLES IN SCHEMA "\(schema)" TO \(role); GRANT ALL ON ALL SEQUENCES IN SCHEMA "\(schema)" TO \(role);
        ALTER TABLE "\(schema)"."Artist" ENABLE ROW LEVEL SECURITY;
        CREATE POLICY visible ON "\(schema)"."Artist" USING ("name" <> 'hidden')
        """)
      configuration = PostgresConfiguration(url: "host=\(server.folder.path) user=\(role) dbname=postgres")
      configuration.schemaName = schema
    }
    let container = try ModelContainer(for: Self.schema, configurations: [configuration])
    let context = ModelContext(container)
    let names = (0..<2_500).map { $0 % 7 == 0 ? "e\u{301} \($0)" : "artist \"\\\t\n\($0)" }
    for name in names { context.insert(Artist(name: name)) }
    try context.save()
    // Text that is not in Normalization Form C is preserved.
    #expect(
      try ModelContext(container).fetch(FetchDescriptor<Artist>()).map { Array($0.name.utf8) }
        == names.map { Array($0.utf8) })
    let plain = (0..<2_500).map { "plain \($0)" }
    for name in plain { context.insert(Artist(name: name)) }
    try context.save()
    #expect(try ModelContext(container).fetch(FetchDescriptor<Artist>()).map(\.name) == names + plain)
    let history = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(history.map(\.changes.count) == [2_500, 2_500])
    guard hasRowSecurity else { return }
    context.insert(Artist(name: "hidden"))
    #expect(throws: PostgresError.self) { try context.save() }
    context.rollback()
    try server.psql("INSERT INTO \"\(schema)\".\"Artist\" (\"id\", \"name\") VALUES (-1, 'hidden')")
    #expect(try context.fetchCount(FetchDescriptor<Artist>()) == 5_000)
  }

  /// If a copied row violates a constraint, the result is the same as for a single row.
  @Test func copiedRowViolatesAConstraint() throws {
    let configuration = try PostgresServer.shared.get().configuration()
    let container = try ModelContainer(
      for: Schema([DiffRow.self, DiffGroup.self, DiffOwner.self, DiffPart.self, DiffLabel.self]),
      configurations: [configuration])
    let context = ModelContext(container)
    context.insert(DiffGroup(number: 7, title: "first", rank: 0, flag: false, parent: nil, rows: []))
    try context.save()
    // Each model with an existing unique value replaces the earlier model.
    for number in 0..<2_000 {
      context.insert(DiffGroup(number: number, title: "copied", rank: 0, flag: false, parent: nil, rows: []))
    }
    try context.save()
    let found = try ModelContext(container).fetch(FetchDescriptor<DiffGroup>(sortBy: [SortDescriptor(\.number)]))
    #expect(found.map(\.number) == Array(0..<2_000) && found.allSatisfy { $0.title == "copied" })
  }
}
