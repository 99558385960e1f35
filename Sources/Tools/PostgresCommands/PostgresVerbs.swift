package import SchemaCommands
import SchemaDriver
import StoreCommands

/// `trellis-postgres`: the tool `trellis` linked with libpq. The verbs `inspect`, `preflight`, `fixture`, `migrate`
/// and `studio` support stores in PostgreSQL databases.
package enum PostgresVerbs {
  /// Replacements for the `trellis` verbs that refer to this executable.
  package static var replacements: [any Verb.Type] {
    let own: [any Verb.Type] = [
      DatabaseFixture.self, DatabaseExport.self, Migrate.self, ImportPostgres.self, DatabaseStudio.self,
    ]
    return own + StoreVerbs.implementations.filter { verb in !own.contains { $0.name == verb.name } }
  }

  /// Runs a verb.
  ///
  /// - Parameters:
  ///   - arguments: The command-line arguments that follow the executable.
  ///   - folder: The base of relative paths. Empty for the working directory.
  ///   - isTerminal: True if standard output is a terminal.
  ///   - console: The terminal, for verbs that print early or prompt. `nil` to return all output at the end.
  ///   - report: Receives text for standard error immediately. `nil` to return it at the end.
  package static func run(
    _ arguments: [String], in folder: String = "", isTerminal: Bool = false, console: Console? = nil,
    report: (@Sendable (String) -> Void)? = nil
  ) -> CommandLineTool.Outcome {
    CommandLineTool.run(
      arguments, in: folder, with: replacements, named: "trellis-postgres", databases: PostgresDatabases(),
      isTerminal: isTerminal, console: console, report: report)
  }
}

/// The options that specify a store in a database.
struct DatabaseOptions {
  let address: String
  let schemaName: String?

  static let help = """
      --store URL    the database: a URL such as 'postgres://user@host/database', or a conninfo string
      --schema NAME  the database schema that contains the tables, if it is not on the search path
    """

  /// Returns nil for a file.
  init?(_ arguments: Arguments, _ session: Session) throws(DriverFailure) {
    guard case .database(let address) = StoreAddress(try arguments.required("--store"), session) else { return nil }
    self.address = address
    schemaName = arguments["--schema"]
  }
}
