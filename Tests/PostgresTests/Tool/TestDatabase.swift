import Foundation
import PostgresCommands
import PostgresSupport
import SchemaCommands
import SchemaDriver
import TestSupport
import TrellisPostgres

/// A new, empty schema in the private server's database, and runs of the tool with it.
struct TestDatabase {
  let server: PostgresServer
  /// The name of the schema in the database.
  let name: String

  static let password = "s3cret-of-the-tests"

  init() throws {
    server = try PostgresServer.shared.get()
    name = server.configuration().schemaName ?? ""
  }

  /// A URL with a password, which the server ignores.
  var url: String {
    let host = server.folder.path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    return "postgresql://trellis:\(Self.password)@/postgres?host=\(host)&port=\(server.port)"
  }

  var configuration: PostgresConfiguration {
    var configuration = PostgresConfiguration(url: url)
    configuration.schemaName = name
    return configuration
  }

  static let root = Repository.root
  static var schemas: String { root.appendingPathComponent("Schemas/SampleTrips").path }

  /// All names in a thorough run. A short run includes the sample application, whose versions cover most kinds of
  /// steps, and one more name that depends on the seed.
  static func sample(_ names: [String], _ purpose: String) -> [String] {
    let always = "SampleTrips"
    let others = names.filter { $0 != always }
    return Repetitions.isThorough ? names : [always] + Repetitions.sample(others, every: others.count, purpose)
  }

  struct Result: Equatable {
    var status: ExitStatus
    var output: String
    var progress: String
  }

  /// Runs a verb with the store. In the output, `SERVER` replaces the server's location and `SCHEMA` the schema name.
  func run(_ verb: String, _ words: String...) -> Result {
    run([verb, "--store", url, "--schema", name] + words)
  }

  func run(_ words: [String]) -> Result {
    let outcome = PostgresVerbs.run(words)
    func readable(_ text: String) -> String {
      text.replacing(server.folder.path, with: "SERVER").replacing(", schema \(name)", with: ", schema SCHEMA")
    }
    return Result(
      status: outcome.status, output: readable(outcome.findings), progress: readable(outcome.progress))
  }

  /// The quoted name, for `psql`.
  var quoted: String { "\"\(name)\"" }

  /// The names of the tables and sequences.
  func relations() throws -> [String] {
    try server.psql(
      """
      SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = '\(name)' AND c.relkind IN ('r', 'S') ORDER BY 1
      """
    ).split(separator: "\n").map(String.init)
  }
}
