import SchemaDiagnostics
import SchemaGraph
import SchemaModel
import Testing

/// Tests of PlantUML diagrams.
@Suite struct PlantUMLTests {
  private static func schema(_ text: String) throws -> ResolvedSchema {
    let compilation = SchemaCompiler.compile([SourceFile(path: "/S.schema", text: text)])
    return try #require(compilation.schemas.first, "\(compilation.diagnostics.map(\.message))")
  }

  @Test func aDiagram() throws {
    let schema = try Self.schema(
      """
      schema Trips 1.0.0
      @Model class Trip {
          #Unique<Trip>([\\.name, \\.start])
          @Attribute(.preserveValueOnDeletion) var name: String
          var start: Date
          var kinds: [[Kind]] = []
          @Relationship(deleteRule: .cascade, inverse: \\Stop.trip) var stops: [Stop] = []
          @Relationship(deleteRule: .deny, inverse: nil) var leader: Person?
      }
      @Model class Cruise: Trip { var ship: Ship? }
      @Model class Stop { var trip: Trip? }
      @Model class Person { var name: String }
      enum Kind: String, Codable { case work, other = "misc" }
      struct Ship: Codable { var name: String }
      """)
    #expect(
      PlantUMLDiagram(Diagram([schema])).text == """
        @startuml
        title Trips 1.0.0
        hide empty members
        class "Trip" as n0 {
          {field} name: String · preserved
          {field} start: Date
          {field} kinds: [<U+005B>Kind]]
          {field} stops: [Stop]
          {field} leader: Person?
          {field} unique: name, start
        }
        class "Cruise" as n1 {
          {field} ship: Ship?
        }
        class "Stop" as n2 {
          {field} trip: Trip?
        }
        class "Person" as n3 {
          {field} name: String
        }
        enum "Kind" as n4 {
          {field} work
          {field} other <U+003D> misc
        }
        class "Ship" as n5 <<struct>> {
          {field} name: String
        }
        n0 ..> n4
        n1 ..> n5
        n0 <|-- n1
        n0 "0..1" *-- "0..*" n2 : stops (cascade) / trip
        n0 ..> "0..1" n3 : leader (deny)
        @enduml

        """)
  }

  /// Text of the schema cannot end a statement or begin markup.
  @Test func schemaTextIsEscaped() throws {
    let schema = try Self.schema(
      #"""
      schema Hostile 1.0.0
      @Model class `class` { var `note`: Kind = Kind.a; var größe: Int; var 旅行: Int }
      enum Kind: String, Codable { case a = "\"}\n@enduml", b = "<img:x> **//__~~$%", c = "[[http://x]]" }
      """#)
    let text = PlantUMLDiagram(Diagram([schema])).text
    #expect(
      text.contains("class \"class\" as n0 {\n  {field} note: Kind\n  {field} größe: Int\n  {field} 旅行: Int\n}\n"))
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("  {field} ") }
    #expect(rows.count == 6)
    for mark in ["@enduml", "<img", "**", "~~", "__", "[[", "//", "$", "%"] {
      #expect(!text.dropLast("@enduml\n".count).contains(mark), "\(mark)\n\(text)")
    }
    #expect(text.hasSuffix("\n@enduml\n"))
  }

  @Test func aComparisonIsColoured() throws {
    let old = try Self.schema("schema S 1.0.0\n@Model class A { var a: Int }\n@Model class B { var b: Int }")
    let new = try Self.schema(
      "schema S 2.0.0\n@Model class A { var a: Int; var c: Int? }\n@Model class C { var b: Int }")
    let text = PlantUMLDiagram(Diagram(comparing: [[old, new]])).text
    #expect(text.contains("title S 1.0.0 → S 2.0.0\n"))
    #expect(text.contains("class \"A\" as n0 #fff8c5 {"))
    #expect(text.contains("  {field} c: Int? « added »"))
    #expect(text.contains("class \"C « added »\" as n1 #dafbe1 {"))
    #expect(text.contains(" #ffebe9 {"))
  }
}
