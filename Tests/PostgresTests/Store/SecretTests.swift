import Foundation
import PostgresSupport
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

@testable import TestWorlds

/// No description of a configuration, container, store or error contains a password.
@Suite(.waiting) struct SecretTests {
  private static let schema = Schema([DiffRow.self, DiffGroup.self, DiffOwner.self, DiffPart.self, DiffLabel.self])
  /// Used in the URL, in the direct URL, and by a closure that supplies the password.
  private static let secrets = ["first-secret", "second-secret", "third-secret"]

  /// All string representations of a value.
  private static func texts(_ value: some Any) -> String {
    var text =
      "\(value) \(String(describing: value)) \(String(reflecting: value)) \(Mirror(reflecting: value).children)"
    if let error = value as? any Error { text += " \(error.localizedDescription) \(error as NSError)" }
    dump(value, to: &text, maxDepth: 6)
    return text
  }

  private static func expectNoSecret(_ value: some Any, _ comment: Comment) {
    let text = texts(value)
    for secret in secrets { #expect(!text.contains(secret), comment) }
  }

  /// A configuration with all three secrets.
  private static func configuration(_ server: PostgresServer, _ proxy: ProtocolProxy? = nil) -> PostgresConfiguration {
    var configuration = PostgresConfiguration(
      "secret store", url: (proxy?.url() ?? server.url()) + " password=\(secrets[0])")
    configuration.directURL = server.url() + " password=\(secrets[1])"
    configuration.password = { secrets[2] }
    configuration.schemaName = server.configuration().schemaName
    configuration.schema = schema
    return configuration
  }

  @Test func descriptionsContainNoSecrets() throws {
    let server = try PostgresServer.shared.get()
    let configuration = Self.configuration(server)
    Self.expectNoSecret(configuration, "the configuration")
    Self.expectNoSecret([configuration], "a list of configurations")
    Self.expectNoSecret(Optional(configuration) as Any, "an optional configuration")
    let container = try ModelContainer(for: Self.schema, configurations: [configuration])
    let context = ModelContext(container)
    context.insert(DiffLabel(text: "label", rows: []))
    try context.save()
    let observer = try HistoryObserver(modelContainer: container, isolation: nil)
    Self.expectNoSecret(container, "the container")
    Self.expectNoSecret(container.configurations, "the configurations of the container")
    Self.expectNoSecret(context, "the context")
    Self.expectNoSecret(observer, "the observer")
    Self.expectNoSecret(try PostgresStore(configuration), "the store")
    Self.expectNoSecret(try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()), "the history")
    Self.expectNoSecret(try FetchDescriptor<DiffLabel>().explain(in: context), "the explanation of a fetch")
    // The strings contain the expected details, so the checks above could fail.
    #expect(Self.texts(configuration).contains("secret store"))
    #expect(Self.texts(try PostgresStore(configuration)).contains("PostgresPool"))
  }

  /// Tests one error of each code.
  @Test func errorsContainNoSecrets() throws {
    let server = try PostgresServer.shared.get()
    let proxy = try ProtocolProxy(to: server)
    defer { proxy.stop() }
    var found = Set<PostgresError.Code>()
    func expect(_ code: PostgresError.Code, _ body: () throws -> Void) {
      do {
        try body()
        Issue.record("no error: \(code)")
      } catch {
        Self.expectNoSecret(error, "\(code)")
        #expect((error as? PostgresError)?.code == code, "\(error)")
        if let error = error as? PostgresError { found.insert(error.code) }
      }
    }
    func count(_ store: PostgresStore) throws {
      _ = try store.fetchCount(DataStoreFetchRequest<DiffLabel>(descriptor: .init(), editingState: EditingState()))
    }
    func save(_ container: ModelContainer, _ texts: [String] = ["label"]) throws {
      let context = ModelContext(container)
      for text in texts { context.insert(DiffLabel(text: text, rows: [])) }
      try context.save()
    }
    let base = Self.configuration(server, proxy)
    func changed(_ change: (inout PostgresConfiguration) -> Void) -> PostgresConfiguration {
      var configuration = base
      change(&configuration)
      return configuration
    }
    func at(_ url: String) -> PostgresConfiguration {
      var configuration = PostgresConfiguration("secret store", url: url)
      configuration.password = base.password
      configuration.schema = Self.schema
      return configuration
    }

    expect(.invalidConfiguration) { _ = try PostgresStore(at("host=/tmp password='first-secret")) }
    expect(.invalidConfiguration) { _ = try PostgresStore(at("postgres://user:first-secret@a@b/c")) }
    expect(.insecureConnection) { _ = try PostgresStore(at("host=203.0.113.1 password=first-secret sslmode=allow")) }
    expect(.connectionFailed) { _ = try PostgresStore(at("host=/nowhere password=first-secret")) }

    let container = try ModelContainer(for: Self.schema, configurations: [base])
    try save(container)
    let store = try PostgresStore(base)
    // Cut every connection, so that the retried read fails too.
    proxy.setRule { $0.sender == .client && $0.kind != .startup ? .cut : .forward }
    expect(.connectionLost) { try count(store) }
    proxy.setRule { _ in .forward }

    // A busy machine may exceed the time limit while opening the store.
    var impatient: PostgresStore?
    for _ in 0..<20 where impatient == nil {
      impatient = try? PostgresStore(changed { $0.timeouts.answer = .milliseconds(300) })
    }
    let stalled = try #require(impatient)
    proxy.setRule { _ in .stall }
    expect(.answerTimeout) { try count(stalled) }
    proxy.setRule { _ in .forward }

    let narrow = try PostgresStore(
      changed {
        $0.poolSize = 1
        $0.timeouts.pool = .milliseconds(50)
      })
    let (isHeld, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread {
      try? narrow.readingOneState {
        isHeld.signal()
        isOver.wait()
      }
      isHeld.signal()
    }.start()
    isHeld.wait()
    expect(.poolTimeout) { try count(narrow) }
    isOver.signal()
    isHeld.wait()

    let unprepared = try ModelContainer(for: Self.schema, configurations: [changed { $0.preparesStatements = false }])
    proxy.setRule { $0.sql?.contains("DiffLabel") == true ? .reject(sqlState: "42501", "no right") : .forward }
    expect(.server) { try save(unprepared, ["another"]) }
    proxy.setRule { _ in .forward }
    expect(.nullCharacter) { try save(container, ["a\0b"]) }

    // The response to COMMIT is lost. Without a history, the store cannot ask the server about the outcome.
    let forgetful = try ModelContainer(for: Self.schema, configurations: [changed { $0.history.isRecorded = false }])
    proxy.setRule { $0.sender == .server && $0.kind == .typed("C") && Self.isCommit($0) ? .cut : .forward }
    expect(.commitOutcomeUnknown) { try save(forgetful, ["in doubt"]) }
    proxy.setRule { _ in .forward }
    #expect(found.count == 9, "\(found)")
  }

  /// True for the server's response to COMMIT.
  private static func isCommit(_ message: ProtocolMessage) -> Bool {
    String(decoding: message.bytes, as: UTF8.self).contains("COMMIT")
  }
}
