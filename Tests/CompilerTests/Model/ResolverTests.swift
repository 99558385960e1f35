import SchemaDiagnostics
import SchemaModel
import Testing

@Suite struct ResolverTests {
  @Test func attributes() throws {
    let schema = try resolve(
      #"""
      schema S 1.2.3
      import Foundation
      import SwiftData
      import struct Geometry.Point
      /// A thing.
      @Model(originalName: "Thing") public final class Item: Identifiable, @unchecked Sendable {
        /// The name.
        /// It is long.
        @Attribute(.unique, .spotlight, originalName: "title", hashModifier: "2")
        public private(set) var name: String = "a b"
        @Attribute(.externalStorage) var photo: Data?
        @Attribute(.transformable(by: Transformer.self)) var color: Color?
        @Attribute(.flattened) var home: Address
        var tags: Set<String> = [], counts: [String: [Int]]
        let number: Int64
        @Transient var cache: Foo.Bar?
        var `class` = 3
        var kind = Kind.b
        var interval: TimeInterval = 1
        var date = Date()
        var list = [Int]()
        var big = -1.5
      }
      struct Address: Codable { var city: String }
      enum Kind: String, Codable { case a, b }
      """#)
    #expect(schema.name == "S")
    #expect(schema.version == SchemaVersion(1, 2, 3))
    #expect(schema.imports.map(\.module) == ["Foundation", "Geometry"])
    let item = try #require(schema.entity("Item"))
    #expect(item.originalName == "Thing")
    #expect(item.access == .public)
    #expect(item.conformances == ["Identifiable", "@unchecked Sendable"])
    #expect(item.documentation == ["A thing."])
    let name = try #require(item.attribute("name"))
    #expect(name.options == [.unique, .spotlight])
    #expect(name.originalName == "title")
    #expect(name.hashModifier == "2")
    #expect(name.access == .public)
    #expect(name.setterAccess == .private)
    #expect(name.documentation == ["The name.", "It is long."])
    #expect(name.defaultValue == SwiftText("\"a b\"", file: 0, line: 10))
    #expect(item.uniques.map(\.properties) == [["name"]])
    #expect(item.attribute("photo")?.type == .optional(.scalar(.data)))
    #expect(item.attribute("color")?.transformer == "Transformer.self")
    #expect(item.attribute("home")?.storage == .flattened)
    #expect(item.attribute("home")?.type == .structure("Address"))
    #expect(item.attribute("tags")?.type == .set(.scalar(.string)))
    #expect(
      item.attribute("counts")?.type
        == .dictionary(key: .scalar(.string), value: .array(.scalar(.int))))
    #expect(item.attribute("number")?.isLet == true)
    #expect(item.attribute("cache")?.type == .optional(.opaque("Foo.Bar")))
    #expect(item.attribute("cache")?.isTransient == true)
    #expect(item.attribute("class")?.type == .scalar(.int))
    #expect(item.attribute("kind")?.type == .enumeration("Kind"))
    #expect(item.attribute("interval")?.type == .scalar(.double))
    #expect(item.attribute("date")?.type == .scalar(.date))
    #expect(item.attribute("list")?.type == .array(.scalar(.int)))
    #expect(item.attribute("big")?.type == .scalar(.double))
  }

  @Test(arguments: [
    ("[1, 2.5]", ValueType.array(.scalar(.double))), ("[2.5, 1,]", .array(.scalar(.double))),
    ("[1, 2]", .array(.scalar(.int))), ("[[], [1]]", .array(.array(.scalar(.int)))),
    (#"["a": 1, "b": 2.5]"#, .dictionary(key: .scalar(.string), value: .scalar(.double))),
    (#"["a": [1], "b": [0.5]]"#, .dictionary(key: .scalar(.string), value: .array(.scalar(.double)))),
    (#""a" + "b""#, .scalar(.string)),
    ("[Kind.a, Kind.b]", .array(.enumeration("Kind"))),
  ])
  func typesFromDefaultValues(value: String, type: ValueType) throws {
    let schema = try resolve(
      "schema S 1.0.0\n@Model class Item { var a = \(value) }\nenum Kind: String, Codable { case a, b }")
    #expect(schema.entity("Item")?.attribute("a")?.type == type)
  }

  /// Swift either infers a type for these values or reports an error. The schema compiler infers none.
  @Test(arguments: [#"["a", nil]"#, #"[1, "a"]"#, "[nil, 1]", "[Kind.a, 1]", "!flag"])
  func typesThatCannotBeInferredFromDefaultValues(value: String) throws {
    let file = SourceFile(path: "S.schema", text: "schema S 1.0.0\n@Model class Item { var a = \(value) }")
    #expect(SchemaCompiler.compile([file]).diagnostics.map(\.id.code) == ["TYP001"])
  }

  @Test func relationshipsOfTheSample() throws {
    let schema = try resolve(
      #"""
      schema Travel 1.0.0
      @Model class Journey {
        #Unique<Journey>([\.name, \.start])
        #Index<Journey>([\.start], .rtree([\.name]))
        @Attribute(.preserveValueOnDeletion) var name: String
        var start: Date
        @Relationship(.cascade) var wishes: [Wish] = [Wish]()
        var lodging: Lodging?
      }
      @Model class Wish { var title: String; var journey: Journey? }
      @Model class Lodging {
        @Attribute(.unique, onConflict: .fail) var place: String
        var journey: Journey?
      }
      """#)
    let journey = try #require(schema.entity("Journey"))
    let wishes = try #require(journey.relationship("wishes"))
    #expect(wishes.cardinality == .toMany(isOptional: false))
    #expect(wishes.deleteRule == .cascade)
    #expect(wishes.inverse == .property("journey"))
    #expect(wishes.declaresInverse)
    let back = try #require(schema.entity("Wish")?.relationship("journey"))
    #expect(back.inverse == .property("wishes"))
    #expect(!back.declaresInverse)
    let lodging = try #require(journey.relationship("lodging"))
    #expect(lodging.inverse == .property("journey"))
    // Both sides are to-one, and neither declares the inverse or a rule, so the first side declares the pair.
    #expect(lodging.declaresInverse)
    #expect(journey.uniques.map(\.properties) == [["name", "start"]])
    #expect(journey.indexes.map(\.kind) == [.binary, .rtree])
    #expect(schema.entity("Lodging")?.uniques.map(\.policy) == [.fail])
  }

  @Test func inversesWithinOneModel() throws {
    let schema = try resolve(
      #"""
      schema S 1.0.0
      @Model class Node {
        var parent: Node?
        @Relationship(deleteRule: .cascade) var children: [Node] = []
        @Relationship(inverse: \Node.friends) var friends: [Node]
      }
      @Model class Base { var owner: Owner? }
      @Model class Derived: Base { @Attribute(.unique) var code: Int }
      @Model class Owner { @Relationship(inverse: \.owner) var items: [Base]? }
      """#)
    let node = try #require(schema.entity("Node"))
    #expect(node.relationship("parent")?.inverse == .property("children"))
    #expect(node.relationship("children")?.inverse == .property("parent"))
    #expect(node.relationship("children")?.declaresInverse == true)
    #expect(node.relationship("parent")?.declaresInverse == false)
    #expect(node.relationship("friends")?.inverse == .property("friends"))
    #expect(schema.entity("Derived")?.superentity == "Base")
    #expect(schema.entity("Base")?.relationship("owner")?.inverse == .property("items"))
    #expect(schema.entity("Owner")?.relationship("items")?.cardinality == .toMany(isOptional: true))
  }

  @Test func enumsAndStructs() throws {
    let schema = try resolve(
      """
      schema S 1.0.0
      /// Levels.
      public enum Level: Int, Codable, Sendable { case low = 3, middle, high = 0x10, top
        var isTop: Bool { self == .top } }
      enum Name: String, Codable { case a, b = "x" }
      indirect enum Shape: Codable { case circle(radius: Double, Int), nested(Shape), named(_: Name) }
      struct P: Codable, Hashable {
        var x: Int = 1
        let name: Name
        static let zero = P(x: 0, name: .a)
        var sum: Int { x }
        private enum CodingKeys: String, CodingKey { case x, name }
      }
      """)
    let level = schema.enums[0]
    #expect(level.rawType == .int)
    #expect(level.conformances == ["Codable", "Sendable"])
    #expect(level.access == .public)
    #expect(level.documentation == ["Levels."])
    #expect(level.cases.map(\.rawValue) == [.integer(3), .integer(4), .integer(16), .integer(17)])
    #expect(level.declaration.line == 3)
    #expect(level.declaration.text.hasPrefix("public enum Level"))
    #expect(level.declaration.text.hasSuffix("} }"))
    #expect(schema.enums[1].cases.map(\.rawValue) == [.string("a"), .string("x")])
    #expect(
      schema.enums[2].cases.map(\.payload) == [
        [.init(label: "radius", type: .scalar(.double)), .init(type: .scalar(.int))],
        [.init(type: .enumeration("Shape"))], [.init(type: .enumeration("Name"))],
      ])
    #expect(schema.structs[0].fields.map(\.name) == ["x", "name"])
    #expect(schema.structs[0].fields.map(\.isLet) == [false, true])
    #expect(schema.structs[0].fields[0].defaultValue?.text == "1")
  }

  @Test func copiedMembers() throws {
    let schema = try resolve(
      """
      schema S 1.0.0
      @Model class A {
        var x: Int

        /// Makes one.
        init(x: Int) {
          self.x = x
        }
        @Transient var double: Int { x * 2 }
        /// Twice.
        @Transient
        var triple: Int { x * 3 }
        static let shared = A(x: 1)
        func f() -> String { "}" }
        enum Kind: String { case a }
      }
      migration from 0.9.0 {
        fill A.x = 1
      }
      """)
    let a = try #require(schema.entity("A"))
    #expect(
      a.carriedInitializers == [
        SwiftText("/// Makes one.\n  init(x: Int) {\n    self.x = x\n  }", file: 0, line: 5)
      ])
    #expect(
      a.carriedMembers == [
        SwiftText("var double: Int { x * 2 }", file: 0, line: 9),
        SwiftText("/// Twice.\n            \n  var triple: Int { x * 3 }", file: 0, line: 10),
        SwiftText("static let shared = A(x: 1)", file: 0, line: 13),
        SwiftText("func f() -> String { \"}\" }", file: 0, line: 14),
        SwiftText("enum Kind: String { case a }", file: 0, line: 15),
      ])
    #expect(a.properties.map(\.name) == ["x"])
    #expect(schema.migrations.map(\.from) == [SchemaVersion(0, 9, 0)])
    #expect(schema.migrations[0].body.text == "\n  fill A.x = 1\n")
    #expect(schema.migrations[0].body.line == 17)
  }

  @Test func filesInAFolderFormOneSchema() throws {
    let files = [
      SourceFile(path: "m/B.schema", text: "schema S 1.0.0\n@Model class B { var a: A? }\n"),
      SourceFile(path: "m/A.schema", text: "schema S 1.0.0\n@Model class A { var bs: [B] }\n"),
      SourceFile(path: "n/Other.schema", text: "schema T 2.0.0\n"),
    ]
    let compilation = SchemaCompiler.compile(files)
    #expect(compilation.diagnostics.isEmpty)
    #expect(compilation.schemas.map(\.name) == ["S", "T"])
    let schema = compilation.schemas[0]
    #expect(schema.files.map(\.path) == ["m/A.schema", "m/B.schema"])
    #expect(schema.entity("B")?.file == 1)
    // Ranges refer to files by index.
    #expect(schema.entity("B")?.range.file == 0)
    #expect(schema.entity("A")?.relationship("bs")?.inverse == .property("a"))
  }

  @Test func aFileWithoutASchemaLine() throws {
    let text = "@Model class A { var x: Int }\n"
    for (path, name) in [("m/Trips.schema", "Trips"), ("my-trips 2.schema", "myTrips2")] {
      let file = SourceFile(path: path, text: text)
      let compilation = SchemaCompiler.compile([file])
      #expect(compilation.schemas.map(\.name) == [name])
      #expect(compilation.diagnostics.map(\.id.code) == ["SYN008"])
      let fixed = file.applying(compilation.diagnostics[0].fixIts[0].edits, file: 0)
      #expect(fixed.text(from: 0, to: 999) == "schema \(name) 1.0.0\n\n" + text)
      #expect(SchemaCompiler.compile([fixed]).diagnostics.isEmpty)
    }
  }

  @Test func foreignSpacesAreReplaced() {
    let file = SourceFile(
      path: "T.schema", text: "schema S 1.0.0\n@Model class A { var\u{A0}x: Int }\n")
    let compilation = SchemaCompiler.compile([file])
    #expect(compilation.diagnostics.map(\.message) == ["special space character in source"])
    #expect(compilation.schemas[0].entity("A")?.attribute("x") != nil)
    let fixed = file.applying(compilation.diagnostics[0].fixIts[0].edits, file: 0)
    #expect(SchemaCompiler.compile([fixed]).diagnostics.isEmpty)
  }
}
