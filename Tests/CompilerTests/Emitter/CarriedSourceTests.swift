import SwiftSource
import Testing

@testable import SchemaEmitter

struct CarriedSourceTests {
  @Test(arguments: [
    ("func f() { let x = 1; func g() {} }", "public func f() { let x = 1; func g() {} }"),
    ("private func f() {}", "private func f() {}"),
    ("private(set) var x = 1", "public private(set) var x = 1"),
    ("@inlinable static func f() {}", "@inlinable public static func f() {}"),
    ("/// Doc.\nvar x: Int { get { 1 } set {} }", "/// Doc.\npublic var x: Int { get { 1 } set {} }"),
    ("class func f() {}", "public class func f() {}"),
    ("enum E { case a, b\n var x: Int { 1 } }", "public nonisolated enum E { case a, b\n public var x: Int { 1 } }"),
    ("var s = \"func f() {\\(\"}\")\"", "public var s = \"func f() {\\(\"}\")\""),
    ("subscript(i: Int) -> Int { i }", "public subscript(i: Int) -> Int { i }"),
    ("var prefix = 1", "public var prefix = 1"),
    ("typealias ID = Int", "public typealias ID = Int"),
    ("protocol P { var x: Int { get } }", "public nonisolated protocol P { var x: Int { get } }"),
  ])
  func membersGetTheAccessOfTheirSurroundings(_ text: String, _ expected: String) {
    var source = CarriedSource(access: .public)
    #expect(source.adapt(text) == expected)
  }

  @Test(arguments: [
    ("init(x: Int = { 1 }()) { y = x }", "init(x: Int = { 1 }()) { START; y = x }"),
    ("convenience init() { self.init(x: 1) }", "convenience init() { self.init(x: 1) }"),
    ("init?<T>(_ t: T) throws where T: P { return nil }", "init?<T>(_ t: T) throws where T: P { START; return nil }"),
    ("func f() { g() }", "func f() { g() }"),
  ])
  func designatedInitialisersGetAnOpening(_ text: String, _ expected: String) {
    var source = CarriedSource(access: nil, opening: "START")
    #expect(source.adapt(text) == expected)
  }

  @Test(arguments: [
    (
      "init(x: Int) { self.x = x; `y` = [1]; let z = 3; a.b = 4; super.init(f(x)); late = 1 }",
      "init(x: Int) { OPEN; self.x = x; `y` = [1]; let z = 3; a.b = 4; super.init(f(x)); CLOSE; late = 1 }"
    ),
    (
      "init() { if a { super.init() } else { try super.init { x } } }",
      "init() { OPEN; if a { super.init(); CLOSE } else { try super.init { x }; CLOSE } }"
    ),
    ("convenience init() { self.init(x: 1) }", "convenience init() { self.init(x: 1) }"),
  ])
  func superclassesAreInitialisedInBetween(_ text: String, _ expected: String) {
    var source = CarriedSource(access: nil, opening: "OPEN", closing: "CLOSE")
    #expect(source.adapt(text) == expected)
  }

  @Test func assignmentsBeforeSuperInit() {
    let scan = InitializerScan(
      "init(x: Int = 1) { self.a = x; `b` = 1; let c = 2; self.d.e = 3; if x == 1 { f = 2 }; super.init(); g = 1 }")
    #expect(scan.assignedBefore.subtracting(["Int"]) == ["a", "b", "f"])
  }

  @Test func deinitialisersAreCopied() {
    var source = CarriedSource(access: .public)
    source.deinitOpening = "OPEN"
    #expect(source.adapt("deinit { print(1) }") == "deinit { OPEN; print(1) }")
    #expect(source.declaresDeinit)
  }

  @Test func nestedTypesOfPublicValuesDeclareSendable() {
    var source = CarriedSource(access: .public)
    source.sendable = .nested
    #expect(
      source.adapt("struct S { enum A: String { case a }\n struct B {} }")
        == "public nonisolated struct S { public nonisolated enum A: String, Sendable { case a }\n public nonisolated struct B: Sendable {} }"
    )
  }

  @Test func storedNestedTypesDeclareSendable() {
    var source = CarriedSource(access: .public)
    source.sendable = .named(["A", "B"])
    #expect(
      source.adapt("enum A: String { case a\n struct C {} }\nstruct D { enum A {} }\nstruct `B`: Codable {}")
        == "public nonisolated enum A: String, Sendable { case a\n public nonisolated struct C: Sendable {} }\npublic nonisolated struct D { public nonisolated enum A {} }\npublic nonisolated struct `B`: Codable, Sendable {}"
    )
  }
}
