import Foundation
import SampleTripsGolden
import SchemaDiagnostics
import SchemaFixtures
import SchemaModel
import SchemaVersions
import TestSupport
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// Tests of how fixtures can be used, and of schemas that cannot have a fixture.
struct FixtureUseTests {
  /// A short run omits wide schemas, because `EverySchemaTests` migrates them.
  @Test(
    arguments: SchemaUnderTest.all.filter {
      $0.version.version < $0.history.head.version && (Repetitions.isThorough || !$0.isWide)
    })
  func olderVersionsMigrate(_ schema: SchemaUnderTest) throws {
    let head = try #require(
      SchemaUnderTest.all.first {
        $0.version.name == schema.version.name && $0.version.version == schema.history.head.version
      })
    try inFolder { folder in
      let url = folder.appendingPathComponent("a.store")
      try schema.write(to: url)
      let context = ModelContext(try head.container(url, plan: head.plan))
      func count<M: PersistentModel>(_: M.Type) throws -> Int {
        try context.fetch(FetchDescriptor<M>()).count
      }
      // New models have no rows, and deduplication can remove all rows of a class.
      let all = try head.compiled.models.reduce(0) { try $0 + count($1) }
      #expect(all >= 24, "\(all) rows")
      #expect(try StoreReader(url).problems == [])
    }
  }

  @Test func tripsOfTheFirstReleaseMigrate() throws {
    let schema = try #require(SchemaUnderTest.all.first { $0.testDescription == "SampleTrips 1.0.0" })
    try inFolder { folder in
      let url = folder.appendingPathComponent("a.store")
      try schema.write(to: url)
      let container = try ModelContainer(
        for: Schema(versionedSchema: SampleTripsSchema.Current.self),
        migrationPlan: SampleTripsMigrationPlan.self,
        configurations: ModelConfiguration(url: url))
      let context = ModelContext(container)
      let trips = try context.fetch(FetchDescriptor<Trip>())
      // The second half of the rows repeats the first half, and version 3 makes trips unique.
      #expect(!trips.isEmpty && trips.count <= 12)
      #expect(trips.contains { $0.livingAccommodation != nil })
    }
  }

  @Test(arguments: ["SampleTrips 1.0.0", "Values 1.0.0"])
  func fixturesAreDeterministic(_ name: String) throws {
    let schema = try #require(
      SchemaUnderTest.all.first { $0.testDescription == name }
        ?? SchemaUnderTest.all.first { $0.version.name == "Values" })
    try inFolder { folder in
      func contents(_ name: String, rows: Int = 24, seed: UInt64 = 1) throws -> [String: Data] {
        let place = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try schema.fixture(rows: rows, seed: seed).write(to: place.appendingPathComponent("a.store"))
        return try FileManager.default.subpathsOfDirectory(atPath: place.path).reduce(into: [:]) {
          found, file in
          found[file] =
            FileManager.default.contents(atPath: place.appendingPathComponent(file).path) ?? Data()
        }
      }
      let first = try contents("1")
      #expect(try contents("2") == first)
      let other = try contents("3", seed: 2)
      #expect(other["a.store"] != first["a.store"])
      #expect(try contents("4", rows: 8)["a.store"] != first["a.store"])
      #expect(try contents("5", seed: 2) == other)
    }
  }

  /// Schemas in a single file, and the error for each of them.
  static let refusals: [(String, String)] = [
    (
      "@Attribute(.transformable(by: \"palette\")) var colour: Colours",
      "'Thing.colour' is stored with the transformer"
    ),
    ("var colour: NSColor", "'Thing.colour' is required and only the app can encode its type"),
    ("@Attribute(.raw) var colour: NSColor?", "'Thing.colour' is stored as a raw value of 'NSColor'"),
    (
      "var size: Size\n}\nstruct Size: Codable {\n  var w: Int\n  func encode(to encoder: any Encoder) throws {}",
      "'Thing.size' is required and only the app can encode its type"
    ),
    (
      "@Attribute(.unique) var isOne: Bool\n  @Relationship(minimumModelCount: 3, inverse: nil) var all: [Thing] = []",
      "'Thing.all' needs more rows than its bounds or unique values allow"
    ),
  ]

  @Test(arguments: refusals) func valuesKnownOnlyToTheProgram(_ property: String, _ expected: String) throws {
    let text = "schema Things 1.0.0\n\n@Model\nclass Thing {\n  \(property)\n}\n"
    let file = SourceFile(path: "Things.schema", text: text)
    let compilation = SchemaCompiler.compile([file])
    let schema = try #require(compilation.schemas.first, "\(compilation.diagnostics)")
    let error = #expect(throws: FixtureRefusal.self) {
      _ = try SchemaFixture(schema, of: SchemaHistory(head: schema), files: [file], module: "Things")
    }
    #expect(error?.description.hasPrefix(expected) == true, "\(error?.description ?? "")")
  }

  @Test func codingKeysDetermineStoredNames() throws {
    let text = """
      schema Things 1.0.0

      @Model
      class Thing {
        var size: Size
        @Attribute(.flattened) var other: Size
      }

      struct Size: Codable {
        var w: Int
        var h: Int
        var d: Int

        enum CodingKeys: String, CodingKey {
          case w = "width", h
          case d = "depth"
        }
      }

      """
    let file = SourceFile(path: "Things.schema", text: text)
    let schema = try #require(SchemaCompiler.compile([file]).schemas.first)
    try inFolder { folder in
      let url = folder.appendingPathComponent("a.store")
      try SchemaFixture(schema, of: SchemaHistory(head: schema), files: [file], module: "Things").write(
        to: url)
      let rows = try StoreReader(url).rows(
        "SELECT DISTINCT \"size\", \"other_w\", \"other_d\" FROM \"Thing\"")
      #expect(rows.contains { $0[0] == .text("{\"depth\":0,\"h\":0,\"width\":0}") })
      #expect(rows.allSatisfy { $0[1] != .null && $0[2] != .null })
    }
  }

  @Test func unsupportedOptionalValuesAreNil() throws {
    let text = """
      schema Things 1.0.0

      @Model
      class Thing {
        var name: String
        var colour: NSColor?
        @Attribute(.transformable(by: "palette")) var shades: Shades?
      }

      """
    let file = SourceFile(path: "Things.schema", text: text)
    let schema = try #require(SchemaCompiler.compile([file]).schemas.first)
    try inFolder { folder in
      let url = folder.appendingPathComponent("a.store")
      try SchemaFixture(schema, of: SchemaHistory(head: schema), files: [file], module: "Things").write(
        to: url)
      let rows = try StoreReader(url).rows(
        "SELECT COUNT(*), COUNT(\"colour\"), COUNT(\"shades\") FROM \"Thing\"")
      #expect(rows == [[.integer(24), .integer(0), .integer(0)]])
    }
  }

  /// Rows of each class are numbered from 0. Their file names must differ.
  @Test func filesOfInheritedValuesBelongToOneRow() throws {
    let text = """
      schema Things 1.0.0

      @Model
      class Thing {
        @Attribute(.externalStorage) var manual: Data
      }

      @Model
      class Tool: Thing {
        var use: String
      }

      @Model
      class Saw: Tool {
        var teeth: Int
      }

      """
    let file = SourceFile(path: "Things.schema", text: text)
    let schema = try #require(SchemaCompiler.compile([file]).schemas.first)
    try inFolder { folder in
      let url = folder.appendingPathComponent("a.store")
      try SchemaFixture(schema, of: SchemaHistory(head: schema), files: [file], module: "Things").write(to: url)
      let names = try StoreReader(url).rows("SELECT \"manual\" FROM \"Thing\" WHERE typeof(\"manual\") = 'text'")
      let files = try FileManager.default.contentsOfDirectory(atPath: url.path + "-external")
      #expect(names.count > 3 && Set(names) == Set(files.map { [.text($0)] }) && names.count == files.count)
    }
  }
}
