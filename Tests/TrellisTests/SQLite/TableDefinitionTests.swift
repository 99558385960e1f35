import Foundation
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

@Suite struct TableDefinitionTests {
  private func definitions(of fixture: StoreFixture) throws -> String {
    _ = try fixture.open()
    return try fixture.shell(
      "SELECT sql || ';' FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'trellis_%' "
        + "ORDER BY tbl_name, type DESC, name")
  }

  @Test func tablesReflectTheSchema() throws {
    let fixture = try StoreFixture(Journey.self)
    #expect(
      try definitions(of: fixture) == """
        CREATE TABLE "Journey" (
          "id" INTEGER PRIMARY KEY,
          "name" TEXT NOT NULL,
          "start" ANY NOT NULL,
          "budget" ANY NOT NULL,
          "isFavorite" INTEGER NOT NULL,
          "notes" TEXT,
          "lodging" INTEGER REFERENCES "Lodging" ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
        ) STRICT;
        CREATE INDEX "Journey_lodging_index" ON "Journey" ("lodging");
        CREATE INDEX "Journey_name_start_index" ON "Journey" ("name", "start");
        CREATE INDEX "Journey_start_index" ON "Journey" ("start");
        CREATE TABLE "Journey_labels" (
          "Journey" INTEGER NOT NULL REFERENCES "Journey" ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
          "Tag" INTEGER NOT NULL REFERENCES "Tag" ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
          "labels_position" INTEGER,
          PRIMARY KEY ("Journey", "Tag")
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX "Journey_labels_Tag_index" ON "Journey_labels" ("Tag", "Journey");
        CREATE TABLE "Lodging" (
          "id" INTEGER PRIMARY KEY,
          "place" TEXT NOT NULL,
          "journey" INTEGER REFERENCES "Journey" ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
        ) STRICT;
        CREATE INDEX "Lodging_journey_index" ON "Lodging" ("journey");
        CREATE TABLE "Photo" (
          "id" INTEGER PRIMARY KEY,
          "file" TEXT NOT NULL,
          "journey" INTEGER REFERENCES "Journey" ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
          "journey_position" INTEGER
        ) STRICT;
        CREATE INDEX "Photo_journey_index" ON "Photo" ("journey");
        CREATE TABLE "Stop" (
          "id" INTEGER PRIMARY KEY,
          "title" TEXT NOT NULL,
          "isInPlan" INTEGER NOT NULL,
          "journey" INTEGER REFERENCES "Journey" ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
        ) STRICT;
        CREATE INDEX "Stop_journey_index" ON "Stop" ("journey");
        CREATE TABLE "Tag" (
          "id" INTEGER PRIMARY KEY,
          "text" TEXT NOT NULL
        ) STRICT;
        """)
  }

  @Test func propertiesCanBeNamedLikeInternalColumns() throws {
    let members = try definitions(of: try StoreFixture(Member.self))
    #expect(
      members.hasPrefix("CREATE TABLE \"Member\" (\n  \"_id\" INTEGER PRIMARY KEY,\n  \"id\""))
    #expect(
      try definitions(of: try StoreFixture(Dog.self, Cat.self)) == """
        CREATE TABLE "Animal" (
          "id" INTEGER PRIMARY KEY,
          "_entity" TEXT NOT NULL,
          "name" TEXT NOT NULL,
          "entity" INTEGER NOT NULL,
          "friend" INTEGER REFERENCES "Animal" ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
          "age" TEXT,
          "age_2" INTEGER
        ) STRICT;
        CREATE INDEX "Animal_friend_index" ON "Animal" ("friend");
        CREATE UNIQUE INDEX "Animal_name_unique" ON "Animal" ("name");
        """)
  }

  @Test func namesThatDifferOnlyByCaseAreDistinguished() {
    var scope = NameScope(reserved: ["trellis_metadata"])
    #expect(
      ["Trip", "trip", "TRIP", "sqlite_stat", "Trellis_Metadata", "É", "é"].map { scope.claim($0) }
        == ["Trip", "trip_2", "TRIP_3", "_sqlite_stat", "Trellis_Metadata_2", "É", "é"])
  }

  @Test func largeScopesDetectAllConflicts() {
    var scope = NameScope()
    let names = (0..<500).map { "Name\($0)" } + (0..<100).map { "Größe\($0)" }
    #expect(names.map { scope.claim($0) } == names)
    #expect(names.map { scope.claim($0.lowercased()) } == names.map { "\($0.lowercased())_2" })
    // Equal text with different bytes.
    #expect(scope.claim("Gro\u{308}ße7") == "Größe7_3")
    #expect(scope.claim(underscoring: "name7") == "_name7")
  }

  @Test func namesAreQuoted() {
    let table = TableDefinition(
      name: "a\"b", columns: [ColumnDefinition(name: "select", type: .any)],
      indexes: [IndexDefinition(name: "i", columns: ["select"])])
    #expect(
      table.statements.map(\.text) == [
        "CREATE TABLE \"a\"\"b\" (\n  \"select\" ANY\n) STRICT",
        "CREATE INDEX \"i\" ON \"a\"\"b\" (\"select\")",
      ])
  }

  @Test func fingerprintsDependOnlyOnTheSchema() {
    let one = SchemaFingerprint.text(of: Schema(Journey.self))
    let other = SchemaFingerprint.text(of: Schema([Tag.self, Stop.self], version: .init(9, 0, 0)))
    #expect(one == other)
    #expect(one.count == 32)
    #expect(SchemaFingerprint.text(of: Schema(Member.self)) != one)
  }
}
