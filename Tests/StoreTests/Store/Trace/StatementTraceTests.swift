import CSQLite
import Foundation
import Synchronization
import Testing
import Trellis

/// Tests of the contents of a trace and the permitted calls in its closure.
@Suite struct StatementTraceTests {
  private let scratch: Scratch
  private let log = StatementLog()

  init() throws { scratch = try Scratch() }

  private func configuration(
    _ name: String, inMemory: Bool = false, trace: (@Sendable (TracedStatement) -> Void)? = nil
  ) -> ModelConfiguration {
    var configuration =
      inMemory
      ? ModelConfiguration(name, isStoredInMemoryOnly: true)
      : ModelConfiguration(name, url: scratch.file("\(name).store"))
    configuration.trace = trace ?? log.listener
    return configuration
  }

  private func container(_ configuration: ModelConfiguration) throws -> ModelContainer {
    try ModelContainer(for: Schema([KeepTag.self, Grain.self]), configurations: [configuration])
  }

  private func fill(_ container: ModelContainer, _ words: String...) throws {
    let context = ModelContext(container)
    for word in words { context.insert(KeepTag(word: word)) }
    try context.save()
  }

  /// The only statement during `body` whose SQL contains the text.
  private func statement(
    _ text: String = "FROM \"KeepTag\"", _ body: () throws -> Void
  ) throws -> StatementLog.Entry {
    log.removeAll()
    try body()
    let found = log.entries.filter { $0.statement.sql.contains(text) }
    try #require(found.count == 1, "\(found.map(\.statement.sql))")
    return found[0]
  }

  // MARK: Contents

  @Test func queriesReportTextRowsTimeAndPurpose() throws {
    let container = try container(configuration("tags"))
    try fill(container, "a", "b", "b")
    let word = "b"
    let clock = ContinuousClock()
    var found: StatementLog.Entry?
    let whole = try clock.measure {
      found = try statement {
        let tags = try ModelContext(container).fetch(
          FetchDescriptor<KeepTag>(predicate: #Predicate { $0.word == word }))
        #expect(tags.count == 2)
      }
    }
    let entry = try #require(found)
    #expect(entry.statement.purpose == .fetch)
    #expect(entry.statement.storeName == "tags")
    #expect(entry.statement.rows == 2)
    #expect(entry.statement.sql.contains("?"))
    #expect(!entry.statement.sql.contains("'b'"))
    #expect(entry.expanded.contains("'b'"))
    #expect(entry.statement.duration > .zero)
    #expect(entry.statement.duration < whole)
  }

  @Test func writesReportChangedRows() throws {
    let container = try container(configuration("tags", inMemory: true))
    let insertion = try statement("INSERT INTO \"KeepTag\"") { try fill(container, "a") }
    #expect(insertion.statement.purpose == .save)
    #expect(insertion.statement.rows == 1)
    #expect(insertion.expanded.contains("'a'"))
    try fill(container, "b", "c")
    log.removeAll()
    try container.erase()
    #expect(log.statements.filter { $0.sql == "DELETE FROM \"KeepTag\"" }.map(\.rows) == [3])
  }

  @Test func queryTimeIncludesProcessingOfRows() throws {
    let container = try container(configuration("tags"))
    try fill(container, "a", "b")
    let entry = try statement {
      try ModelContext(container).enumerateSnapshots(as: KeepTag.Snapshot.self) { _ in usleep(20_000) }
    }
    #expect(entry.statement.duration >= .milliseconds(40))
    #expect(entry.statement.rows == 2)
  }

  @Test func failedStatementsAreReported() throws {
    let container = try container(configuration("tags"))
    let context = ModelContext(container)
    for _ in 0..<2 {
      let grain = Grain()
      grain.int64 = .max
      context.insert(grain)
    }
    try context.save()
    log.removeAll()
    // SQLite's sum overflows, so a second statement computes the sum with a larger range.
    #expect(throws: (any Error).self) { try context.aggregate(.sum(\Grain.int64)) }
    #expect(log.statements.filter { $0.purpose == .aggregate }.count >= 2)
  }

  @Test func repreparedQueriesReportTheirRows() throws {
    let container = try container(configuration("tags"))
    try fill(container, "a", "b", "c")
    func fetch() throws { _ = try ModelContext(container).fetch(FetchDescriptor<KeepTag>()) }
    try fetch()
    // No read transaction is open any more.
    usleep(60_000)
    var handle: OpaquePointer?
    try #require(sqlite3_open(scratch.file("tags.store").path, &handle) == SQLITE_OK)
    try #require(sqlite3_exec(handle, "CREATE TABLE other(x)", nil, nil, nil) == SQLITE_OK)
    sqlite3_close(handle)
    log.removeAll()
    try fetch()
    let queries = log.statements.filter { $0.sql.contains("\"KeepTag\"") }
    #expect(queries.last?.rows == 3)
    #expect(queries.allSatisfy { $0.purpose == .fetch })
  }

  @Test func expandedSQLIsUnavailableAfterTheCall() throws {
    let container = try container(configuration("tags", inMemory: true))
    let entry = try statement("INSERT INTO \"KeepTag\"") { try fill(container, "secret") }
    #expect(entry.expanded.contains("secret"))
    #expect(entry.statement.expandedSQL() == entry.statement.sql)
  }

  @Test func statementsHaveADescription() {
    let query = TracedStatement(
      sql: "SELECT 1", purpose: .fetch, storeName: "default", duration: .milliseconds(2), rows: 1)
    #expect("\(query)" == "fetch from 'default', 1 row in 0.002 seconds: SELECT 1")
    #expect(query.expandedSQL() == "SELECT 1")
    let write = TracedStatement(
      sql: "INSERT ?", purpose: .save, storeName: "s", duration: .seconds(1), rows: 3, expansion: { "INSERT 7" })
    #expect("\(write)" == "save to 's', 3 rows in 1.0 seconds: INSERT ?")
    #expect(write.expandedSQL() == "INSERT 7")
    #expect(TracedStatement.Purpose(rawValue: "fetch") == .fetch)
  }

  // MARK: Configurations

  @Test func configurationsAreComparedWithoutTheirTraces() {
    let plain = ModelConfiguration("a", url: scratch.file("a.store"))
    var traced = plain
    traced.trace = { _ in }
    #expect(plain == traced)
    #expect(Set([plain, traced]).count == 1)
    #expect(plain.trace == nil && traced.trace != nil)
  }

  @Test func everyStoreOfAContainerHasItsOwnTrace() throws {
    let other = StatementLog()
    var tags = configuration("tags", inMemory: true)
    tags.schema = Schema([KeepTag.self])
    var grains = configuration("grains", inMemory: true, trace: other.listener)
    grains.schema = Schema([Grain.self])
    let container = try ModelContainer(
      for: Schema([KeepTag.self, Grain.self]), configurations: [tags, grains])
    let context = ModelContext(container)
    log.removeAll()
    other.removeAll()
    context.insert(KeepTag(word: "a"))
    context.insert(Grain())
    try context.save()
    #expect(log.statements.contains { $0.sql.contains("\"KeepTag\"") })
    #expect(log.statements.allSatisfy { $0.storeName == "tags" && !$0.sql.contains("\"Grain\"") })
    #expect(other.statements.contains { $0.sql.contains("\"Grain\"") })
    #expect(other.statements.allSatisfy { $0.storeName == "grains" && !$0.sql.contains("\"KeepTag\"") })
  }

  // MARK: The closure

  /// A closure that uses the container of the traced statement.
  private final class Intruder: Sendable {
    let container = Mutex<ModelContainer?>(nil)
    let errors = Mutex<[String]>([])

    func look() {
      guard let container = container.withLock({ $0 }) else { return }
      do {
        let count = try ModelContext(container).fetchCount(FetchDescriptor<KeepTag>())
        errors.withLock { $0.append("counted \(count)") }
      } catch {
        errors.withLock { $0.append("\(error)") }
      }
    }
  }

  @Test(arguments: [false, true])
  func theClosureCannotUseTheStore(inMemory: Bool) throws {
    let intruder = Intruder()
    let container = try container(configuration("tags", inMemory: inMemory) { _ in intruder.look() })
    intruder.container.withLock { $0 = container }
    defer { intruder.container.withLock { $0 = nil } }
    for round in 0..<20 {
      try fill(container, "\(round)")
      for _ in 0..<20 {
        #expect(try ModelContext(container).fetch(FetchDescriptor<KeepTag>()).count == round + 1)
      }
    }
    let errors = intruder.errors.withLock { $0 }
    #expect(errors.count >= 20 * 21)
    #expect(
      errors.allSatisfy { $0.contains("the 'trace' of configuration 'tags' uses the store") }, "\(errors.first ?? "")")
  }

  @Test func twoStoresCanReportToEachOther() throws {
    let boxes = [Box(), Box()]
    func open(_ number: Int) throws -> ModelContainer {
      let (log, other) = (log, boxes[1 - number])
      return try container(
        configuration("store\(number)", inMemory: true) { statement in
          log.listener(statement)
          guard let container = other.container.withLock({ $0 }) else { return }
          let context = ModelContext(container)
          context.insert(KeepTag(word: "\(statement.purpose)"))
          try? context.save()
        })
    }
    let containers = [try open(0), try open(1)]
    for (box, container) in zip(boxes, containers) { box.container.withLock { $0 = container } }
    defer { for box in boxes { box.container.withLock { $0 = nil } } }
    log.removeAll()
    #expect(try ModelContext(containers[0]).fetchCount(FetchDescriptor<KeepTag>()) == 0)
    let reported = log.statements
    #expect(reported.allSatisfy { $0.storeName == "store0" && $0.purpose == .count })
    boxes[0].container.withLock { $0 = nil }
    boxes[1].container.withLock { $0 = nil }
    #expect(
      try ModelContext(containers[1]).fetchCount(FetchDescriptor<KeepTag>()) == reported.count)
  }

  private final class Box: Sendable {
    let container = Mutex<ModelContainer?>(nil)
  }

  @Test func tasksStartedByTheClosureCanUseTheStore() async throws {
    let intruder = Intruder()
    let log = log
    let started = TaskList()
    let container = try container(
      configuration("tags") { statement in
        log.listener(statement)
        guard statement.purpose == .save, statement.sql == "COMMIT" else { return }
        started.add(Task { intruder.look() })
      })
    intruder.container.withLock { $0 = container }
    defer { intruder.container.withLock { $0 = nil } }
    log.removeAll()
    try fill(container, "a", "b")
    await started.finish()
    #expect(intruder.errors.withLock { $0 } == ["counted 2"])
    // The query is not part of the save that called the closure.
    #expect(log.statements.contains { $0.purpose == .count })
  }

  private final class TaskList: Sendable {
    private let tasks = Mutex<[Task<Void, Never>]>([])
    func add(_ task: Task<Void, Never>) { tasks.withLock { $0.append(task) } }
    func finish() async { for task in tasks.withLock({ $0 }) { await task.value } }
  }

  @Test func everyThreadReportsItsStatements() throws {
    let container = try container(configuration("tags"))
    try fill(container, "a", "b", "c")
    log.removeAll()
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<200 {
        let count = try? ModelContext(container).fetch(FetchDescriptor<KeepTag>()).count
        #expect(count == 3)
      }
    }
    let queries = log.statements.filter {
      $0.sql.hasPrefix("SELECT") && $0.purpose == .fetch && $0.sql.contains("KeepTag")
    }
    #expect(queries.count == 1_600)
    #expect(queries.allSatisfy { $0.rows == 3 })
  }
}
