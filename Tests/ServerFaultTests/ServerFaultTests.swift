import Foundation
import PostgresSupport
import Synchronization
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

@testable import TestWorlds

/// Faults of the server and invalid settings. Each causes a typed error without secrets, or the store recovers.
@Suite(.waiting) struct ServerFaultTests {
  private static let schema = Schema([DiffRow.self, DiffGroup.self, DiffOwner.self, DiffPart.self, DiffLabel.self])

  private static func container(_ configuration: PostgresConfiguration) throws -> ModelContainer {
    try ModelContainer(for: schema, configurations: [configuration])
  }

  private static func save(_ text: String, _ container: ModelContainer) throws {
    let context = ModelContext(container)
    for _ in 0..<3 { context.insert(DiffLabel(text: text, rows: [])) }
    try context.save()
  }

  /// The `PostgresError` that a call throws. Checks that its descriptions contain no secrets.
  private static func failure(hiding secrets: String..., in body: () throws -> Void) throws -> PostgresError? {
    do {
      try body()
      return nil
    } catch let error as PostgresError {
      var text = "\(error) \(String(reflecting: error)) \(error.localizedDescription)"
      dump(error, to: &text)
      for secret in secrets { #expect(!text.contains(secret)) }
      return error
    }
  }

  /// The server is killed while programs save, and then restarted. Every acknowledged save is applied once and
  /// completely.
  @Test func savesSurviveAKilledServer() throws {
    let server = try PostgresServer()
    let container = try Self.container(server.configuration())
    let acknowledged = Shared<Set<Int>>([])
    let isOver = Shared(false)
    let writers = (0..<3).map { task in
      Thread {
        var number = task
        while !isOver.withLock({ $0 }) {
          if (try? Self.save("\(number)", container)) != nil { _ = acknowledged.withLock { $0.insert(number) } }
          number += 3
          // Yield the processor to other tests.
          usleep(500)
        }
      }
    }
    for writer in writers { writer.start() }
    // The test blocks its thread, because a sleeping task may have to wait for other tests.
    func waitForSaves(after before: Int) {
      let end = ContinuousClock.now + .seconds(120)
      while acknowledged.withLock({ $0.count }) < before + 20, ContinuousClock.now < end { usleep(10_000) }
    }
    var before = 0
    let kills = Repetitions.scaled(1, upTo: 10)
    for _ in 0..<kills {
      // Allow a few saves between two kills.
      waitForSaves(after: before)
      try server.kill()
      usleep(50_000)
      try server.start()
      before = acknowledged.withLock { $0.count }
    }
    waitForSaves(after: before)
    isOver.withLock { $0 = true }
    while !writers.allSatisfy(\.isFinished) { usleep(10_000) }
    var counts: [Int: Int] = [:]
    for label in try ModelContext(container).fetch(FetchDescriptor<DiffLabel>()) {
      counts[Int(label.text) ?? -1, default: 0] += 1
    }
    let known = acknowledged.withLock { $0 }
    #expect(counts.values.allSatisfy { $0 == 3 }, "a save is applied twice or in part")
    #expect(known.allSatisfy { counts[$0] == 3 }, "an acknowledged save is lost")
    print("\(known.count) saves acknowledged, \(counts.count) applied beside \(kills) kills")
  }

  /// The role may have only one connection, which a thread occupies.
  @Test func tooManyConnectionsAreAnError() throws {
    let server = try PostgresServer.shared.get()
    try server.psql("CREATE ROLE single LOGIN SUPERUSER CONNECTION LIMIT 1")
    // Connection limits do not apply to superusers.
    var configuration = server.configuration()
    _ = try Self.container(configuration)
    let name = try #require(configuration.schemaName)
    try server.psql(
      """
      ALTER ROLE single NOSUPERUSER; GRANT USAGE ON SCHEMA "\(name)" TO single;
      GRANT ALL ON ALL TABLES IN SCHEMA "\(name)" TO single; GRANT ALL ON ALL SEQUENCES IN SCHEMA "\(name)" TO single;
      """)
    configuration = PostgresConfiguration(url: server.url(user: "single"))
    configuration.schemaName = name
    configuration.schema = Self.schema
    let store = try PostgresStore(configuration)
    let (isHeld, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread {
      try? store.readingOneState {
        isHeld.signal()
        isOver.wait()
      }
      isHeld.signal()
    }.start()
    isHeld.wait()
    let request = DataStoreFetchRequest<DiffLabel>(descriptor: .init(), editingState: EditingState())
    let error = try Self.failure { _ = try store.fetchCount(request) }
    #expect(error?.code == .connectionFailed && error?.message.contains("too many connections") == true)
    isOver.signal()
    isHeld.wait()
    #expect(try store.fetchCount(request) == 0)
  }

  /// After the password expires, the closure supplies a new one for each new connection.
  @Test func expiredPasswordsAreErrorsUntilRenewed() throws {
    let server = try PostgresServer()
    try server.psql("CREATE ROLE renewing LOGIN SUPERUSER PASSWORD 'first-secret' VALID UNTIL 'infinity'")
    let rules = server.folder.appendingPathComponent("data/pg_hba.conf")
    let handle = try FileHandle(forWritingTo: rules)
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: Data("local all renewing scram-sha-256\nlocal all all trust\n".utf8))
    try handle.close()
    try server.psql("SELECT pg_reload_conf()")
    let password = Shared("no-secret")
    var configuration = PostgresConfiguration(url: server.url(user: "renewing"))
    configuration.password = { password.withLock { $0 } }
    // The server applies its new rules with a delay.
    let end = ContinuousClock.now + .seconds(30)
    while (try? Self.container(configuration)) != nil, ContinuousClock.now < end { usleep(20_000) }
    password.withLock { $0 = "first-secret" }
    configuration.poolSize = 1
    let container = try Self.container(configuration)
    try Self.save("first", container)
    try server.psql(
      "ALTER ROLE renewing PASSWORD 'second-secret'; "
        + "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'renewing'")
    let isGone = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'renewing'"
    try server.wait(isGone, for: "0")
    let error = try Self.failure(hiding: "first-secret", "second-secret") { try Self.save("second", container) }
    #expect(error?.code == .connectionFailed)
    password.withLock { $0 = "second-secret" }
    try Self.save("third", container)
    try server.psql(
      "ALTER ROLE renewing VALID UNTIL '2001-01-01'; "
        + "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'renewing'")
    try server.wait(isGone, for: "0")
    let expired = try Self.failure(hiding: "second-secret") { try Self.save("fourth", container) }
    #expect(expired?.code == .connectionFailed)
    try server.psql("ALTER ROLE renewing VALID UNTIL 'infinity'")
    #expect(try Set(ModelContext(container).fetch(FetchDescriptor<DiffLabel>()).map(\.text)) == ["first", "third"])
  }

  /// A server that is reachable over the network. Another program may take the free port before the server does.
  private static func serverOnAPort() throws -> (PostgresServer, Int) {
    for _ in 0..<5 {
      let port = try LoopbackPort.free()
      if let server = try? PostgresServer(port: port) { return (server, port) }
    }
    let port = try LoopbackPort.free()
    return (try PostgresServer(port: port), port)
  }

  /// With TLS, the server's certificate must be issued by an authority that the program trusts, for the host name that
  /// the program uses.
  @Test func aWrongCertificateIsAnError() throws {
    let (server, port) = try Self.serverOnAPort()
    for name in ["server", "other"] {
      try server.psql(
        """
        COPY (SELECT) TO PROGRAM '/usr/bin/openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=db.test -addext subjectAltName=DNS:db.test \
        -keyout \(name).key -out \(name).crt 2>/dev/null && /bin/chmod 600 \(name).key \
        && /bin/cp \(name).crt ..'
        """)
    }
    try server.psql("ALTER SYSTEM SET ssl = on")
    try server.psql("SELECT pg_reload_conf()")
    func failure(_ host: String, _ authority: String, _ mode: String = "") throws -> PostgresError? {
      var configuration = PostgresConfiguration(
        url: "host=\(host) hostaddr=127.0.0.1 port=\(port) user=trellis password=a-secret dbname=postgres "
          + "sslrootcert=\(server.folder.path)/\(authority).crt sslmode=verify-full")
      configuration.schemaName = "tls"
      return try Self.failure(hiding: "a-secret") { _ = try Self.container(configuration) }
    }
    // Wait until the server has read its settings.
    let limit = Date(timeIntervalSinceNow: 30)
    while try failure("db.test", "server") != nil, Date() < limit { usleep(20_000) }
    #expect(try failure("db.test", "server") == nil)
    let unknown = try failure("db.test", "other")
    #expect(unknown?.code == .connectionFailed && unknown?.message.contains("certificate verify failed") == true)
    let renamed = try failure("db2.test", "server")
    #expect(renamed?.code == .connectionFailed && renamed?.message.contains("does not match host name") == true)
  }

  /// A server without TLS, and settings that would send a password to a remote host without verification.
  @Test(arguments: [
    "postgres://user:a-secret@db.example.com/trips?sslmode=require",
    "postgres://user:a-secret@127.example.com/trips?sslmode=prefer",
    "host=203.0.113.1 password=a-secret sslmode=disable",
    "host=/run,db.example.com password=a-secret sslmode=allow",
    "service=trips password=a-secret sslmode=require",
  ]) func remoteHostsNeedAVerifiedCertificate(url: String) throws {
    let configuration = PostgresConfiguration(url: url)
    let error = try Self.failure(hiding: "a-secret") { _ = try Self.container(configuration) }
    #expect(error?.code == .insecureConnection)
  }

  /// No description of a configuration, store or error contains any part of the password.
  @Test(arguments: [
    "postgres://user:to@p-secret@localhost:1/trips", "postgres://user:to/p-secret@localhost:1/trips",
    "postgres://user:top-secret@localhost:1/trips", "host=localhost port=1 password=top-secret",
    "host=localhost port=1 password='top-secret", "postgres://user:top-secret@localhost:1/trips?no=1",
    "postgres://user:%zztop-secret@localhost/trips",
  ]) func passwordsAreNotShown(url: String) throws {
    let configuration = PostgresConfiguration(url: url)
    var text = "\(configuration) \(String(reflecting: configuration)) \(configuration.place)"
    if url.contains("top-secret") {
      dump(configuration, to: &text)
      #expect(!text.contains("p-secret"))
    }
    let error = try Self.failure(hiding: "p-secret") { _ = try Self.container(configuration) }
    #expect(error?.code == .connectionFailed || error?.code == .invalidConfiguration)
  }

  /// An open store's mirror includes its connections.
  @Test func mirrorsOfAnOpenStoreDoNotContainThePassword() throws {
    let server = try PostgresServer.shared.get()
    var configuration = PostgresConfiguration(url: server.url() + " password=top-secret")
    configuration.directURL = configuration.place.isEmpty ? nil : server.url() + " password=top-secret"
    configuration.schemaName = server.configuration().schemaName
    configuration.schema = Self.schema
    let store = try PostgresStore(configuration)
    var text = ""
    dump(store, to: &text, maxDepth: 6)
    dump(configuration, to: &text)
    #expect(text.contains("PostgresPool") && !text.contains("top-secret"))
  }

  /// The tables are on a file system with four megabytes.
  @Test(.enabled(if: SmallVolume.isPossible, "a file system can only be mounted by root"))
  func aFullDiskIsAnError() throws {
    let server = try PostgresServer()
    let volume = try SmallVolume(in: server.folder, megabytes: 4)
    defer { volume.remove() }
    try server.psql("CREATE TABLESPACE small LOCATION '\(volume.path)'")
    try server.psql("CREATE DATABASE full_disk")
    try server.psql("ALTER DATABASE full_disk SET default_tablespace = 'small'")
    let container = try Self.container(PostgresConfiguration(url: server.url("full_disk")))
    let large = String(repeating: "x", count: 1_500)
    func save(_ number: Int) throws {
      let context = ModelContext(container)
      for row in 0..<100 { context.insert(DiffLabel(text: "\(number) \(row) \(large)", rows: [])) }
      try context.save()
    }
    var saved = 0
    var error: PostgresError?
    while error == nil, saved < 100 {
      error = try Self.failure { try save(saved) }
      if error == nil { saved += 1 }
    }
    #expect(error?.sqlState == "53100")
    func count() throws -> Int { try ModelContext(container).fetchCount(FetchDescriptor<DiffLabel>()) }
    #expect(try count() == saved * 100 && saved > 0)
    try volume.grow(megabytes: 16)
    try save(saved)
    #expect(try count() == (saved + 1) * 100)
  }

  /// The write-ahead log is on a file system with 48 megabytes. The server stops when it is full, and continues when
  /// there is more space. Every acknowledged save is applied once and completely.
  @Test(.enabled(if: SmallVolume.isPossible, "a file system can only be mounted by root"))
  func aFullWriteAheadLogDiskLosesNothing() throws {
    let server = try PostgresServer()
    let volume = try SmallVolume(in: server.folder, megabytes: 48)
    defer {
      try? server.kill()
      volume.remove()
    }
    var configuration = server.configuration()
    configuration.timeouts.pool = .milliseconds(500)
    let container = try Self.container(configuration)
    try server.stop()
    try server.moveLog(to: volume)
    try server.start()
    // Text that the server cannot compress.
    let text = (0..<500).map { _ in String(UInt64.random(in: 0...UInt64.max), radix: 36) }.joined()
    func save(_ number: Int) throws {
      let context = ModelContext(container)
      for row in 0..<100 {
        context.insert(DiffLabel(text: "\(number) \(row) \(text)", rows: []))
      }
      try context.save()
    }
    var saved = 0
    var error: PostgresError?
    while error == nil, saved < 200 {
      error = try Self.failure { try save(saved) }
      if error == nil { saved += 1 }
    }
    let code = try #require(error?.code, "the disk is not full after \(saved) saves")
    #expect([.commitOutcomeUnknown, .connectionLost, .connectionFailed].contains(code) || error?.sqlState == "53100")
    #expect(saved > 0)
    try volume.grow(megabytes: 256)
    // The server's processes may already have ended.
    try? server.kill()
    try server.start()
    var counts: [Int: Int] = [:]
    for label in try ModelContext(container).fetch(FetchDescriptor<DiffLabel>()) {
      counts[Int(label.text.prefix { $0 != " " }) ?? -1, default: 0] += 1
    }
    #expect((0..<saved).allSatisfy { counts[$0] == 100 }, "an acknowledged save is lost")
    #expect(counts[saved, default: 0] == 0 || (counts[saved] == 100 && code == .commitOutcomeUnknown))
    #expect(counts.keys.allSatisfy { $0 <= saved })
    try save(saved + 1)
    print("\(saved) saves until the log was full, then \(code)")
  }
}
