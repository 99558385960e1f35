import Foundation
import SchemaCommands
import SchemaDiagnostics
import SchemaDriver
import SchemaFixtures
import SchemaModel
import SchemaVersions
import StoreCare
import StoreCommands
import Synchronization
import TestSchemas
import TestSupport
import Testing
import Trellis

/// A version of a schema in `Schemas`.
struct VersionUnderTest: CustomTestStringConvertible, Sendable {
  let folder: String
  let history: SchemaHistory
  let version: ResolvedSchema
  private let files: [SourceFile]

  var testDescription: String { "\(version.name) \(version.version)" }
  var module: String { SchemaPlans.module(ofFolder: folder) }
  var plan: (any SchemaMigrationPlan.Type)? { SchemaPlans.bySchema[version.name] }

  static let all: [VersionUnderTest] = Set(SchemaPlans.bySchema.keys.map(SchemaPlans.folder)).sorted()
    .flatMap { (try? versions(in: $0)) ?? [] }

  private static func versions(in folder: String) throws -> [VersionUnderTest] {
    let path = Repository.root.appending(path: "Schemas/\(folder)").path
    let names = try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
    let heads = names.filter { $0.hasSuffix(".schema") && !$0.contains("/") }.map { "\(path)/\($0)" }
    let inputs = names.filter { $0.hasPrefix("versions/") && ($0.hasSuffix(".schema") || $0.hasSuffix(".lock")) }
    let project = try SchemaProject(heads: heads, inputs: inputs.map { "\(path)/\($0)" }, isTarget: true)
    return project.histories.flatMap { history in
      history.versions.map {
        VersionUnderTest(folder: folder, history: history, version: $0, files: project.files)
      }
    }
  }

  func write(to url: URL) throws {
    try SchemaFixture(
      version, of: history, files: files, module: module, rows: version.entities.count > 30 ? 3 : 24
    ).write(to: url)
  }
}

/// A temporary folder, which is removed with the value.
final class TemporaryFolder: Sendable {
  let url = FileManager.default.temporaryDirectory.appending(path: "care-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }

  /// The names of the folder's files, except for SQLite's shared memory.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).filter { !$0.hasSuffix("-shm") }.sorted()
  }
}

/// A store of a schema's head, without the app, which tests damage.
struct StoreUnderTest {
  let folder: TemporaryFolder
  let path: String

  /// The undamaged stores by schema name, written once.
  private static let originals: (folder: TemporaryFolder, paths: [String: String])? = {
    guard let folder = try? TemporaryFolder() else { return nil }
    var paths: [String: String] = [:]
    for head in VersionUnderTest.all where head.version.version == head.history.head.version {
      let url = folder.url.appending(path: "\(head.version.name).store")
      if (try? head.write(to: url)) != nil { paths[head.version.name] = url.path }
    }
    return (folder, paths)
  }()

  struct Missing: Error {}

  init(_ schema: String) throws {
    guard let original = Self.originals?.paths[schema] else { throw Missing() }
    folder = try TemporaryFolder()
    path = folder.path("\(schema).store")
    for suffix in ["", "-external"] where FileManager.default.fileExists(atPath: original + suffix) {
      try FileManager.default.copyItem(atPath: original + suffix, toPath: path + suffix)
    }
  }

  /// Runs statements without foreign keys, as another program would.
  func run(_ statements: String...) throws { try run(statements) }

  func run(_ statements: [String]) throws {
    let connection = try Connection(path, .existing)
    try connection.execute("PRAGMA foreign_keys = OFF")
    for statement in statements { try connection.execute(SQLFragment(verbatim: statement, [])) }
  }

  /// Runs statements while a table accepts any value and NULL.
  func run(inLoose table: String, _ statements: [String]) throws {
    try editCatalogue(
      "UPDATE sqlite_schema SET sql = replace(replace(sql, ' STRICT', ''), ' NOT NULL', '') || '/**/'", table)
    let connection = try Connection(path, .existing)
    for statement in statements { try connection.execute(SQLFragment(verbatim: statement, [])) }
  }

  /// Hides an index while statements run, so that it does not match its table afterwards.
  func run(withoutIndex name: String, _ statements: [String]) throws {
    let row = try rows("SELECT rowid, type, name, tbl_name, rootpage, sql FROM sqlite_schema WHERE name = '\(name)'")
    guard let row = row.first else { throw Missing() }
    try editCatalogue("DELETE FROM sqlite_schema", name)
    try run(statements)
    let connection = try Connection(path, .existing)
    try connection.execute("PRAGMA writable_schema = ON")
    try connection.execute(
      SQLFragment(verbatim: "INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)", Array(row.dropFirst())))
  }

  /// Overwrites the first page of a table.
  func damagePage(of table: String) throws {
    guard case .integer(let page)? = try rows("SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'").first?.first
    else { throw Missing() }
    let handle = try FileHandle(forUpdating: URL(filePath: path))
    try handle.seek(toOffset: UInt64(page - 1) * 4096)
    try handle.write(contentsOf: Data(repeating: 0xEE, count: 200))
    try handle.close()
  }

  private func editCatalogue(_ statement: String, _ name: String) throws {
    let connection = try Connection(path, .existing)
    try connection.execute("PRAGMA writable_schema = ON")
    try connection.execute(SQLFragment(verbatim: statement + " WHERE name = ?", [.text(name)]))
  }

  func rows(_ query: String) throws -> [[SQLValue]] {
    try Connection(path, .readOnly).rows(SQLFragment(verbatim: query, []))
  }

  var externalFiles: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path + "-external")) ?? []).sorted()
  }
}

/// The files of a store, to show that nothing was changed.
func contents(of path: String) -> [String: Data] {
  var contents: [String: Data] = [:]
  for suffix in ["", "-wal"] { contents[suffix] = FileManager.default.contents(atPath: path + suffix) }
  for name in (try? FileManager.default.contentsOfDirectory(atPath: path + "-external")) ?? [] {
    contents[name] = FileManager.default.contents(atPath: "\(path)-external/\(name)")
  }
  return contents
}

/// The result of a verb.
typealias Outcome = (status: Int32, output: String, errors: String)

/// Runs `trellis-store store`.
func store(_ arguments: String..., in folder: String = "") -> Outcome { store(arguments, in: folder) }

/// - Parameter report: Called when the verb prints a message.
func store(_ arguments: [String], in folder: String = "", _ report: @escaping @Sendable (String) -> Void = { _ in })
  -> Outcome
{
  let errors = Mutex("")
  let outcome = StoreVerbs.run(["store"] + arguments, in: folder) { text in
    errors.withLock { $0 += text }
    report(text)
  }
  return (outcome.status.rawValue, outcome.findings, errors.withLock { $0 } + outcome.progress)
}

/// Runs code that may not write to folders of the superuser, or in folders that are read-only.
func withoutPrivileges(_ body: @escaping @Sendable () -> [Outcome]) -> [Outcome] {
  let result = Mutex<[Outcome]>([])
  let end = DispatchSemaphore(value: 0)
  let thread = Thread {
    // The user for the file system belongs to the thread.
    typealias Change = @convention(c) (uid_t) -> CInt
    if getuid() == 0, let change = dlsym(nil, "setfsuid") { _ = unsafeBitCast(change, to: Change.self)(65_534) }
    let outcomes = body()
    result.withLock { $0 = outcomes }
    end.signal()
  }
  thread.stackSize = 8 << 20
  thread.start()
  end.wait()
  return result.withLock { $0 }
}
