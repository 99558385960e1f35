import SchemaDiagnostics
import SchemaModel
import Testing

/// The limit of 2,000 columns in a SQLite table.
@Suite struct ColumnLimitFixtureTests {
  private static func properties(_ count: Int, _ name: String = "p") -> String {
    (0..<count).map { "var \(name)\($0): Int = 0" }.joined(separator: "; ")
  }

  @Test func tooManyColumns() {
    expectDiagnostics(
      """
        schema S 1.0.0
        @Model class A { \(Self.properties(2000)) }
      //             ^ error[TYP025]: the table for 'A' and its subclasses needs 2001 columns, but SQLite allows 2000
      """)
  }

  @Test func subclassesShareTheTable() {
    expectDiagnostics(
      """
        schema S 1.0.0
        @Model class A { \(Self.properties(1000)) }
      //             ^ error[TYP025]: the table for 'A' and its subclasses needs 2001 columns, but SQLite allows 2000
        @Model class B: A { \(Self.properties(998, "q")); var other: C?; @Relationship(inverse: \\C.owner) var list: [C] }
        @Model class C { var owner: B?; @Relationship(inverse: \\B.other) var others: [B] }
      """)
  }

  @Test func fieldsAndPositionsCountAsColumns() {
    expectDiagnostics(
      """
        schema S 1.0.0
        struct P: Codable { \(Self.properties(997)) }
        @Model class A { @Attribute(.flattened) var x: P; @Attribute(.flattened) var y: P?; var owner: O?; var \
      k: Int; @Transient var t: Int = 0; @Attribute(.ephemeral) var e: Int = 0; var l: Int }
        @Model class O { @Relationship(.ordered, inverse: \\A.owner) var list: [A] }
      """)
    let file = SourceFile(
      path: "S.schema",
      text: """
        schema S 1.0.0
        struct P: Codable { \(Self.properties(997)) }
        @Model class A { @Attribute(.flattened) var x: P; @Attribute(.flattened) var y: P?; var owner: O?; var k: Int; var l: Int }
        @Model class O { @Relationship(.ordered, inverse: \\A.owner) var list: [A]; var extra: A? }
        @Model class B: A { var m: Int }
        """)
    // 997 + 998 + owner + k + l + position, key and class, and one column of the subclass.
    #expect(
      SchemaCompiler.compile([file]).diagnostics.map(\.message).contains { $0.contains("needs 2002 columns") })
  }
}
