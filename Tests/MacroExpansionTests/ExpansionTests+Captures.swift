import Testing

@testable import MacroExpansion

/// Expressions without the model.
extension ExpansionTests {
  /// Members of `self` and of types are values, and what stands around them is the tree that Foundation's macro builds.
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

  /// The parameters of a closure are names, and the labels of arguments and subscripts are none.
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

  @Test func reservedWordsAreNoNames() throws {
    let expansion = try Self.expansion("{ t in let `in` = 5; return t.n == [[1].map { x in x + `in` }].first }")
    #expect(expansion.contains("{ x in x + __constant2 }"), "\(expansion)")
  }

  /// A backslash behind a backslash begins no interpolation.
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
}
