import Foundation
import PostgresCommands
import PostgresSupport
import SchemaCommands
import SchemaDriver
import SchemaFixtures
import SchemaModel
import SchemaVersions
import StoreCommands
import TestSchemas
import TestTraits
import Testing
import Trellis
import TrellisPostgres

/// Tests of `trellis-postgres export --to sql --dialect postgres`.
@Suite(.waiting) struct ExportedSQLTests {
  /// Tables, columns, indexes, constraints and sequences of the search path's first schema.
  private static let objects = """
    SELECT 'column', c.relname, a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull || ' '
      || COALESCE(l.collname, '') || ' ' || COALESCE(pg_get_expr(d.adbin, d.adrelid), '')
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
    LEFT JOIN pg_collation l ON l.oid = a.attcollation LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND c.relkind IN ('r', 'S')
    UNION ALL
    SELECT 'index', c.relname, pg_get_indexdef(c.oid) FROM pg_class c
    WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND c.relkind = 'i'
    UNION ALL
    SELECT 'constraint', conname, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE connamespace = quote_ident(current_schema())::regnamespace
    UNION ALL
    SELECT 'sequence', sequencename, increment_by::text FROM pg_sequences WHERE schemaname = current_schema()
    ORDER BY 1, 2, 3
    """

  @Test(arguments: TestDatabase.sample(SchemaPlans.bySchema.keys.sorted(), "exported SQL"))
  func theSQLCreatesTheTablesOfANewStore(_ name: String) throws {
    let made = try TestDatabase()
    let schemas = TestDatabase.root.path + "/Schemas/" + (name.hasPrefix("Landmine") ? "Landmine" : name)
    #expect(made.run("fixture", "\(name)@head", "--rows", "0", schemas).status == .clean)
    let own = try TestDatabase()
    let path = try FileManager.default.contentsOfDirectory(atPath: schemas).sorted()
      .filter { $0.hasSuffix(".schema") }.map { schemas + "/" + $0 }
      .first { try String(contentsOfFile: $0, encoding: .utf8).hasPrefix("schema \(name) ") }
    let exported = PostgresVerbs.run(
      ["export", "--schema", try #require(path), "--to", "sql", "--dialect", "postgres"])
    #expect(exported.status == .clean, "\(exported.progress)")
    let place = "CREATE SCHEMA \(own.quoted); SET search_path TO \(own.quoted);"
    try own.server.psql("\(place)\n\(exported.findings)")
    func objects(_ database: TestDatabase) throws -> [Substring] {
      try database.server.psql("SET search_path TO \(database.quoted); \(Self.objects)")
        .replacing(database.quoted, with: "").replacing(database.name, with: "").split(separator: "\n")
    }
    let (one, other) = (try objects(own), try objects(made))
    #expect(one == other)
    #expect(one.count > 20)
  }
}
