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

  @Test func nestedPartsOfAPublicValueStateThatTheyMayBeSent() {
    var source = CarriedSource(access: .public)
    source.statesSendable = true
    #expect(
      source.adapt("struct S { enum A: String { case a }\n struct B {} }")
        == "public nonisolated struct S { public nonisolated enum A: String, Swift::Sendable { case a }\n public nonisolated struct B: Swift::Sendable {} }")
  }
}
