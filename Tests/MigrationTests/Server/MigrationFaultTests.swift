import ClassicV1
import ClassicV2
import Foundation
import PostgresSupport
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

/// Faults at every message of a migration. Afterwards, the store has either the old version or the new one.
@Suite(.waiting) struct MigrationFaultTests {
  private typealias V1 = RolloutSchema.V1_0_0
  private typealias V3 = RolloutSchema.V3_0_0

  private typealias First = RolloutPlan.First

  /// A migration in place, and a migration that rewrites rows in the program.
  enum Kind: CaseIterable {
    case inPlace, withCode

    var plan: any SchemaMigrationPlan.Type {
      switch self {
      case .inPlace: RolloutMigrationPlan.self
      case .withCode: WithCode.self
      }
    }
  }

  /// The stage to the last version changes every row.
  enum WithCode: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { RolloutMigrationPlan.schemas }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: RolloutSchema.V2_0_0.self, toVersion: RolloutSchema.V3_0_0.self, willMigrate: nil,
          didMigrate: { context in
            for item in try context.fetch(FetchDescriptor<Item>()) { item.note = "seen" }
            try context.save()
          })
      ]
    }
    static var steps: [MigrationSteps] {
      RolloutMigrationPlan.steps.filter { $0.toVersion == RolloutSchema.V2_0_0.self }
    }
  }

  private func populated(_ server: PostgresServer? = nil) throws -> PostgresFixture {
    let fixture = try PostgresFixture(server)
    let context = try fixture.open(V1.self, First.self)
    for number in 0..<20 {
      let parcel = V1.Parcel(code: "\(number)", label: "e\u{301} \(number)", sender: "s")
      context.insert(parcel)
      parcel.scans = [V1.Scan(place: "Oslo"), V1.Scan(place: "Bodø")]
    }
    try context.save()
    return fixture
  }

  /// - Parameters:
  ///   - patience: The time limit for a response; nil for the configuration's limits.
  ///   - pool: The time limit for obtaining a connection, or for asking the server about a commit.
  private func open(
    _ fixture: PostgresFixture, _ kind: Kind, url: String? = nil, patience: Duration? = nil,
    pool: Duration = .seconds(5)
  ) throws -> ModelContext {
    let schema = Schema(versionedSchema: V3.self)
    var configuration = PostgresConfiguration(schema: schema, url: url ?? fixture.server.url())
    configuration.schemaName = fixture.configuration.schemaName
    configuration.timeouts.pool = pool
    if let patience {
      configuration.timeouts.connection = patience
      configuration.timeouts.answer = patience
      configuration.timeouts.migration = patience
    }
    return ModelContext(try ModelContainer(for: schema, migrationPlan: kind.plan, configurations: [configuration]))
  }

  private func state(_ fixture: PostgresFixture) throws -> (version: String, rows: String) {
    let version = try fixture.psql("SELECT value FROM trellis_metadata WHERE key = 'version'")
    let table = version == "1.0.0" ? "Parcel" : "Item"
    return (version, try fixture.psql("SELECT * FROM \"\(table)\" ORDER BY 1; SELECT * FROM \"Scan\" ORDER BY 1"))
  }

  /// Both kinds, each with the connection cut before or after a message is forwarded. A short run tests each kind and
  /// each variant once.
  private static let waysToGo: [(kind: Kind, reachesServer: Bool)] =
    Repetitions.isThorough
    ? Kind.allCases.flatMap { [(kind: $0, reachesServer: false), (kind: $0, reachesServer: true)] }
    : [(kind: .inPlace, reachesServer: false), (kind: .withCode, reachesServer: true)]

  /// From a certain message on, nothing reaches the server or the program. A short run tests only some of the messages.
  @Test(arguments: waysToGo)
  func theServerDisconnectsAtEveryMessage(kind: Kind, reachesServer: Bool) throws {
    var fixture = try populated()
    let proxy = try ProtocolProxy(to: fixture.server)
    defer { proxy.stop() }
    _ = try open(fixture, kind, url: proxy.url())
    let messages = proxy.trace.count
    #expect(messages > 60)
    fixture = try populated()
    let before = try state(fixture)
    let migrated = Shared(0)
    let distance = Repetitions.isThorough ? (kind == .inPlace ? 7 : 13) : max(messages / 3, 1)
    var step = Repetitions.isThorough ? 0 : Repetitions.offset(below: distance, "theServerDisconnectsAtEveryMessage")
    while step < messages + 20 {
      proxy.forgetTrace()
      let last = step
      proxy.setRule { message in
        message.step < last ? .forward : message.step == last && reachesServer ? .cutAfter : .cut
      }
      var failure: PostgresError?
      do {
        _ = try open(fixture, kind, url: proxy.url(), pool: .milliseconds(500))
      } catch let error as PostgresError {
        failure = error
      }
      proxy.setRule { _ in .forward }
      // The fault came after the store had been opened.
      if failure == nil { break }
      let after = try state(fixture)
      if after.version != "1.0.0" {
        migrated.withLock { $0 += 1 }
        #expect(after.version == "3.0.0")
        try check(fixture, kind)
        fixture = try populated()
      } else {
        #expect(after == before, "message \(step)")
      }
      step += distance
    }
    // The migration succeeds after the last fault.
    _ = try open(fixture, kind)
    try check(fixture, kind)
    print("\(kind): \(step) of \(messages) messages, \(migrated.withLock { $0 }) times committed")
  }

  private func check(_ fixture: PostgresFixture, _ kind: Kind) throws {
    let items = try open(fixture, kind).fetch(FetchDescriptor<Item>())
    #expect(items.count == 20 && items.allSatisfy { $0.scans.count == 2 })
    #expect(Set(items.map { Array($0.title.utf8) }) == Set((0..<20).map { Array("e\u{301} \($0)".utf8) }))
    #expect(items.allSatisfy { $0.note == (kind == .withCode ? "seen" : nil) })
  }

  /// One message fails. The migration is retried and continues from the result of the first attempt.
  @Test(arguments: Kind.allCases) func aMigrationIsRepeatedAfterOneFault(kind: Kind) throws {
    let proxy = try ProtocolProxy(to: PostgresServer.shared.get())
    defer { proxy.stop() }
    _ = try open(try populated(), kind, url: proxy.url())
    let messages = proxy.trace.count
    let seed = SeededGenerator.seed("aMigrationIsRepeatedAfterOneFault")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<Repetitions.scaled(2, upTo: 24) {
      let fixture = try populated()
      let step = Int.random(in: 20..<messages, using: &generator)
      let isOver = Shared(false)
      proxy.forgetTrace()
      proxy.setRule { message in
        guard message.step == step, !isOver.withLock({ $0 }) else { return .forward }
        isOver.withLock { $0 = true }
        return step % 2 == 0 ? .cut : .cutAfter
      }
      _ = try open(fixture, kind, url: proxy.url())
      proxy.setRule { _ in .forward }
      try check(fixture, kind)
      #expect(try state(fixture).version == "3.0.0")
    }
  }

  /// A message and all later messages are delayed, briefly or forever. The migration continues or throws a typed error.
  @Test(arguments: Kind.allCases) func messagesAreDelayed(kind: Kind) throws {
    let server = try PostgresServer.shared.get()
    let whole = try ProtocolProxy(to: server)
    _ = try open(try populated(), kind, url: whole.url())
    let messages = whole.trace.count
    whole.stop()
    let seed = SeededGenerator.seed("messagesAreDelayed")
    var generator = SeededGenerator(seed: seed)
    // A short run tests each of the three faults once, with one of the kinds.
    let first = kind == .inPlace ? 0 : 2
    for round in first..<(first + Repetitions.scaled(2, upTo: 9)) {
      let fixture = try populated()
      let before = try state(fixture)
      let step = Int.random(in: 20..<messages, using: &generator)
      let isDelayed = round % 3 == 0
      let action: ProtocolProxy.Action =
        isDelayed ? .delay(.milliseconds(50)) : round % 3 == 1 ? .stall : .stallAfter
      let proxy = try ProtocolProxy(to: server) { $0.step == step ? action : .forward }
      do {
        // A busy machine also delays responses.
        _ = try open(fixture, kind, url: proxy.url(), patience: isDelayed ? .seconds(30) : .milliseconds(300))
      } catch let error as PostgresError {
        #expect(!isDelayed && [.answerTimeout, .connectionFailed].contains(error.code), "message \(step): \(error)")
      }
      // The server holds a session's locks until it learns that the connection is gone.
      proxy.stop()
      let after = try state(fixture)
      #expect(after.version == "3.0.0" || after == before, "message \(step)")
      _ = try open(fixture, kind)
      try check(fixture, kind)
    }
  }

  /// The server is killed while a program migrates, and is then restarted.
  @Test func theServerIsKilled() throws {
    let server = try PostgresServer()
    let seed = SeededGenerator.seed("theServerIsKilled")
    var generator = SeededGenerator(seed: seed)
    for kind in Kind.allCases { try kill(server, kind, &generator) }
  }

  private func kill(_ server: PostgresServer, _ kind: Kind, _ generator: inout SeededGenerator) throws {
    var fixture = try populated(server)
    var versions: [String] = []
    for _ in 0..<Repetitions.scaled(1, upTo: 8) {
      let before = try state(fixture)
      let own = fixture
      // If the outcome of its commit is unknown, a store waits for the server, which is restarted after this thread
      // begins.
      let thread = Thread { _ = try? open(own, kind, pool: .milliseconds(300)) }
      thread.start()
      Thread.sleep(forTimeInterval: Double.random(in: 0...0.1, using: &generator))
      try server.kill()
      while !thread.isFinished { Thread.sleep(forTimeInterval: 0.01) }
      try server.start()
      let after = try state(fixture)
      versions.append(after.version)
      if after.version == "1.0.0" {
        #expect(after == before)
      } else {
        try check(fixture, kind)
        fixture = try populated(server)
      }
    }
    _ = try open(fixture, kind)
    try check(fixture, kind)
    print("\(kind): \(versions.joined(separator: ", ")) after a kill")
  }

  /// A trigger prevents the server from rewriting a row.
  @Test func aSuppressedWriteEndsTheMigration() throws {
    let fixture = try populated()
    let before = try state(fixture)
    try fixture.psql(
      """
      CREATE FUNCTION suppressed() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
      CREATE TRIGGER suppressing BEFORE INSERT ON "Scan" FOR EACH ROW EXECUTE FUNCTION suppressed()
      """)
    #expect {
      _ = try open(fixture, .withCode)
    } throws: { error in
      (error as? SwiftDataError)?.storeProblem == .migrationFailed && "\(error)".contains("a trigger or a row security")
    }
    #expect(try state(fixture) == before)
    // If a table is missing, the error names it before the migration starts.
    try fixture.psql("DROP TRIGGER suppressing ON \"Scan\"; ALTER TABLE \"Scan\" RENAME TO \"Scans\"")
    #expect {
      _ = try open(fixture, .withCode)
    } throws: { ($0 as? SwiftDataError)?.storeProblem == .drifted }
    try fixture.psql("ALTER TABLE \"Scans\" RENAME TO \"Scan\"")
    _ = try open(fixture, .withCode)
    try check(fixture, .withCode)
  }

  /// Programs that start at the same time migrate the store only once.
  @Test(arguments: Kind.allCases) func programsStartedConcurrentlyMigrateOnce(kind: Kind) throws {
    let fixture = try populated()
    let results = Shared<[String]>([])
    let threads = (0..<4).map { _ in
      Thread {
        do {
          let count = try open(fixture, kind).fetchCount(FetchDescriptor<Item>())
          results.withLock { $0.append("\(count)") }
        } catch {
          results.withLock { $0.append("\(error)") }
        }
      }
    }
    for thread in threads { thread.start() }
    for thread in threads { while !thread.isFinished { Thread.sleep(forTimeInterval: 0.01) } }
    #expect(results.withLock { $0 } == ["20", "20", "20", "20"])
    try check(fixture, kind)
    let gaps = try fixture.psql("SELECT count(*) FROM trellis_history")
    #expect(gaps == (kind == .withCode ? "2" : "1"))
  }

  /// Programs with the old version keep saving. The new version contains every acknowledged save.
  @Test(arguments: Kind.allCases) func savesDuringAMigrationAreKeptOrRejected(kind: Kind) throws {
    let fixture = try populated()
    let saved = Shared<[String]>([])
    let refusals = Shared<[String]>([])
    let end = ContinuousClock.now + .seconds(120)
    let threads = try (0..<3).map { number in
      let container = try fixture.open(V1.self, First.self).container
      return Thread {
        var round = 0
        while ContinuousClock.now < end {
          round += 1
          let code = "new \(number) \(round)"
          let context = ModelContext(container)
          context.insert(V1.Parcel(code: code, label: "l", sender: "s"))
          do {
            try context.save()
            saved.withLock { $0.append(code) }
          } catch {
            return refusals.withLock {
              $0.append("\((error as? SwiftDataError)?.storeProblem.map { "\($0)" } ?? "\(error)")")
            }
          }
        }
      }
    }
    for thread in threads { thread.start() }
    while saved.withLock({ $0.count }) < 20, refusals.withLock({ $0.isEmpty }), ContinuousClock.now < end {
      Thread.sleep(forTimeInterval: 0.005)
    }
    _ = try open(fixture, kind)
    for thread in threads { while !thread.isFinished { Thread.sleep(forTimeInterval: 0.01) } }
    #expect(refusals.withLock { $0 } == ["newerSchema", "newerSchema", "newerSchema"])
    let codes = try open(fixture, kind).fetch(FetchDescriptor<Item>()).map(\.code).filter { $0.hasPrefix("new") }
    #expect(Set(codes) == Set(saved.withLock { $0 }) && codes.count == saved.withLock { $0.count })
  }
}
