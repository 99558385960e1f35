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
      try source.schema == #"""
        schema Shop 1.0.0

        @Model(originalName: "Order Items")
        class OrderItem {
            @Attribute(originalName: "Größe") var größe: String?
            var select: Int32?
            var a: Int32?
            @Attribute(originalName: "A_2") var a2: Int32?
            @Attribute(originalName: "x\"y.z") var xYZ: String?

            @Relationship(deleteRule: .deny, inverse: \Event.item) var events: [Event] = []
        }

        @Model(originalName: "public.order items")
        class PublicOrderItem {}

        @Model(originalName: "events")
        class Event {
            var item: OrderItem?
        }

        @Model(originalName: "Other One.order items")
        class OtherOneOrderItem {}

        @Model(originalName: "public.sqlite_stat1")
        class PublicSqliteStat1 {}

        """#)
    #expect(result.status == 0)
    #expect(
      result.messages.contains(
        """
        to check: 4
          Order Items.A_2: is the column 'A', whose name differs from another only in case
          public.order items: is the table 'order items' of the schema 'public'
          Other One.order items: is the table 'order items' of the schema 'Other One'
          public.sqlite_stat1: is the table 'sqlite_stat1' of the schema 'public'

        """))
    #expect(
      try store.rows(verbatim: "SELECT größe, \"select\", a, a2, xYZ FROM OrderItem")
        == [[.text("groß"), .integer(2), .integer(3), .integer(4), .text("q")]])
    #expect(try store.rows(verbatim: "SELECT id FROM PublicOrderItem") == [[.integer(5)]])
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
      try source.schema == #"""
        schema Shop 1.0.0

        @Model(originalName: "regions")
        class Region {
            #Unique<Region>([\.country, \.code], onConflict: .fail)

            var country: String
            var code: Int32
            @Attribute(.unique, onConflict: .fail) var name: String

            @Relationship(deleteRule: .deny, inverse: \City.regionName) var citiesByRegionName: [City] = []
            @Relationship(deleteRule: .nullify, inverse: \City.region) var citiesByRegion: [City] = []
        }

        @Model(originalName: "cities")
        class City {
            var country: String?
            @Attribute(originalName: "region") var region2: Int32?

            @Relationship(originalName: "region_name") var regionName: Region?
            var region: Region?
            @Relationship(deleteRule: .cascade, inverse: \Mayor.city) var mayor: Mayor?
        }

        @Model(originalName: "mayors")
        class Mayor {
            var name: String?

            @Relationship(originalName: "city_id") var city: City
        }

        @Model(originalName: "prices")
        class Price {
            @Attribute(.unique, onConflict: .fail) var amount: Decimal

            @Relationship(deleteRule: .deny, inverse: \Offer.price) var offers: [Offer] = []
        }

        @Model(originalName: "offers")
        class Offer {
            var price: Price?
        }

        @Model(originalName: "log")
        class Log {
            var line: String?
            var at: Date? = .now
        }

        """#)
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
    #expect(
      try store.rows(verbatim: "SELECT value FROM Reading ORDER BY 1") == [[.integer(1)], [.integer(2)], [.integer(3)]])
    #expect(try store.rows(verbatim: "SELECT id, name FROM Place") == [[.integer(1), .text("Bergen")]])
    #expect(try store.rows(verbatim: "SELECT name, state FROM Capital") == [[.text("Oslo"), .text("NO")]])
    #expect(try store.rows(verbatim: "SELECT number, other FROM Numbered") == [[.integer(1), .integer(4)]])
    #expect(try source.schema.contains("  var codes: [Int32]? = []\n"))
    #expect(
      result.messages.contains(
        """
        not carried over: 2
          tickets: sequence is skipped: the store numbers rows itself
          domains: the domain constraint CHECK ((cardinality(VALUE) < 3)) of 'codes' is not carried over
        to check: 4
          empty: table is skipped: has no columns
          readings: consists of partitions, which become a single model
          capitals: inherits from public.places; each becomes a separate model with its own rows
          numbered.number: is numbered by the database; in the store, assign the value yourself

        """))
  }

  /// Named schemas are imported without the others, and tables in which frameworks record migrations are skipped.
  @Test func otherSchemasAndFrameworks() throws {
    let source = try ImportSource(
      """
      CREATE TABLE a (id int PRIMARY KEY);
      CREATE SCHEMA first;
      CREATE TABLE first.b (id int PRIMARY KEY);
      CREATE TYPE first.state AS ENUM ('on', 'off');
      ALTER TABLE first.b ADD state first.state;
      CREATE SCHEMA second;
      CREATE TYPE second.state AS ENUM ('up');
      CREATE TYPE second.size AS ENUM ('big');
      CREATE TABLE second.b (id int PRIMARY KEY, a_id int REFERENCES a, b_id int REFERENCES first.b,
        state second.state, own first.state, size second.size);
      CREATE TABLE second.alembic_version (version_num varchar(32) PRIMARY KEY);
      """)
    let result = source.run("--name", "Shop", "--schema", "first", "--schema", "second")
    #expect(result.status == 1)
    #expect(
      result.messages == """
        found 2 tables with 8 columns and 0 rows in PLACE; wrote 2 models to Shop.schema
        b: 0 rows
        second.b: 0 rows
        not carried over: 1
          second.b.a_id: the foreign key to 'public.a' leads to no unique columns of an imported table
        to check: 2
          second.alembic_version: table is skipped: records migrations of Alembic
          second.b: is the table 'b' of the schema 'second'

        """)
    #expect(
      try source.schema == #"""
        schema Shop 1.0.0

        @Model(originalName: "b")
        class B {
            var state: FirstState?

            @Relationship(deleteRule: .deny, inverse: \SecondB.b) var secondBs: [SecondB] = []
        }

        @Model(originalName: "second.b")
        class SecondB {
            @Attribute(originalName: "a_id") var aId: Int32?
            var state: SecondState?
            var own: FirstState?
            var size: Size?

            @Relationship(originalName: "b_id") var b: B?
        }

        enum FirstState: String, Codable, CaseIterable {
            case on
            case off
        }

        enum SecondState: String, Codable, CaseIterable {
            case up
        }

        enum Size: String, Codable, CaseIterable {
            case big
        }

        """#)
  }
}
