package import SchemaCommands
package import SchemaDriver
import SchemaFixtures
import SchemaModel
import StoreCommands
import StoreInspection
import Trellis
import TrellisPostgres

/// `trellis-postgres fixture`: writes a store with test data to a database, or to files as `trellis-store fixture` does.
package enum DatabaseFixture: Verb {
  package static let name = "fixture"
  package static let summary = Fixture.summary
  package static let options = Fixture.options
  package static let flags = Fixture.flags
  package static let help = """
    Usage: trellis-postgres fixture --store URL [--schema NAME] [VERSION] [--rows N] [--seed N] [--force] [PATH…]

    Writes a store to a PostgreSQL database, as an app with VERSION would write it. VERSION is a number ('1.0.0')
    or 'head'. If there are several schemas, put the schema name in front ('Trips@1.0.0'). The default is the head.
    PATH is a schema file or a folder. The default is every schema below the current folder.

    \(DatabaseOptions.help)
      --rows N       rows per model (default: 24)
      --seed N       a different seed changes the order of the values (default: 1)
      --force        delete the tables of an existing store with all rows; other tables are never changed
      --module NAME  the app's Swift module, if it cannot be derived from PATH

    The rows are the same as those of 'trellis fixture', but text values never contain U+0000. Without '--store',
    this verb writes files; 'trellis fixture --help' describes the options.

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    guard arguments["--store"] != nil else { return try WriteFixture.run(arguments, &session) }
    guard arguments["--output"] == nil else {
      throw DriverFailure(["error: '--store' and '--output' cannot be combined"], .usage)
    }
    guard let options = try DatabaseOptions(arguments, session) else {
      return try WriteFixture.run(arguments, &session)
    }
    let found = try WriteFixture.requestedVersions(arguments, session)
    guard let wanted = found.first, found.count == 1 else {
      let names = found.map { "\($0.version.name)@\($0.version.version)" }.joined(separator: ", ")
      throw DriverFailure(
        ["error: a database contains a single store, but \(found.count) versions were given: name one of \(names)"],
        .usage)
    }
    let fixture = try WriteFixture.fixture(of: wanted, arguments, keepsNullCharacters: false)
    do {
      let tables = try StoreTables(PostgresDatabases.configuration(at: options.address, schema: options.schemaName))
      if try tables.metadata() != nil {
        guard arguments.has("--force") else {
          throw DriverFailure(
            ["error: \(tables.place) already contains a store: '--force' deletes its tables"], .usage)
        }
        try tables.remove()
      }
      session.note("writing \(wanted.version.name) \(wanted.version.version)\n")
      try fixture.write { schema in
        try PostgresStore(
          PostgresDatabases.configuration(at: options.address, schema: options.schemaName, for: schema))
      }
      WriteFixture.report(fixture, of: wanted, at: tables.place, &session)
    } catch let failure as DriverFailure {
      throw failure
    } catch {
      throw DriverFailure(["error: \(error)"], .usage)
    }
    return .clean
  }
}
