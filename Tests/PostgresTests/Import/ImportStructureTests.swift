import Foundation
import PostgresSupport
import TestSupport
import TestTraits
import Testing
import Trellis

/// Names, keys and kinds of tables that need care. Each test shows the statements, the schema file and the rows.
@Suite(.waiting) struct ImportStructureTests {
  /// Names that differ only in case, need quotation marks, or occur in several schemas.
  @Test func names() throws {
    let source = try ImportSource(
      """
      CREATE TABLE "Order Items" ("Id" int PRIMARY KEY, "Größe" text, "select" int, "a" int, "A" int, "x""y.z" text);
      INSERT INTO "Order Items" VALUES (1, 'groß', 2, 3, 4, 'q');
      CREATE TABLE "order items" (id int PRIMARY KEY);
      INSERT INTO "order items" VALUES (5);
      CREATE SCHEMA "Other One";
      CREATE TABLE "Other One".events (id int PRIMARY KEY, item int REFERENCES "Order Items");
      INSERT INTO "Other One".events VALUES (1, 1);
      CREATE TABLE "Other One"."order items" (id int PRIMARY KEY);
      CREATE TABLE sqlite_stat1 (id int PRIMARY KEY);
      """)
    let (result, store) = try source.copy()
    #expect(
      try source.schema == """
        schema Shop 1.0.0

        """)
    #expect(result.messages == "")
    #expect(try store.rows(verbatim: "SELECT * FROM Event") == [[.integer(1), .integer(1)]])
  }

  /// Keys of several columns, references to other unique columns, a key that is a reference, and no key.
  @Test func keys() throws {
    let source = try ImportSource(
      """
      CREATE TABLE regions (country char(2), code int, name text NOT NULL UNIQUE, PRIMARY KEY (country, code));
      CREATE TABLE cities (id int PRIMARY KEY, country char(2), region int, region_name text REFERENCES regions (name),
        FOREIGN KEY (country, region) REFERENCES regions ON DELETE SET NULL);
      CREATE TABLE mayors (city_id int PRIMARY KEY REFERENCES cities ON DELETE CASCADE, name text);
      CREATE TABLE prices (amount numeric(8,2) PRIMARY KEY);
      CREATE TABLE offers (id int PRIMARY KEY, price numeric(10,4) REFERENCES prices);
      CREATE TABLE log (line text, at timestamp DEFAULT now());
      INSERT INTO regions VALUES ('NO', 1, 'Oslo'), ('NO', 2, 'Vestland');
      INSERT INTO cities VALUES (7, 'NO', 2, 'Oslo'), (8, NULL, NULL, NULL);
      INSERT INTO mayors VALUES (7, 'Ada');
      INSERT INTO prices VALUES (1.5), (2);
      INSERT INTO offers VALUES (1, 2.0000), (2, 1.5);
      INSERT INTO log VALUES ('a', '2001-01-01'), ('a', '2001-01-01');
      """)
    let (_, store) = try source.copy()
    #expect(
      try source.schema == """
        schema Shop 1.0.0

        """)
    #expect(
      try store.rows(
        verbatim: """
          SELECT c.id, r.name, n.name FROM City c LEFT JOIN Region r ON r.id = c.region
          LEFT JOIN Region n ON n.id = c.regionName ORDER BY c.id
          """)
        == [[.integer(7), .text("Vestland"), .text("Oslo")], [.integer(8), .null, .null]])
    #expect(
      try store.rows(verbatim: "SELECT o.id, p.amount FROM Offer o JOIN Price p ON p.id = o.price ORDER BY o.id")
        == [[.integer(1), .text("2")], [.integer(2), .text("1.5")]])
    #expect(try store.rows(verbatim: "SELECT id, city, name FROM Mayor") == [[.integer(7), .integer(7), .text("Ada")]])
    #expect(try store.rows(verbatim: "SELECT count(*) FROM Log") == [[.integer(2)]])
  }

  /// Partitions become one model, and each table of an inheritance has its own rows.
  @Test func partitionsAndInheritance() throws {
    let source = try ImportSource(
      """
      CREATE TABLE readings (at date NOT NULL, value int) PARTITION BY RANGE (at);
      CREATE TABLE readings_2023 PARTITION OF readings FOR VALUES FROM ('2023-01-01') TO ('2024-01-01');
      CREATE TABLE readings_rest PARTITION OF readings DEFAULT;
      INSERT INTO readings VALUES ('2023-05-01', 1), ('2024-05-01', 2), ('2020-05-01', 3);
      CREATE TABLE places (id int PRIMARY KEY, name text);
      CREATE TABLE capitals (state text) INHERITS (places);
      INSERT INTO places VALUES (1, 'Bergen');
      INSERT INTO capitals VALUES (2, 'Oslo', 'NO');
      CREATE TABLE numbered (id int PRIMARY KEY, number int GENERATED ALWAYS AS IDENTITY, other int DEFAULT 4);
      INSERT INTO numbered (id) VALUES (1);
      CREATE TABLE empty ();
      CREATE SEQUENCE tickets;
      CREATE DOMAIN codes AS int[] CHECK (cardinality(VALUE) < 3);
      CREATE TABLE domains (id int PRIMARY KEY, codes codes DEFAULT '{}');
      """)
    let (result, store) = try source.copy()
    #expect(try store.rows(verbatim: "SELECT value FROM Reading ORDER BY 1") == [[.integer(1)], [.integer(2)], [.integer(3)]])
    #expect(try store.rows(verbatim: "SELECT id, name FROM Place") == [[.integer(1), .text("Bergen")]])
    #expect(try store.rows(verbatim: "SELECT name, state FROM Capital") == [[.text("Oslo"), .text("NO")]])
    #expect(try store.rows(verbatim: "SELECT number, other FROM Numbered") == [[.integer(1), .integer(4)]])
    #expect(try source.schema.contains("  var codes: [Int32]? = []\n"))
    #expect(result.messages == "")
  }

  /// Extensions' tables and those in which frameworks record migrations are not imported.
  @Test func otherSchemasAndFrameworks() throws {
    let source = try ImportSource(
      """
      CREATE TABLE a (id int PRIMARY KEY);
      CREATE SCHEMA first;
      CREATE TABLE first.b (id int PRIMARY KEY);
      CREATE SCHEMA second;
      CREATE TABLE second.b (id int PRIMARY KEY, a_id int REFERENCES a, b_id int REFERENCES first.b);
      CREATE TABLE second.alembic_version (version_num varchar(32) PRIMARY KEY);
      """)
    let result = source.run("--name", "Shop", "--schema", "first", "--schema", "second")
    #expect(result.status == 1)
    #expect(
      result.messages == """
        """)
    #expect(
      try source.schema == """
        schema Shop 1.0.0

        """)
  }
}
