import Foundation
import PostgresSupport
import SchemaCommands
import SchemaDriver
import StoreCommands
import TestTraits
import Testing

/// Stores that cannot be used, and what the tool prints about them.
@Suite(.waiting) struct HostileToolTests {
  static let verbs = ["inspect", "preflight", "migrate", "fixture"]
  private static let secret = TestDatabase.password

  /// Invalid addresses, each with a part of the error message.
  static let addresses: [(String, String)] = [
    ("postgres://trellis:\(secret)@/postgres?host=/nowhere", "connection to server on socket \"/nowhere/"),
    ("host=127.0.0.1 port=1 user=trellis password=\(secret) dbname=postgres", "Connection refused"),
    ("host=127.0.0.1 port=1 password='\(secret)", "the connection settings are neither a URL such as"),
    ("postgres://trellis:\(secret)@db.example.com/postgres?sslmode=require", "'sslmode=require' does not verify"),
    ("postgres://trellis:\(secret)/x@127.0.0.1:1/postgres", "the connection settings contain"),
    ("postgre://trellis:\(secret)@localhost/postgres", "the connection settings are neither a URL such as"),
    ("Host=localhost Password=\(secret)", "the connection settings are neither a URL such as"),
    ("dbname=postgres password=\(secret) nonsense=1", "the connection settings are neither a URL such as"),
  ]

  @Test(arguments: addresses) func unreachableAddresses(_ address: String, _ reason: String) throws {
    for verb in Self.verbs {
      let outcome = try TestDatabase().run([verb, "--store", address, TestDatabase.schemas])
      #expect(outcome.status == .usage, "\(verb): \(outcome)")
      #expect(outcome.output == "" && outcome.progress.hasPrefix("error: "), "\(verb): \(outcome)")
      #expect(outcome.progress.contains(reason), "\(verb): \(outcome.progress)")
      #expect(!outcome.progress.contains(Self.secret), "\(verb)")
    }
  }

  @Test func noOutputContainsThePassword() throws {
    let database = try TestDatabase()
    var outcomes = [database.run("inspect", TestDatabase.schemas)]
    outcomes.append(database.run("fixture", "1.0.0", TestDatabase.schemas))
    outcomes.append(database.run("fixture", "1.0.0", TestDatabase.schemas))
    for verb in ["inspect", "preflight"] {
      outcomes.append(database.run(verb, TestDatabase.schemas))
      outcomes.append(database.run(verb, "--json", TestDatabase.schemas))
    }
    for outcome in outcomes {
      #expect(!(outcome.output + outcome.progress).isEmpty)
      #expect(!(outcome.output + outcome.progress).contains(Self.secret))
    }
  }

  @Test(arguments: ["inspect", "preflight", "migrate"]) func aDatabaseWithoutTables(_ verb: String) throws {
    let database = try TestDatabase()
    let outcome = database.run(verb, TestDatabase.schemas)
    #expect(outcome.status == .usage)
    #expect(outcome.output == "")
    #expect(
      outcome.progress
        == "error: SERVER/postgres, schema SCHEMA: the schema contains no Trellis store; '--schema' selects "
        + "a different schema\n")
  }

  @Test func damagedMetadata() throws {
    let database = try TestDatabase()
    #expect(database.run("fixture", "1.0.0", TestDatabase.schemas).status == .clean)
    try database.server.psql("DELETE FROM \(database.quoted).trellis_metadata WHERE key = 'version'")
    let outcome = database.run("inspect", TestDatabase.schemas)
    #expect(outcome.status == .usage)
    #expect(outcome.progress.hasSuffix("the store's metadata is incomplete; the store may be damaged\n"))
    try database.server.psql("DROP TABLE \(database.quoted).trellis_metadata")
    try database.server.psql("CREATE TABLE \(database.quoted).trellis_metadata (id int)")
    let other = database.run("inspect", TestDatabase.schemas)
    #expect(other.status == .usage)
    #expect(other.progress.contains("column \"key\" does not exist"))
  }

  /// Tools without libpq name the tool that has it, and do not print the address.
  @Test(arguments: verbs) func otherToolsNameTheToolToUse(_ verb: String) throws {
    let database = try TestDatabase()
    for address in [database.url, "host=/nowhere password=\(Self.secret)"] {
      let words = [verb, "--store", address, "--schema", "x", TestDatabase.schemas]
      var outcomes = [CommandLineTool.run(words)]
      if verb == "fixture" {
        outcomes.append(CommandLineTool.run(words, with: [WriteFixture.self]))
        outcomes.append(CommandLineTool.run(["fixture", "--output", address], with: [WriteFixture.self]))
      }
      for outcome in outcomes {
        #expect(outcome.status == .usage)
        #expect(
          outcome.progress
            == "error: PostgreSQL databases need the tool 'trellis-postgres', which './run install --all' installs "
            + "beside 'trellis'; or call 'swift run trellis-postgres \(verb)' with the same arguments\n")
      }
    }
  }

  @Test func fileStoresAreStillSupported() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("files-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let database = try TestDatabase()
    // A file name that resembles a conninfo string.
    let path = folder.appendingPathComponent("a.store").path
    #expect(database.run(["fixture", "1.0.0", "--output", path, TestDatabase.schemas]).status == .clean)
    try FileManager.default.moveItem(atPath: path, toPath: folder.appendingPathComponent("dbname=a").path)
    let inspected = database.run(["--root", folder.path, "inspect", "--store", "dbname=a"])
    #expect(inspected.status == .clean, "\(inspected)")
    #expect(inspected.output.contains("SampleTrips 1.0.0"))
    let refused = database.run(["--root", folder.path, "inspect", "--store", "dbname=a", "--schema", "x"])
    #expect(refused.status == .usage && refused.progress.hasPrefix("error: '--schema' applies to databases"))
    let migrated = database.run(["migrate", "--store", path, TestDatabase.schemas])
    #expect(migrated.status == .usage)
    #expect(migrated.progress.contains("is a file: 'trellis store migrate FILE' migrates it"))
    #expect(CommandLineTool.run(["migrate", "--store", path]).progress == migrated.progress)
  }
}
