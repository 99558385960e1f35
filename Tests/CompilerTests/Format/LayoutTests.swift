import SchemaDiagnostics
import SchemaFormat
import SchemaSyntax
import Testing

/// Returns the canonical form of a schema, or nil if it does not parse.
func formatted(_ text: String) -> String? {
  let (tree, _) = Parser.parse(SourceFile(path: "S.schema", text: text), index: 0)
  return SchemaFormatter.format(tree).map { String(decoding: $0, as: UTF8.self) }
}

/// Checks the canonical form of a schema, and that formatting it again changes nothing.
func expectLayout(_ text: String, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(formatted(text) == expected, sourceLocation: sourceLocation)
  #expect(formatted(expected) == expected, "not stable", sourceLocation: sourceLocation)
}

/// Tests of line breaks and spaces without comments.
struct LayoutTests {
  @Test func spacesInDeclarations() {
    expectLayout(
      """
      schema   S    1.2.0
      import  Foundation
      @Model public   final class A<T:Hashable> : B,C{
      \tvar a:Int;var b : [ String:Int ]? = [:]
       private( set ) var c:Set< Int >=[]
        let f: ( Int,String )
       #Unique<A> ( [ \\.a,\\.b ] , onConflict:.fail )
      }
      enum E:String,Codable{case a="x",b(Int,label:String)
      }
      """,
      """
      schema S 1.2.0

      import Foundation

      @Model
      public final class A<T: Hashable>: B, C {
          var a: Int
          var b: [String: Int]? = [:]
          private(set) var c: Set<Int> = []
          let f: ( Int,String )
          #Unique<A>([\\.a, \\.b], onConflict: .fail)
      }

      enum E: String, Codable {
          case a = "x", b(Int, label: String)
      }

      """)
  }

  @Test func blankLines() {
    expectLayout(
      """


      schema S 1.0.0
      import A

      import B
      enum A { case a }
      enum B { case b }


      enum C { case c }
      struct D {

          var a: Int


          var b: Int

      }
      @Model
      class E {}



      """,
      """
      schema S 1.0.0

      import A

      import B

      enum A { case a }
      enum B { case b }

      enum C { case c }

      struct D {
          var a: Int

          var b: Int
      }

      @Model
      class E {}

      """)
  }

  @Test func singleLineBlocks() {
    expectLayout(
      """
      enum A:Int{case a,b}
      struct B { var a: Int ;; var b = 2; }
      struct C { init() {}; func f() {} }
      struct Empty {
      }
      struct TooLong { var first: [String: Int]; var second: [String: Int]; var third: [String: Int]; var fourth: Int }
      migration from 1.0.0 { custom  a; }
      """,
      """
      enum A: Int { case a, b }
      struct B { var a: Int; var b = 2 }
      struct C { init() {}; func f() {} }
      struct Empty {}

      struct TooLong {
          var first: [String: Int]
          var second: [String: Int]
          var third: [String: Int]
          var fourth: Int
      }

      migration from 1.0.0 { custom a }

      """)
  }

  @Test func attributes() {
    expectLayout(
      """
      @Model @MainActor class A {
          @Attribute(.unique)
          var a: Int
          @Attribute(
              .unique,
              originalName: "x",
          ) @Other private var b: Int
          @Relationship(deleteRule: .cascade, inverse: \\BucketListItem.trip) var bucketList: [BucketListItem] = []
          @Relationship(deleteRule: .cascade, minimumModelCount: 1, maximumModelCount: 20, originalName: "z", inverse: \\A.b) var c: A?
          @available(*, deprecated) func f() {}
      }
      """,
      """
      @Model
      @MainActor
      class A {
          @Attribute(.unique) var a: Int
          @Attribute(.unique, originalName: "x") @Other private var b: Int
          @Relationship(deleteRule: .cascade, inverse: \\BucketListItem.trip)
          var bucketList: [BucketListItem] = []
          @Relationship(
              deleteRule: .cascade,
              minimumModelCount: 1,
              maximumModelCount: 20,
              originalName: "z",
              inverse: \\A.b
          )
          var c: A?
          @available(*, deprecated) func f() {}
      }

      """)
  }

  @Test func longLists() {
    expectLayout(
      """
      @Model class A {
          #Unique<A>([\\.aLongName, \\.anotherLongName], [\\.aThirdName, \\.aFourthName], [\\.oneMore], onConflict: .fail)
      }
      enum E {
          case north, south,
            east, west
          case aCaseWithValues(first: [String: Int], second: [String: Int], third: [String: Int], fourth: [String: Int])
          case alpha, beta, gamma, delta, epsilon, zeta, eta, theta, iota, kappa, lambda, mu, nu, xi, omicron, pi, rho, sigma
      }
      """,
      """
      @Model
      class A {
          #Unique<A>(
              [\\.aLongName, \\.anotherLongName],
              [\\.aThirdName, \\.aFourthName],
              [\\.oneMore],
              onConflict: .fail
          )
      }

      enum E {
          case north, south,
              east, west
          case aCaseWithValues(
              first: [String: Int],
              second: [String: Int],
              third: [String: Int],
              fourth: [String: Int]
          )
          case alpha, beta, gamma, delta, epsilon, zeta, eta, theta, iota, kappa, lambda, mu, nu, xi, omicron, pi,
              rho, sigma
      }

      """)
  }

  @Test func migrations() {
    expectLayout(
      """
      migration   from 1.0.0{fill A.b=old.x ; custom   foo; dedupe A on[ \\.a,\\.b ] keep  newest
        accept  attribute-dropped A.x--"reason"
       fill A.c  =  old.x
           .map { $0+1 }

      }
      """,
      """
      migration from 1.0.0 {
          fill A.b = old.x
          custom foo
          dedupe A on [\\.a, \\.b] keep newest
          accept attribute-dropped A.x -- "reason"
          fill A.c = old.x
              .map { $0+1 }
      }

      """)
  }

  @Test func foreignLineBreaks() {
    expectLayout(
      "\u{FEFF}schema S 1.0.0\r\n\r\n/* a\r\n   b */\r\nenum A {\r\tcase a\r\n}",
      "schema S 1.0.0\n\n/* a\n   b */\nenum A {\n    case a\n}\n")
  }

  @Test func textWithoutDeclarations() {
    expectLayout("", "")
    expectLayout(" \n\t\n", "")
    expectLayout("\n// nothing yet ", "// nothing yet\n")
  }

  @Test(arguments: [
    "class {", "enum A { case }", "enum A { case a } }", "var a: Int b", "/* open", "struct A { var a: Int;\n = 7 }",
    "enum A { case “a” }", "@Model class A { class ;\n/// d\nvar a: Int { 1 } }",
  ])
  func whatDoesNotParseIsNotFormatted(_ text: String) {
    #expect(formatted(text) == nil)
  }
}
