import FixtureCommands
package import SchemaCommands
package import SchemaDriver
import SchemaFixtures
import SchemaModel
import StoreInspection
import Trellis
import TrellisPostgres

/// `trellis-postgres fixture`: writes a populated store into a database, or into files as `trellis-fixture` does.
package enum DatabaseFixture: Verb {
  package static let name = "fixture"
  package static let summary = Fixture.summary
  package static let options = Fixture.options
  package static let flags = Fixture.flags
  package static let help = """
    Usage: trellis-postgres fixture --store URL [--schema NAME] [VERSION] [--rows N] [--seed N] [--force] [PATH…]

    Writes the store that the program of VERSION would have made into a PostgreSQL database. VERSION is a number
    ('1.0.0') or 'head', with the name of a schema in front where there are several ('Trips@1.0.0'); without one
    it is the head. PATH is a schema file or a folder; without one it is every schema below this folder.

    \(DatabaseOptions.help)
      --rows N       how many rows a model gets: 24 unless it is given
      --seed N       another number gives the values another order; 1 unless it is given
      --force        deletes the tables of a store that is there, with all its rows; other tables are never touched
      --module NAME  the Swift module of the program, where the path does not say

    The rows are those of 'trellis-fixture', without U+0000 in texts. Without '--store' this verb writes files:
    'trellis-fixture --help' says more.

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    guard arguments["--store"] != nil else { return try Fixture.run(arguments, &session) }
    guard arguments["--output"] == nil else {
      throw DriverFailure(["error: '--store' and '--output' exclude each other"], .usage)
    }
    guard let options = try DatabaseOptions(arguments, session) else { return try Fixture.run(arguments, &session) }
    let found = try Fixture.wantedVersions(arguments, session)
    guard let wanted = found.first, found.count == 1 else {
      let names = found.map { "\($0.version.name)@\($0.version.version)" }.joined(separator: ", ")
      throw DriverFailure(
        ["error: a database has one store, and these are \(found.count): name one of \(names)"], .usage)
    }
    let fixture = try Fixture.fixture(of: wanted, arguments, keepsNullCharacters: false)
    do {
      let tables = try StoreTables(PostgresDatabases.configuration(at: options.address, schema: options.schemaName))
      if try tables.metadata() != nil {
        guard arguments.has("--force") else {
          throw DriverFailure(
            ["error: \(tables.place) has a store already: '--force' deletes its tables"], .usage)
        }
        try tables.remove()
      }
      session.note("writing \(wanted.version.name) \(wanted.version.version)\n")
      try fixture.write { schema in
        try PostgresStore(
          PostgresDatabases.configuration(at: options.address, schema: options.schemaName, for: schema))
      }
      Fixture.report(fixture, of: wanted, at: tables.place, &session)
    } catch let failure as DriverFailure {
      throw failure
    } catch {
      throw DriverFailure(["error: \(error)"], .usage)
    }
    return .clean
  }
}
