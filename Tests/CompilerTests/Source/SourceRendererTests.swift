import Testing

@testable import SwiftSource

struct SourceRendererTests {
  /// Parts are rendered concurrently.
  @Test func partsKeepTheirOrder() {
    func alias(_ number: Int) -> TypeAlias { TypeAlias(Heading(), "A\(number)", "B") }
    var file = File(header: [], imports: []) { alias(0) }
    file.parts = (1..<100).map { number in { [.alias(alias(number))] } }
    let expected = (0..<100).map { "\ntypealias A\($0) = B\n" }.joined()
    #expect(file.text == expected)
  }

  private func rendered(@DeclarationBuilder _ declarations: () -> [Declaration]) -> String {
    let text = File(header: [], imports: [], declarations: declarations).text
    return String(text.dropFirst())
  }

  @Test func aFileHasHeaderImportsAndATrailingNewline() {
    let file = File(
      header: ["Generated."],
      imports: [.init("Foundation", access: .public), .init("Extra", isConditional: true)])
    #expect(
      file.text == """
        // Generated.
        public import Foundation
        #if canImport(Extra)
          import Extra
        #endif

        """)
  }

  @Test func multilineMembersAreSeparatedByBlankLines() {
    let text = rendered {
      TypeDeclaration(
        .struct, "Trip", Heading(.public, [.nonisolated], documentation: ["A trip.", ""]),
        inherits: ["P", "Q"]
      ) {
        Property(Heading(.public), "name", type: "String")
        Property(Heading(), isLet: true, "count", value: "1")
        Function(Heading(.internal), "func go", body: ["stop()"])
        Function(Heading(.internal), "func stop", body: ["a()", "b()"])
      }
    }
    #expect(
      text == """
        /// A trip.
        ///
        public nonisolated struct Trip: P, Q {
          public var name: String
          let count = 1
          func go() { stop() }

          func stop() {
            a()
            b()
          }
        }

        """)
  }

  @Test func accessorsAndSettersWithTheirOwnAccess() {
    let text = rendered {
      Property(
        Heading(.public, setter: .private), "x", type: "Int",
        accessors: [.get(["y"]), .set(["first()", "y = newValue"])])
      Property(Heading(), "z", type: "Int", accessors: [.get(["1"])])
    }
    #expect(
      text == """
        public private(set) var x: Int {
          get { y }
          set {
            first()
            y = newValue
          }
        }

        var z: Int { 1 }

        """)
  }

  @Test func longParameterListsAreWrapped() {
    let parameters = (0..<8).map { "parameter\($0): Swift::String" as Code }
    let text = rendered { Function(Heading(), "init", parameters, body: ["work()"]) }
    #expect(text.hasPrefix("init(\n  parameter0: Swift::String,\n"))
    #expect(text.hasSuffix("  parameter7: Swift::String\n) { work() }\n"))
  }

  @Test func copiedTextKeepsItsSourceLocation() {
    let text = rendered {
      TypeDeclaration(.class, "A") {
        CarriedText("func f() {\n        g()\n    }", path: "a \"b\".schema", line: 7)
      }
    }
    #expect(
      text == """
        class A {
          #sourceLocation(file: "a \\"b\\".schema", line: 7)
          func f() {
                g()
            }
          #sourceLocation()
        }

        """)
  }
}
