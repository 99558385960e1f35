import Foundation
import PostgresCommands
import PostgresSupport
import SchemaCommands
import SchemaDriver
import Synchronization
import Trellis

/// A database of another program on the private server, and a folder for its import. Both are removed with the object.
final class ImportSource {
  let server: PostgresServer
  let database: String
  let folder: URL

  private static let count = Atomic<Int>(0)
  static let password = "s3cret-of-the-import"

  /// - Parameter statements: SQL that the other program would have run.
  init(_ statements: String) throws {
    server = try PostgresServer.shared.get()
    database = "shop_\(Self.count.add(1, ordering: .relaxed).newValue)"
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("import-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try server.psql("CREATE DATABASE \(database)")
    try psql(statements)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
    _ = try? server.psql("DROP DATABASE \(database) WITH (FORCE)")
  }

  @discardableResult func psql(_ statements: String) throws -> String {
    try server.psql(statements, database: database)
  }

  /// A URL with a password, which the server ignores.
  func url(user: String = "trellis") -> String {
    let host = server.folder.path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    return "postgresql://\(user):\(Self.password)@/\(database)?host=\(host)&port=\(server.port)"
  }

  var store: URL { folder.appendingPathComponent("copy.store") }

  struct Result {
    var status: Int32
    var output: String
    /// Standard error, in which `PLACE` replaces the location of the database.
    var messages: String
  }

  /// Runs `trellis-postgres import --from postgres` in the folder.
  func run(user: String = "trellis", _ words: String...) -> Result { run(user: user, words) }

  private func run(user: String, _ words: [String]) -> Result {
    let outcome = PostgresVerbs.run(["import", "--from", "postgres", url(user: user)] + words, in: folder.path)
    return Result(
      status: outcome.status.rawValue, output: outcome.findings,
      messages: outcome.progress.replacing("\(server.folder.path)/\(database)", with: "PLACE"))
  }

  /// Imports the rows and reads the store without its models.
  func copy(_ words: String...) throws -> (result: Result, connection: Connection) {
    let result = run(user: "trellis", ["--name", "Shop", "--into", store.lastPathComponent] + words)
    guard FileManager.default.fileExists(atPath: store.path) else { throw Refused(messages: result.messages) }
    return (result, try Connection(store.path, .readOnly))
  }

  struct Refused: Error { let messages: String }

  var schema: String {
    get throws { try String(contentsOf: folder.appendingPathComponent("Shop.schema"), encoding: .utf8) }
  }
}

extension Connection {
  func rows(verbatim sql: String) throws -> [[SQLValue]] { try rows(SQLFragment(verbatim: sql, [])) }
}
