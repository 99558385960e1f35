import Testing

@testable import MacroExpansion

/// Tests of expressions that do not refer to the model.
extension ExpansionTests {
  /// Members of `self` and of types are captured as values. The expressions around them have the same tree as with
  /// Foundation's macro.
  @Test(arguments: [
    ("{ $0.a > self.b / self.c }", "build_Division(lhs: Arg(self . b), rhs: Arg(self . c))"),
    ("{ $0.a == self.b[0] }", "build_subscript(Arg(self . b), Arg(0))"),
    ("{ $0.a == T.b[0] }", "build_subscript(Arg(T . b), Arg(0))"),
    ("{ $0.a == T.U.b[0] }", "build_subscript(Arg(T . U . b), Arg(0))"),
    ("{ $0.a == Self.b.c % 2 }", "build_Remainder(lhs: Arg(Self . b . c), rhs: Arg(2))"),
    ("{ (self.b...self.c).contains($0.a) }", "build_ClosedRange(lower: Arg(self . b), upper: Arg(self . c))"),
    ("{ !self.b.isEmpty && $0.a }", "build_Negation(Arg(self . b . isEmpty))"),
    ("{ $0.a == self.b?.c.d }", "Arg(self . b ? . c . d)"),
    ("{ $0.a > LIMIT + 1 }", "build_Arithmetic(lhs: Arg(LIMIT), rhs: Arg(1), op: .add)"),
    ("{ NAMES.contains($0.a) }", "build_contains(Arg(NAMES), "),
    ("{ $0.a == T[0] }", "Arg(T [ 0 ])"), ("{ $0.a == T.U[0] }", "Arg(T . U [ 0 ])"),
    ("{ $0.a == T.contains(1) }", "Arg(T . contains ( 1 ))"), ("{ $0.a == T.U(1) }", "Arg(T . U ( 1 ))"),
    ("{ $0.a == self.f(1) / 2 }", "Arg(self . f ( 1 ) / 2)"), ("{ $0.a == super.b }", "Arg(super . b)"),
  ]) func membersOfSelfAndTypes(_ closure: String, _ part: String) throws {
    let tree = try Self.tree(closure)
    #expect(tree.contains(part), "\(tree)")
  }

  /// A constant's name is also replaced where a closure parameter has the same name, but not in the labels of arguments
  /// and subscripts.
  @Test(arguments: [
    ("list.map { (k: Int) in k + 1 }", "list.map { (__constant2: Int) in __constant2 + 1 }"),
    ("list.map { (k: Int) -> Int in k + 1 }", "list.map { (__constant2: Int) -> Int in __constant2 + 1 }"),
    ("d.map { (_, k: (Int, Int)) throws in k }", "d.map { (_, __constant2: (Int, Int)) throws in __constant2 }"),
    ("f(g(x), k: [k: k])", "f(g(x), k: [__constant2: __constant2])"), ("d[0, k: k].x", "d[0, k: __constant2].x"),
    ("f()[x, k: k].x", "f()[x, k: __constant2].x"),
  ]) func labels(_ text: String, _ part: String) throws {
    for start in ["t in let k = 5;", "[k = 5] t in"] {
      let expansion = try Self.expansion("{ \(start) return t.n == [\(text)].first }")
      #expect(expansion.contains(part), "\(expansion)")
    }
  }

  @Test func reservedWordsAreNotNames() throws {
    let expansion = try Self.expansion("{ t in let `in` = 5; return t.n == [[1].map { x in x + `in` }].first }")
    #expect(expansion.contains("{ x in x + __constant2 }"), "\(expansion)")
  }

  /// A backslash that follows a backslash does not begin an interpolation.
  @Test(arguments: [
    #""\\(t)""#, #""C:\\(x!)""#, ##"#"\\(t)"#"##, ##"#"\#\(t)"#"##, #""\\\\(k)\n(k)""#,
  ]) func escapedBackslashes(_ text: String) throws {
    #expect(try Self.expansion("{ t in let k = 5; return t.n == \(text) }").contains("value: \(text))"))
  }

  @Test(arguments: [
    (#""\\\(k)""#, #""\\\(__constant2)""#), (##"#"\\#(k)\#(k)"#"##, ##"#"\\#(__constant2)\#(__constant2)"#"##),
  ]) func interpolations(_ text: String, _ part: String) throws {
    #expect(try Self.expansion("{ t in let k = 5; return t.n == \(text) }").contains("value: \(part))"))
  }

  /// A constant after a condition is an error if reading part of it can stop the program and the predicate's tree
  /// cannot contain that part.
  @Test(arguments: [
    (#""\(e[0])""#, "e[0]"), ("[e[0], 3]", "e[0]"), (#""\(d["x"]!)""#, #"d["x"]"#), ("max(e[0], 1)", "e[0]"),
    (#"f("\(a / b)")"#, "a / b"), ("[1, a % b]", "a % b"), (".make(f(a)[0])", ")[0]"), ("(1, e[0])", "e[0]"),
    ("f(a) / b", "f(a) / b"), (#""\(e.map { x in x[0] })""#, "x[0]"),
  ]) func constantsAfterConditions(_ value: String, _ place: String) throws {
    for start in ["if x { return $0.a };", "guard x else { return true };"] {
      let source = "#Predicate<Trip> { \(start) let s = \(value); return $0.b == s }"
      let error = try #require(throws: MacroError.self) { try ExpressionMacro.predicate.expansion(of: source) }
      #expect(error.message.contains("'\(place)' is read when the predicate is created"), "\(error.message)")
      #expect(String(decoding: Array(source.utf8)[error.range], as: UTF8.self) == place)
    }
    let nested = "{ x || $0.a.contains { let s = \(value); return $0 == s } }"
    #expect(throws: MacroError.self) { try Self.expansion(nested) }
    // Without a condition, plain Swift would read the value as well.
    if !value.contains("!") {
      #expect(throws: Never.self) { try Self.expansion("{ let s = \(value); return $0.b == s }") }
    }
  }

  /// Values that cannot stop the program are read before the condition.
  @Test(arguments: [
    #""\(e.first ?? 0)""#, "[a / 2, 3]", "[1, 2.5]", "f(a) % 10", "[Int]()", #"f(\.x[0], \T.y!.z)"#, "a + b",
    "e.map { x in x[0] }", "[a: [b]]", "a != b",
  ]) func readConstants(_ value: String) throws {
    let expansion = try Self.expansion("{ if x { return $0.a }; let s = \(value); return $0.b == s }")
    #expect(expansion.contains("let __constant") && expansion.contains(" = \(value)\n"), "\(expansion)")
  }

  /// A constant that follows a condition and can stop the program is read lazily. Values that are read when the
  /// predicate is created cannot use it.
  @Test func deferredConstants() throws {
    let start = "if e.isEmpty { return $0.a }; let first = e[0];"
    let expansion = try Self.expansion("{ \(start) let next = first + 1; return $0.b == next }")
    #expect(expansion.contains("lazy var __constant2 = e[0]\n"), "\(expansion)")
    #expect(expansion.contains(" = __constant2 + 1\n") && !expansion.contains("first"), "\(expansion)")
    for value in ["[first, 3]", #""\(first)""#, "f(first)", "e.map { x in x + first }"] {
      let error = try #require(throws: MacroError.self) {
        try Self.expansion("{ \(start) let s = \(value); return $0.b == s }")
      }
      #expect(error.message.contains("'first' is read when the predicate is created"), "\(error.message)")
      #expect(throws: MacroError.self) { try Self.expansion("{ \(start) return $0.b == \(value) }") }
    }
    let constants = (1..<20).map { "let c\($0) = c\($0 - 1) + c\($0 - 1)\n" }.joined()
    #expect(try Self.expansion("{ \(start)\nlet c0 = first\n\(constants)return $0.b > c19 }").utf8.count < 12_000)
  }

  /// A constant may have a function type.
  @Test(arguments: ["(Int) -> Int", "@Sendable (Int) async throws -> (Int) -> Int", "((Int) -> Int)?", "F<(A) -> B>"])
  func functions(_ type: String) throws {
    let expansion = try Self.expansion("{ let f: \(type) = g; return $0.a == f(1) }")
    #expect(expansion.contains("let __constant2: \(type) = g\n") && expansion.contains("value: __constant2(1))"))
  }
}
