import Foundation
import SchemaDiff
import SchemaModel
import SchemaReports
import TestSupport
import Testing

/// The compatibility axes that each kind of change breaks.
@Suite struct AxesTests {
  /// Each text is the body of model `A`, or a complete schema if it begins with `@` or a keyword in the first column.
  static let table: [(kind: String, old: String, new: String, axes: String)] = [
    (
      "entity-added", "@Model class A { var x: Int }", "@Model class A { var x: Int }\n@Model class B { var y: Int }",
      ""
    ),
    (
      "entity-removed", "@Model class A { var x: Int }\n@Model class B { var y: Int }", "@Model class A { var x: Int }",
      "STORE READBACK CODEC HISTORY SYNC SOURCE"
    ),
    (
      "entity-renamed", "@Model class A { var x: Int }", "@Model(originalName: \"A\") class B { var x: Int }",
      "READBACK CODEC HISTORY SYNC SOURCE"
    ),
    (
      "entity-superentity-changed", "@Model class A { var x: Int }\n@Model class B { var y: Int }",
      "@Model class A { var x: Int }\n@Model class B: A { var y: Int }", "STORE READBACK CODEC HISTORY SYNC SOURCE"
    ),
    (
      "entity-original-name-changed", "@Model class A { var x: Int }",
      "@Model(originalName: \"Z\") class A { var x: Int }", ""
    ),
    ("entity-conformances-changed", "@Model class A: P { var x: Int }", "@Model class A: P, Q { var x: Int }", ""),
    ("entity-conformances-changed", "@Model class A: P { var x: Int }", "@Model class A { var x: Int }", "SOURCE"),
    ("entity-access-changed", "@Model public class A { var x: Int }", "@Model class A { var x: Int }", "SOURCE"),
    ("entity-access-changed", "@Model class A { var x: Int }", "@Model public class A { var x: Int }", ""),
    (
      "entity-properties-reordered", "@Model class A { var x: Int; var y: Int }",
      "@Model class A { var y: Int; var x: Int }", "SOURCE"
    ),
    ("attribute-added", "", "var a: Int?", ""),
    ("attribute-added", "", "var a: Int", "STORE READBACK CODEC SYNC SOURCE"),
    ("attribute-removed", "var a: Int?", "", "STORE READBACK CODEC SYNC SOURCE"),
    (
      "attribute-removed", "@Attribute(.preserveValueOnDeletion) var a: Int?", "",
      "STORE READBACK CODEC HISTORY SYNC SOURCE"
    ),
    ("attribute-removed", "@Transient var a: Int = 0", "", "SOURCE"),
    ("attribute-renamed", "var a: Int", "@Attribute(originalName: \"a\") var b: Int", "READBACK CODEC SYNC SOURCE"),
    ("attribute-type-changed", "var a: Int8", "var a: Int", "READBACK SYNC SOURCE"),
    ("attribute-type-changed", "var a: Int", "var a: Int8", "STORE READBACK CODEC SYNC SOURCE"),
    ("attribute-default-changed", "var a: Int = 1", "var a: Int = 2", ""),
    ("attribute-default-changed", "var a: Int = 1", "var a: Int", "SOURCE"),
    ("attribute-became-transient", "var a: Int = 0", "@Transient var a: Int = 0", "STORE READBACK CODEC SYNC"),
    ("attribute-became-stored", "@Transient var a: Int = 0", "var a: Int = 0", ""),
    (
      "attribute-option-added", "var a: String = \"\"", "@Attribute(.ephemeral) var a: String = \"\"",
      "STORE READBACK CODEC SYNC"
    ),
    ("attribute-option-added", "var a: String = \"\"", "@Attribute(.spotlight) var a: String = \"\"", ""),
    (
      "attribute-option-added", "var a: String = \"\"", "@Attribute(.allowsCloudEncryption) var a: String = \"\"",
      "SYNC"
    ),
    ("attribute-option-removed", "@Attribute(.preserveValueOnDeletion) var a: Int", "var a: Int", "HISTORY"),
    ("attribute-option-removed", "@Attribute(.externalStorage) var a: String", "var a: String", "READBACK"),
    (
      "attribute-transformer-changed", "@Attribute(.transformable(by: T.self)) var a: Color?",
      "@Attribute(.transformable(by: U.self)) var a: Color?", "STORE READBACK CODEC SYNC"
    ),
    ("attribute-storage-changed", "var a: [Int]", "@Attribute(.json) var a: [Int]", "READBACK SYNC"),
    ("attribute-unknown-values-changed", "var a: Color?", "@Attribute(.unknown(.default)) var a: Color?", ""),
    ("attribute-hash-modifier-changed", "var a: Int", "@Attribute(hashModifier: \"1\") var a: Int", "READBACK"),
    ("attribute-original-name-changed", "var a: Int", "@Attribute(originalName: \"q\") var a: Int", ""),
    ("attribute-access-changed", "public var a: Int", "var a: Int", "SOURCE"),
    ("attribute-setter-access-changed", "var a: Int = 0", "private(set) var a: Int = 0", "SOURCE"),
    ("attribute-mutability-changed", "var a: Int", "let a: Int", "SOURCE"),
    ("attribute-mutability-changed", "let a: Int", "var a: Int", ""),
    ("relationship-added", "", "var a: R?", ""),
    ("relationship-added", "", "var a: R", "STORE READBACK CODEC SYNC SOURCE"),
    ("relationship-removed", "var a: R?", "", "STORE READBACK CODEC SYNC SOURCE"),
    ("relationship-renamed", "var a: R?", "@Relationship(originalName: \"a\") var b: R?", "READBACK CODEC SYNC SOURCE"),
    ("relationship-destination-changed", "var a: R?", "var a: K?", "STORE READBACK CODEC SYNC SOURCE"),
    ("relationship-cardinality-changed", "var a: R?", "var a: [R] = []", "READBACK CODEC SYNC SOURCE"),
    ("relationship-cardinality-changed", "var a: [R] = []", "var a: R?", "STORE READBACK CODEC SYNC SOURCE"),
    ("relationship-delete-rule-changed", "var a: R?", "@Relationship(deleteRule: .cascade) var a: R?", "SYNC"),
    (
      "relationship-minimum-count-changed", "var a: [R] = []", "@Relationship(minimumModelCount: 1) var a: [R] = []",
      "STORE READBACK SYNC"
    ),
    (
      "relationship-maximum-count-changed", "var a: [R] = []", "@Relationship(maximumModelCount: 3) var a: [R] = []",
      "STORE READBACK SYNC"
    ),
    (
      "relationship-maximum-count-changed", "@Relationship(maximumModelCount: 3) var a: [R] = []", "var a: [R] = []", ""
    ),
    ("relationship-order-changed", "var a: [R] = []", "@Relationship(.ordered) var a: [R] = []", "READBACK SYNC"),
    ("relationship-order-changed", "@Relationship(.ordered) var a: [R] = []", "var a: [R] = []", "STORE READBACK SYNC"),
    ("relationship-hash-modifier-changed", "var a: R?", "@Relationship(hashModifier: \"1\") var a: R?", "READBACK"),
    ("relationship-original-name-changed", "var a: R?", "@Relationship(originalName: \"q\") var a: R?", ""),
    ("relationship-default-changed", "var a: [R] = []", "var a: [R]", "SOURCE"),
    ("relationship-access-changed", "public var a: R?", "var a: R?", "SOURCE"),
    ("relationship-setter-access-changed", "var a: R?", "private(set) var a: R?", "SOURCE"),
    ("unique-added", "var a: Int", "@Attribute(.unique) var a: Int", "STORE READBACK SYNC"),
    ("unique-removed", "@Attribute(.unique) var a: Int", "var a: Int", "SYNC"),
    (
      "unique-policy-changed", "#Unique<A>([\\.a]); var a: Int", "#Unique<A>([\\.a], onConflict: .fail); var a: Int",
      "SYNC"
    ),
    ("index-added", "var a: Int", "#Index<A>([\\.a]); var a: Int", ""),
    ("index-removed", "#Index<A>([\\.a]); var a: Int", "var a: Int", ""),
    ("enum-added", "", "enum E: String, Codable { case a }", ""),
    ("enum-removed", "enum E: String, Codable { case a }", "", "SOURCE"),
    (
      "enum-raw-type-changed", "enum E: Int, Codable { case a = 1 }", "enum E: String, Codable { case a = \"1\" }",
      "STORE READBACK CODEC SYNC SOURCE"
    ),
    (
      "enum-conformances-changed", "enum E: String, Codable { case a }",
      "enum E: String, Codable, CaseIterable { case a }", ""
    ),
    (
      "enum-access-changed", "public enum E: String, Codable { case a }", "enum E: String, Codable { case a }", "SOURCE"
    ),
    (
      "enum-case-added", "enum E: String, Codable { case a }", "enum E: String, Codable { case a, b }",
      "READBACK SYNC SOURCE"
    ),
    (
      "enum-case-removed", "enum E: String, Codable { case a, b }", "enum E: String, Codable { case a }",
      "STORE READBACK CODEC SYNC SOURCE"
    ),
    ("enum-case-renamed", "enum E: String, Codable { case a }", "enum E: String, Codable { case b = \"a\" }", "SOURCE"),
    (
      "enum-case-raw-value-changed", "enum E: String, Codable { case a }", "enum E: String, Codable { case a = \"b\" }",
      "STORE READBACK CODEC SYNC SOURCE"
    ),
    (
      "enum-case-payload-changed", "enum E: Codable { case a(Int) }", "enum E: Codable { case a(String) }",
      "STORE READBACK CODEC SYNC SOURCE"
    ),
    ("enum-cases-reordered", "enum E: String, Codable { case a, b }", "enum E: String, Codable { case b, a }", ""),
    ("struct-added", "", "struct V: Codable { var a: Int }", ""),
    ("struct-removed", "struct V: Codable { var a: Int }", "", "SOURCE"),
    (
      "struct-conformances-changed", "struct V: Codable, Hashable { var a: Int }", "struct V: Codable { var a: Int }",
      "SOURCE"
    ),
    ("struct-access-changed", "public struct V: Codable { var a: Int }", "struct V: Codable { var a: Int }", "SOURCE"),
    (
      "struct-field-added", "struct V: Codable { var a: Int }", "struct V: Codable { var a: Int; var b: Int? }",
      "READBACK"
    ),
    (
      "struct-field-added", "struct V: Codable { var a: Int }", "struct V: Codable { var a: Int; var b: Int }",
      "STORE READBACK CODEC SYNC SOURCE"
    ),
    (
      "struct-field-removed", "struct V: Codable { var a: Int; var b: Int }", "struct V: Codable { var a: Int }",
      "STORE READBACK CODEC SYNC SOURCE"
    ),
    (
      "struct-field-type-changed", "struct V: Codable { var a: Int8 }", "struct V: Codable { var a: Int }",
      "READBACK SYNC SOURCE"
    ),
    (
      "struct-field-type-changed", "struct V: Codable { var a: Int }", "struct V: Codable { var a: String }",
      "STORE READBACK CODEC SYNC SOURCE"
    ),
    (
      "struct-field-default-changed", "struct V: Codable { var a: Int = 1 }", "struct V: Codable { var a: Int }",
      "SOURCE"
    ),
    (
      "struct-field-default-changed", "@Model class A { var v: V? }\nstruct V: Codable { var a: Int = 1 }",
      "@Model class A { var v: V? }\nstruct V: Codable { var a: Int }", "STORE SOURCE"
    ),
    (
      "struct-field-mutability-changed", "struct V: Codable { var a: Int }", "struct V: Codable { let a: Int }",
      "SOURCE"
    ),
    (
      "enum-coding-changed", "@Model class A { var e: E? }\nenum E: Codable { case a }",
      "@Model class A { var e: E? }\nenum E: Codable { case a; enum CodingKeys: String, CodingKey { case a = \"b\" } }",
      "STORE READBACK CODEC SYNC"
    ),
    (
      "struct-coding-changed", "@Model class A { var v: V? }\nstruct V: Codable { var a: Int }",
      "@Model class A { var v: V? }\nstruct V: Codable { var a: Int; func encode(to encoder: any Encoder) throws { } }",
      "STORE READBACK CODEC SYNC"
    ),
    (
      "struct-field-key-changed", "@Model class A { var v: V? }\nstruct V: Codable { var a: Int }",
      "@Model class A { var v: V? }\nstruct V: Codable { var a: Int; enum CodingKeys: String, CodingKey { case a = \"b\" } }",
      "STORE READBACK CODEC SYNC"
    ),
    (
      "struct-field-renamed", "@Model class A { var v: V? }\nstruct V: Codable { var a: Int }",
      "@Model class A { var v: V? }\nstruct V: Codable { var b: Int; enum CodingKeys: String, CodingKey { case b = \"a\" } }",
      "SOURCE"
    ),
    (
      "struct-conformances-changed", "@Model class A { var v: V? }\nstruct V: Codable { var rawValue: Int }",
      "@Model class A { var v: V? }\nstruct V: Codable, RawRepresentable { var rawValue: Int }",
      "STORE READBACK CODEC SYNC SOURCE"
    ),
    (
      "struct-fields-reordered", "struct V: Codable { var a: Int; var b: Int }",
      "struct V: Codable { var b: Int; var a: Int }", "SOURCE"
    ),
  ]

  private func changes(_ old: String, _ new: String) throws -> [SchemaChange] {
    let words = ["@Model", "enum", "struct", "public enum", "public struct"]
    let isWhole = [old, new].contains { text in words.contains { text.hasPrefix($0) } }
    func text(_ body: String) -> String {
      let rest = "\n@Model class R { var r: Int }\n@Model class K { var k: Int }\n"
      return isWhole
        ? body + "\n@Model class Other { var o: Int }" : "@Model class A { var keep: Int; \(body) }" + rest
    }
    return SchemaDiff.changes(from: try schema(text(old)), to: try schema(text(new)))
  }

  @Test(arguments: table)
  func changesOfEachKindBreakTheExpectedAxes(kind: String, old: String, new: String, axes: String) throws {
    let changes = try changes(old, new)
    let change = try #require(changes.first { $0.kind == kind }, "\(changes.map(\.kind))")
    #expect(change.axes.map(\.rawValue).joined(separator: " ") == axes)
  }

  /// Every kind must have a row, so that new kinds are considered.
  @Test func everyKindOfChangeHasARow() throws {
    let folder = Repository.root.appending(path: "Sources/Compiler/SchemaDiff/Changes")
    let tested = Set(Self.table.map(\.kind)).union(["relationship-inverse-changed"])
    let families = [
      ("EntityChange", ""), ("AttributeChange", "attribute-"), ("RelationshipChange", "relationship-"),
      ("UniqueChange", ""), ("IndexChange", ""), ("EnumChange", "enum-"), ("StructChange", "struct-"),
    ]
    var count = 0
    for (family, prefix) in families {
      let text = try String(contentsOf: folder.appending(path: "\(family).swift"), encoding: .utf8)
      let body = text.split(separator: "package var kind: String {").last?.split(separator: "\n  }\n").first ?? ""
      for match in body.matches(of: /: "([a-z-]+)"/) {
        #expect(tested.contains(prefix + match.1), "no row for \(prefix)\(match.1)")
        count += 1
      }
    }
    #expect(count > 50)
  }

  @Test func axesOfAChangedInverse() throws {
    let old = """
      @Model class A { @Relationship(inverse: \\R.one) var list: [R] = [] }
      @Model class R { var one: A?; @Relationship(inverse: nil) var two: A? }
      """
    let new = """
      @Model class A { @Relationship(inverse: \\R.two) var list: [R] = [] }
      @Model class R { @Relationship(inverse: nil) var one: A?; var two: A? }
      """
    let changes = SchemaDiff.changes(from: try schema(old), to: try schema(new))
    let change = try #require(changes.first { $0.kind == "relationship-inverse-changed" && $0.subject == "A.list" })
    #expect(change.axes == [.store, .readback, .sync])
  }

  @Test func axesOfChangesToTheSchemaItself() throws {
    let old = try schema("@Model class A { var a: Int }")
    var new = old
    new.name = "T"
    new.imports = [.init(module: "New", file: 0)]
    #expect(SchemaDiff.changes(from: old, to: new).map(\.axes) == [[.store, .readback, .source], []])
    #expect(SchemaDiff.changes(from: new, to: old).map(\.axes) == [[.store, .readback, .source], []])
  }
}

/// Renames over several versions.
@Suite struct ComposedDiffTests {
  private func changes(_ texts: String...) throws -> [String] {
    SchemaDiff.changes(through: try texts.map { try schema($0) }).map(\.text)
  }

  @Test func successiveRenamesAreCombined() throws {
    #expect(
      try changes(
        "@Model class A { var a: Int; var r: B? }\n@Model class B { var owner: A? }",
        "@Model class A { @Attribute(originalName: \"a\") var b: Int; var r: B? }\n@Model class B { var owner: A? }",
        "@Model(originalName: \"A\") class C { @Attribute(originalName: \"b\") var c: Int; var r: B? }\n@Model class B { var owner: C? }"
      ) == ["model 'A' renamed to 'C'", "attribute 'C.a' renamed to 'c'"])
  }

  @Test func aRemovedAndReaddedAttributeIsTwoChanges() throws {
    #expect(
      try changes(
        "@Model class A { var a: Int; var keep: Int }", "@Model class A { var keep: Int }",
        "@Model class A { var a: Int; var keep: Int }")
        == ["attribute 'A.a' added with type 'Int'", "attribute 'A.a' removed, its type was 'Int'"])
  }

  @Test func aRevertedRenameKeepsTheAttribute() throws {
    #expect(
      try changes(
        "@Model class A { var a: Int }", "@Model class A { @Attribute(originalName: \"a\") var b: Int }",
        "@Model class A { @Attribute(originalName: \"b\") var a: Int }")
        == ["attribute 'A.a': original name changed from none to 'b'"])
    #expect(try changes("@Model class A { var a: Int }") == [])
  }
}
