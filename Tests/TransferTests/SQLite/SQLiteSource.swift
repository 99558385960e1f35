import CSQLite
import Foundation
import SchemaCommands
import SchemaDriver
import StoreCommands
import StoreTransfer
import Testing
import Trellis

/// A folder with a foreign database, deleted with the object.
final class SQLiteSource {
  let folder: URL
  let url: URL

  /// - Parameter statements: SQL that another program would have run.
  init(_ name: String = "source.sqlite", _ statements: String) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("transfer-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    url = folder.appendingPathComponent(name)
    try run(statements)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var store: URL { folder.appendingPathComponent("copy.store") }

  func run(_ statements: String) throws {
    let connection = try Connection(url.path, .creating)
    guard sqlite3_exec(connection.handle, statements, nil, nil, nil) == SQLITE_OK else {
      throw SQLiteError(connection.handle, result: sqlite3_errcode(connection.handle))
    }
  }

  func draft(_ name: String = "Imported", dates: [String] = []) throws -> SchemaDraft {
    let file = try ForeignFile(url.path, shownAs: url.lastPathComponent)
    var database = try SQLiteReader.read(file, name: name)
    try DateSelection(dates).apply(to: &database)
    return SchemaDraft(database, name: name)
  }

  /// A finished import.
  struct Copy {
    let draft: SchemaDraft
    let report: CopyReport
    let rejects: [Reject]
    /// The rows of the store, read by a plain connection.
    let connection: Connection

    func rows(_ sql: String) throws -> [[SQLValue]] { try connection.rows(SQLFragment(verbatim: sql, [])) }
  }

  /// Imports the database.
  ///
  /// - Parameter keepsRejects: True to collect rows that do not fit instead of stopping.
  func copy(_ name: String = "Imported", dates: [String] = [], keepsRejects: Bool = false) throws -> Copy {
    let file = try ForeignFile(url.path, shownAs: url.lastPathComponent)
    let draft = try draft(name, dates: dates)
    let target = try draft.target(module: name)
    let plan = try DraftPlan.plan(draft, into: target, from: file.url)
    try target.create(at: store)
    var rejects: [Reject] = []
    let report = try CopyEngine(plan, into: target)
      .run(at: store, rejects: keepsRejects ? .write { rejects.append($0) } : .stop)
    // The runtime accepts the store.
    _ = try DefaultStore(ModelConfiguration(schema: target.schema, url: store))
    return Copy(draft: draft, report: report, rejects: rejects, connection: try Connection(store.path, .readOnly))
  }

  /// Runs the tool in the folder.
  func tool(_ arguments: String...) -> (status: Int32, output: String, messages: String) {
    let outcome = StoreVerbs.run(arguments, in: folder.path)
    return (outcome.status.rawValue, outcome.findings, outcome.progress)
  }

  func bytes(_ suffix: String = "") throws -> Data { try Data(contentsOf: URL(fileURLWithPath: url.path + suffix)) }
}

extension CopyReport {
  /// The written rows by origin.
  var counts: [String: Int64] {
    Dictionary(tables.map { ($0.origin, $0.written) }, uniquingKeysWith: { first, _ in first })
  }
}
