import Foundation
import SchemaDiagnostics
import SchemaModel
import SchemaVersions
import Testing

@testable import SchemaFixtures
@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// Rows with unique values must differ.
struct UniqueValueTests {
  /// The members of a model, and the number of rows for a request of 24.
  static let models: [(String, Int)] = [
    ("@Attribute(.unique) var flag: Bool", 2),
    ("@Attribute(.unique) var flag: Bool?", 2),
    ("@Attribute(.unique) var kind: Kind", 3),
    ("@Attribute(.unique) var number: Int", 24),
    ("@Attribute(.unique) var name: String", 24),
    ("@Attribute(.unique) var letter: Character?", 24),
    ("@Attribute(.unique) var ratio: Double", 24),
    ("@Attribute(.unique) var price: Decimal", 24),
    ("@Attribute(.unique) var day: Date", 24),
    ("@Attribute(.unique) var key: UUID", 24),
    ("@Attribute(.unique) var place: URL", 24),
    ("@Attribute(.unique) var bytes: Data", 24),
    ("#Unique<Thing>([\\.kind, \\.flag])\n  var kind: Kind\n  var flag: Bool", 6),
    (
      "#Unique<Thing>([\\.kind, \\.flag], [\\.name])\n  var kind: Kind\n  var flag: Bool\n  var name: String",
      6
    ),
    ("#Unique<Thing>([\\.kind, \\.name])\n  var kind: Kind\n  var name: String", 24),
    ("#Unique<Thing>([\\.size.width])\n  @Attribute(.flattened) var size: Size", 24),
    ("#Unique<Thing>([\\.size.width, \\.size.kind])\n  @Attribute(.flattened) var size: Size", 24),
    ("@Relationship(.unique, inverse: nil) var other: Other", 24),
    (
      "#Unique<Thing>([\\.other, \\.number])\n  @Relationship(inverse: nil) var other: Other\n  var number: Int",
      24
    ),
    (
      "#Unique<Thing>([\\.other, \\.kind])\n  @Relationship(inverse: nil) var other: Other?\n  var kind: Kind",
      24
    ),
    (
      "#Unique<Thing>([\\.other, \\.kind])\n  @Relationship(inverse: \\Other.things) var other: Other?\n  var kind: Kind",
      24
    ),
  ]

  @Test(arguments: models) func uniqueValuesDiffer(_ members: String, _ rows: Int) throws {
    let text = """
      schema Things 1.0.0
      @Model class Thing {
        \(members)
      }
      @Model class Other {
        var number: Int
        \(members.contains("Other.things") ? "var things: [Thing]" : "")
      }
      enum Kind: String, Codable { case a, b, c }
      struct Size: Codable { var width: Double; var kind: Kind }
      """
    let file = SourceFile(path: "Things.schema", text: text)
    let compilation = SchemaCompiler.compile([file])
    let schema = try #require(compilation.schemas.first, "\(compilation.diagnostics)")
    try inFolder { folder in
      let url = folder.appendingPathComponent("a.store")
      let fixture = try SchemaFixture(
        schema, of: SchemaHistory(head: schema), files: [file], module: "Things")
      // Throws if a row would replace another row.
      try fixture.write(to: url)
      let reader = try StoreReader(url)
      #expect(try reader.rows("SELECT COUNT(*) FROM \"Thing\"") == [[.integer(Int64(rows))]])
      #expect(try reader.problems == [])
    }
  }

  @Test func subclassesContinueTheNumbering() throws {
    let text = """
      schema Things 1.0.0
      @Model class Thing {
        #Unique<Thing>([\\.name], [\\.kind, \\.flag, \\.level])
        var name: String
        var kind: Kind
        var flag: Bool
        var level: Int8
      }
      @Model class Better: Thing {
        @Attribute(.unique) var number: Int16
      }
      @Model class Best: Better { }
      enum Kind: Int, Codable { case a, b, c }
      """
    let file = SourceFile(path: "Things.schema", text: text)
    let compilation = SchemaCompiler.compile([file])
    let schema = try #require(compilation.schemas.first, "\(compilation.diagnostics)")
    try inFolder { folder in
      let url = folder.appendingPathComponent("a.store")
      try SchemaFixture(schema, of: SchemaHistory(head: schema), files: [file], module: "Things")
        .write(to: url)
      let rows = try StoreReader(url).rows("SELECT \"entity\", COUNT(*) FROM \"Thing\" GROUP BY 1 ORDER BY 1")
      #expect(rows == ["Best", "Better", "Thing"].map { [.text($0), .integer(24)] })
    }
  }
}
