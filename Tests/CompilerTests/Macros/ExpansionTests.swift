import TestSupport
import Testing

@testable import MacroExpansion

/// Tests of the expansion of `#Predicate`.
@Suite struct ExpansionTests {
  static func expansion(_ closure: String) throws -> String {
    try ExpressionMacro.predicate.expansion(of: "#Predicate<Trip> \(closure)")
  }

  static func tree(_ closure: String) throws -> String { try ExpansionTree.text(of: expansion(closure)) }

  @Test func everyNodeIsAConstant() throws {
    #expect(
      try Self.expansion(#"{ $0.name == "x" && $0.count > 3 }"#) == #"""
        Foundation::Predicate<Trip>({ __input1 in
          let __node2 = Foundation::PredicateExpressions.build_KeyPath(root: __input1, keyPath: \.name)
          let __node3 = Trellis::ModelPredicateNodes.sides(__node2, value: "x")
          let __node4 = Foundation::PredicateExpressions.build_KeyPath(root: __input1, keyPath: \.count)
          let __node5 = Foundation::PredicateExpressions.build_Equal(lhs: __node3.node, rhs: __node3.captured)
          let __node6 = Foundation::PredicateExpressions.build_Comparison(lhs: __node4, rhs: Foundation::PredicateExpressions.build_Arg(3), op: .greaterThan)
          return Foundation::PredicateExpressions.build_Conjunction(lhs: __node5, rhs: __node6)
        })
        """#)
  }

  /// Literals whose types depend on their context stay inside the call that gives them a type.
  @Test func literalsKeepTheirContext() throws {
    let expansion = try Self.expansion("{ $0.budget > 3 * 2 }")
    #expect(expansion.contains("rhs: Foundation::PredicateExpressions.build_Arithmetic("))
    #expect(!expansion.contains("= Foundation::PredicateExpressions.build_Arithmetic("))
  }

  /// Expressions that this macro accepts although Foundation's macro rejects them.
  @Test(arguments: [
    ("{ $0.date > Date.now }", "Arg(Date . now)"),
    ("{ $0.kind == .business }", "Arg(. business)"),
    ("{ $0.kind == Kind.business }", "Arg(Kind . business)"),
    ("{ $0.count == max(a, b) }", "Arg(max ( a , b ))"),
    ("{ $0.count == names.map { $0.count }.first }", "Arg(names . map { $0 . count } . first)"),
    ("{ $0.date >= Date(timeIntervalSince1970: 0) }", "Arg(Date ( timeIntervalSince1970 : 0 ))"),
    ("{ $0.name.hasPrefix(q) }", "build_starts(build_KeyPath(root: input0, keyPath: \\.name), with: Arg(q))"),
    ("{ other.evaluate($0) }", "build_subscript(Arg(other), input0)"),
    ("{ try other.evaluate($0.trip) }", "build_subscript(Arg(other), build_KeyPath(root: input0, keyPath: \\.trip))"),
    ("{ 1...3 ~= $0.count }", "build_contains(build_ClosedRange(lower: Arg(1), upper: Arg(3)), build_KeyPath"),
    ("{ (...5).contains($0.count) }", "build_contains(Arg(( ... 5 )), build_KeyPath"),
    (
      "{ $0.note.self == nil }",
      "build_Equal(lhs: build_KeyPath(root: input0, keyPath: \\.note), rhs: build_NilLiteral())"
    ),
  ]) func acceptedExpressions(_ closure: String, _ part: String) throws {
    let tree = try Self.tree(closure)
    #expect(tree.contains(part), "\(tree)")
  }

  /// Statements that Foundation's macro rejects have the same tree as an equivalent expression.
  @Test(arguments: [
    ("{ let n = $0.count * 2; return n > 3 }", "{ $0.count * 2 > 3 }"),
    ("{ let n = $0.count * 2, m = n + 1; return m > 3 }", "{ $0.count * 2 + 1 > 3 }"),
    ("{ t in if t.flag { return true }; return t.count > 1 }", "{ t in if t.flag { true } else { t.count > 1 } }"),
    ("{ t in guard t.flag else { return false }\n return true }", "{ t in if t.flag { true } else { false } }"),
    (
      "{ t in guard let s = t.sub else { return false }; return s.flag }",
      "{ t in if let s = t.sub { s.flag } else { false } }"
    ),
    (
      "{ t in if let sub = t.sub { sub.flag } else { t.flag } }", "{ t in if let s = t.sub { s.flag } else { t.flag } }"
    ),
    ("{ [q] t in t.name == q }", "{ t in t.name == q }"),
    ("{ (t: Trip) -> Bool in t.name == q }", "{ t in t.name == q }"),
    ("{ t in (t.a?.b.c)?.d == 1 }", "{ t in t.a?.b.c?.d == 1 }"),
  ]) func statements(_ closure: String, _ expression: String) throws {
    #expect(try Self.tree(closure) == Self.tree(expression))
  }

  /// The value of a constant keeps its meaning inside a closure whose parameter has the same name as a variable in that
  /// value.
  @Test(arguments: [
    (
      "{ t in let n = t.count; return t.list.contains { t in t.x == n } }",
      "{ t in t.list.contains { s in s.x == t.count } }"
    ),
    (
      "{ t in let n = t.a; if let t = t.b { return t == n }; return false }",
      "{ t in if let s = t.b { s == t.a } else { false } }"
    ),
  ]) func shadowing(_ closure: String, _ expression: String) throws {
    #expect(try Self.tree(closure) == Self.tree(expression))
  }

  @Test func capturedNamesAreNotHidden() throws {
    let expansion = try Self.expansion("{ t in let n = q.count; return t.list.contains { q in q.x == n } }")
    #expect(!expansion.contains("{ q in"))
  }

  /// If a condition after a binding is false, the `else` branch applies, as it does when the binding fails.
  @Test func bindingWithCondition() throws {
    #expect(
      try Self.tree("{ t in if let n = t.n, n > 1 { true } else { t.flag } }")
        == "{ input0 in build_NilCoalesce(lhs: build_flatMap(build_KeyPath(root: input0, keyPath: \\.n), { input1 in "
        + "build_Conditional(build_Comparison(lhs: input1, rhs: Arg(1), op: .greaterThan), Arg(true), "
        + "build_KeyPath(root: input0, keyPath: \\.flag)) }), rhs: build_KeyPath(root: input0, keyPath: \\.flag)) }")
  }

  /// A value that does not depend on the model becomes a constant with its type and a name that hides no other name.
  @Test func constants() throws {
    let expansion = try Self.expansion("{ t in let k: Double = 5; return t.a == k / 2 }")
    #expect(expansion.contains("let __constant2: Double = 5\n") && expansion.contains("value: __constant2 / 2)"))
    let branch = try Self.expansion(
      "{ t in if t.flag { let k: Double = 5; return t.a == k } else { return t.b == k } }")
    #expect(branch.contains(": Double = 5\n") && branch.contains("value: k)") && !branch.contains("let k"))
    let open = try Self.expansion("{ t in let k: Double = t.flag ? 1 : 2; return t.a == k / 2 }")
    #expect(open.contains("of: (Double).self)"))
  }

  /// In captured code, the names of constants are replaced by their names in the expansion, and no other words change.
  @Test(arguments: [
    ("\"a\\(k) k\\(\"\\(k)\")\" == t.n", "\"a\\(__constant2) k\\(\"\\(__constant2)\")\""),
    ("t.n == .make(k: k)", ".make(k: __constant2)"),
    ("t.n == f(k.k, [k: k], \\T.k)", "f(__constant2.k, [__constant2: __constant2], \\T.k)"),
    ("t.n == list.map { k in k + 1 }", "list.map { __constant2 in __constant2 + 1 }"),
  ]) func names(_ text: String, _ part: String) throws {
    let expansion = try Self.expansion("{ t in let k = 5; return \(text) }")
    #expect(expansion.contains(part), "\(expansion)")
  }

  @Test func coercions() throws {
    #expect(try Self.expansion("{ $0.a > 5 as Double }").contains("build_Arg(5 as Double)"))
  }

  /// Words in other names, labels and strings do not refer to the model.
  @Test(arguments: [
    ("{ trip in trip.kind == .trip }", "Arg(. trip)"), ("{ trip in trip.name == \"\\(n) trip\" }", "Arg("),
    ("{ text in [config.text].contains(text.name) }", "Arg([ config . text ])"),
    ("{ t in t.a == .make(t: 1) }", "Arg(. make ( t : 1 ))"), ("{ t in `t`.a == b }", "root: input0"),
    ("{ if let `in` = $0.a { `in` == 1 } else { false } }", "build_Equal(lhs: input1"),
    ("{ $0.a == \"x\" + b + \"y\" }", "Arg(\"x\" + b + \"y\")"), ("{ $0.a > self.minimum }", "Arg(self . minimum)"),
  ]) func words(_ closure: String, _ part: String) throws {
    #expect(try Self.tree(closure).contains(part))
  }

  /// The length of an expansion does not grow exponentially with its source.
  @Test func sharedNodes() throws {
    let tests = (0..<16).map { "if let m\($0), t.n < m\($0) { return false }\n" }.joined()
    #expect(try Self.expansion("{ t in\n\(tests) return true }").utf8.count < 20_000)
    let constants = (1..<20).map { "let c\($0) = c\($0 - 1) + c\($0 - 1)\n" }.joined()
    #expect(try Self.expansion("{ t in\nlet c0 = t.n\n\(constants)return c19 > 1 }").utf8.count < 10_000)
  }

  @Test(arguments: [" && $0.a", " + $0.a", ".a", ".f()"]) func expansionLength(_ part: String) {
    let source = "#Predicate<Trip> { $0.a\(String(repeating: part, count: 20_000)) }"
    #expect(throws: MacroError.self) { try ExpressionMacro.predicate.expansion(of: source) }
    let short = "#Predicate<Trip> { $0.a\(String(repeating: part, count: 100)) }"
    if part != ".f()" { #expect(throws: Never.self) { try ExpressionMacro.predicate.expansion(of: short) } }
  }

  /// Errors are located at the mistake and say what to write.
  @Test(arguments: [
    ("{ $0.name.hasSuffix(q) }", "$0.name.hasSuffix(q)", "the method 'hasSuffix' is not supported"),
    ("{ $0.name.lowercased() == q }", "$0.name.lowercased()", "use 'localizedLowercase'"),
    ("{ t in switch t.count { case 1: true } }", "switch", "use 'if' and 'else'"),
    ("{ $0.count & 1 == 0 }", "$0.count & 1", "the operator '&'"),
    ("{ t in [\"x\": 1, t: 2].keys.contains(q) }", "[\"x\": 1, t: 2]", "cannot be part of this expression"),
    ("{ $0.name == \"a\\($0.count)\" }", "\"a\\($0.count)\"", "cannot be part of this expression"),
    ("{ t in [\"x\", t.a].contains(\"a\") }", "[\"x\", t.a]", "cannot be part of this expression"),
    ("{ let a = $0.a; return [\"x\", a].contains(\"a\") }", "[\"x\", a]", "cannot be part of this expression"),
    ("{ ($0.kind ?? .none) == .none }", "$0.kind ?? .none", "'.none' is nil here"),
    ("{ $0.name == \"\\(x!)\" }", "x!", "could stop the program"),
    ("{ [1, x!].contains($0.a) }", "x!", "could stop the program"),
    ("{ $0.a == .make(w: (x as! Int)) }", "as!", "could stop the program"),
    ("{ [$0.a, $0.b].contains(1) }", "[$0.a, $0.b]", "cannot be part of this expression"),
    ("{ $0.count == x!.foo() }", "x!", "could stop the program"),
    ("{ compute($0.count) == 1 }", "compute($0.count)", "the function 'compute'"),
    ("{ Int($0.count) == 1 }", "Int($0.count)", "an initializer"),
    ("{ ($0.a, 1) == (1, 1) }", "($0.a, 1)", "not supported"),
    ("{ for x in $0.list { } }", "for", "'for' is not supported"),
    ("{ var x = 1; return $0.a == x }", "var", "'var' is not supported"),
    ("{ if $0.a { true } }", "if $0.a { true }", "needs an 'else'"),
    ("{ $0.a; $0.b }", "$0.b", "not reached"),
    ("{ }", "{ }", "needs a value"),
    ("{ $0.a == }", "}", "expected an expression"),
    ("{ $0.trip === trip }", "$0.trip === trip", "compare models with '=='"),
  ]) func diagnostics(_ closure: String, _ place: String, _ message: String) throws {
    let source = "#Predicate<Trip> \(closure)"
    let error = try #require(throws: MacroError.self) { try ExpressionMacro.predicate.expansion(of: source) }
    #expect(error.message.contains(message), "\(error.message)")
    #expect(String(decoding: Array(source.utf8)[error.range], as: UTF8.self) == place)
  }

  /// An expression that is nested too deeply is an error and does not exhaust the stack.
  @Test(arguments: ["(", "!", "-", "[", "{ ", "a.contains { ", "if x { ", "$0.a + ("])
  func nestingDepth(_ opening: String) {
    let count = Repetitions.scaled(10_000, upTo: 100_000)
    let source = "#Predicate<Trip> { \(String(repeating: opening, count: count))"
    #expect(throws: MacroError.self) { try ExpressionMacro.predicate.expansion(of: source) }
  }
}
