import Foundation
import PostgresSupport
import SchemaCommands
import SchemaDriver
import StoreCommands
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

@testable import PostgresCommands

/// Databases that cannot be read, and wrong arguments. Nothing is written, and no message contains a password.
@Suite(.waiting) struct ImportRefusalTests {
  private static func expect(
    _ source: ImportSource, _ result: ImportSource.Result, _ message: String,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(result.status == 2, sourceLocation: location)
    #expect(result.messages == "error: \(message)\n", sourceLocation: location)
    #expect(result.output == "", sourceLocation: location)
    #expect(try FileManager.default.contentsOfDirectory(atPath: source.folder.path) == [], sourceLocation: location)
  }

  /// A role without privileges, dropped at the end.
  private static func withRole(_ source: ImportSource, _ body: (String) throws -> Void) throws {
    let role = "reader_\(UInt64.random(in: 0...UInt64.max))"
    try source.psql("CREATE ROLE \(role) LOGIN")
    defer { _ = try? source.psql("DROP OWNED BY \(role); DROP ROLE \(role)") }
    try body(role)
  }

  @Test func unreadableTables() throws {
    let source = try ImportSource(
      """
      CREATE TABLE users (id int PRIMARY KEY, name text, secret text);
      CREATE SCHEMA hidden; CREATE TABLE hidden.notes (id int PRIMARY KEY);
      """)
    try Self.withRole(source) { role in
      func message(_ tables: String, _ schemas: String) -> String {
        "PLACE: the user '\(role)' cannot read \(tables); as the owner, run 'GRANT USAGE ON SCHEMA \(schemas) TO "
          + "\"\(role)\"' and 'GRANT SELECT ON ALL TABLES IN SCHEMA \(schemas) TO \"\(role)\"', or name other schemas "
          + "with '--schema'"
      }
      try Self.expect(
        source, source.run(user: role), message("'public.users', 'hidden.notes'", "\"hidden\", \"public\""))
      // A single column is missing.
      try source.psql("GRANT SELECT (id, name) ON users TO \(role); GRANT SELECT ON hidden.notes TO \(role)")
      try Self.expect(
        source, source.run(user: role, "--schema", "public"), message("'public.users'", "\"public\""))
      // The schema of a readable table cannot be used.
      try source.psql("GRANT SELECT ON users TO \(role)")
      try Self.expect(source, source.run(user: role), message("'hidden.notes'", "\"hidden\""))
      #expect(source.run(user: role, "--schema", "public", "--name", "Shop", "--into", "copy.store").status == 0)
    }
  }

  @Test func rowSecurity() throws {
    let source = try ImportSource(
      """
      CREATE TABLE users (id int PRIMARY KEY, owner text);
      INSERT INTO users VALUES (1, 'ada'), (2, 'grace');
      ALTER TABLE users ENABLE ROW LEVEL SECURITY;
      CREATE POLICY own ON users USING (owner = 'ada');
      """)
    try Self.withRole(source) { role in
      try source.psql("GRANT SELECT ON users TO \(role)")
      try Self.expect(
        source, source.run(user: role),
        "PLACE: row security policies can hide rows of 'public.users' from the user '\(role)'; import as the owner, or as "
          + "a role with BYPASSRLS")
    }
    // The owner sees all rows.
    #expect(try source.copy().connection.rows(verbatim: "SELECT count(*) FROM User") == [[.integer(2)]])
  }

  @Test func wrongArguments() throws {
    let source = try ImportSource("CREATE TABLE users (id int PRIMARY KEY); CREATE SCHEMA other")
    try Self.expect(
      source, source.run("--schema", "othr"), "PLACE: there is no schema 'othr'; the schemas are other, public")
    try Self.expect(source, source.run("--schema", "other"), "PLACE: there are no tables in 'other'")
    try Self.expect(
      source, source.run("second"),
      "'trellis-postgres import --from postgres' needs one database: a URL such as 'postgres://user@host/database', or a "
        + "conninfo string such as 'host=/run/postgresql dbname=trips'")
    try Self.expect(
      source, source.run("--rejects", "x"), "'--rejects' applies to copied rows; name a store with '--into'")
    let missing = PostgresVerbs.run(
      ["import", "--from", "postgres", source.url().replacing("/\(source.database)?", with: "/none?")])
    #expect(missing.status.rawValue == 2)
    #expect(missing.progress.contains("database \"none\" does not exist"))
    #expect(!missing.progress.contains(ImportSource.password))
    let invalid = PostgresVerbs.run(["import", "--from", "postgres", "passwrd=\(ImportSource.password)"])
    #expect(invalid.status.rawValue == 2)
    #expect(!invalid.progress.contains(ImportSource.password))
  }

  @Test func storesAreNotImported() throws {
    let source = try ImportSource("CREATE TABLE trellis_metadata (key text, value text)")
    try Self.expect(
      source, source.run(),
      "PLACE: the schema 'public' contains a Trellis store, which 'trellis-postgres inspect' describes; to import other "
        + "schemas, name them with '--schema'")
  }

  /// Tools without libpq name the one that has it.
  @Test func otherTools() {
    let address = "postgres://ada:\(ImportSource.password)@host/shop"
    let message = """
      error: PostgreSQL databases need the tool 'trellis-postgres', which './run install --all' installs beside \
      'trellis'; or call 'swift run trellis-postgres import' with the same arguments

      """
    for outcome in [
      StoreVerbs.run(["import", "--from", "postgres", address]),
      CommandLineTool.run(["import", "--from", "postgres", address], named: "trellis"),
    ] {
      #expect(outcome.status.rawValue == 2)
      #expect(outcome.progress == message)
    }
  }

  /// The import runs in a transaction that the server keeps read-only.
  @Test func theServerIsNotChanged() throws {
    let source = try ImportSource(
      """
      CREATE TABLE users (id int PRIMARY KEY, n serial, name text);
      INSERT INTO users (id, name) VALUES (1, 'Ada');
      """)
    func state() throws -> String {
      // Other tests and the server change the catalog.
      try source.psql(
        """
        SELECT string_agg(concat_ws(' ', c.relname, c.xmin, c.relfilenode, pg_relation_size(c.oid)), ',' ORDER BY c.oid)
        FROM pg_class c WHERE c.relnamespace <> 'pg_catalog'::regnamespace; SELECT last_value, is_called FROM users_n_seq;
        """)
    }
    let before = try state()
    _ = try source.copy()
    #expect(try state() == before)
  }

  /// A lost connection is an error, and the rows read so far are deleted.
  @Test func lostConnection() throws {
    let source = try ImportSource("CREATE TABLE users (id int PRIMARY KEY); INSERT INTO users VALUES (1)")
    let connection = try ImportConnection(source.url())
    let catalogue = try ImportCatalogue(connection, schemas: [], progress: { _ in })
    try source.psql(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
      """)
    let file = try temporaryFile { stage in
      let error = #expect(throws: PostgresError.self) {
        try stage.fill(from: catalogue, connection, progress: { _ in })
      }
      #expect(error?.description.contains(ImportSource.password) == false)
      #expect(FileManager.default.fileExists(atPath: stage.url.path))
    }
    #expect(!FileManager.default.fileExists(atPath: file.deletingLastPathComponent().path))
  }

  private func temporaryFile(_ body: (ImportStage) throws -> Void) throws -> URL {
    let stage = try ImportStage()
    try body(stage)
    return stage.url
  }
}
