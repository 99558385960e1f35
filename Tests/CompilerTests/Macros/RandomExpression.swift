import TestSupport

/// Random closures for `#Predicate`. They follow Swift's grammar but ignore types, which the macro does not know.
struct RandomExpression {
  var random: SeededGenerator
  private var inputs = ["$0"]
  /// False inside parentheses and arguments, because Foundation's macro moves optional chains out of them.
  private var hasChains = true

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func source() -> String {
    inputs = []
    return "#Predicate<Trip> \(closure(4))"
  }

  private mutating func pick<T>(_ choices: [T]) -> T { choices[Int.random(in: 0..<choices.count, using: &random)] }

  private mutating func closure(_ depth: Int) -> String {
    let name = pick(["$0", "t\(inputs.count)", "s\(inputs.count)"])
    let former = inputs
    // The `$0` of an outer closure is hidden.
    inputs = former.filter { $0 != "$0" } + [name]
    defer { inputs = former }
    let head = name == "$0" ? "" : "\(name) in "
    let body =
      depth > 2 && Int.random(in: 0..<5, using: &random) == 0 ? conditional(depth - 1) : expression(depth - 1)
    return "{ \(head)\(body)\(pick([" ", "\n  ", " /* end */ "]))}"
  }

  private mutating func parenthesized(_ body: (inout Self) -> String) -> String { "(\(withoutChains(body)))" }

  private mutating func withoutChains(_ body: (inout Self) -> String) -> String {
    let former = hasChains
    hasChains = false
    defer { hasChains = former }
    return body(&self)
  }

  /// Returns an argument for a method. After an optional chain, the argument does not use `$0`, which Foundation's
  /// macro would take for the unwrapped value.
  private mutating func argument(_ base: String, _ depth: Int) -> String {
    base.contains("?.") ? pick(["1", "\"x\"", "captured"]) : withoutChains { $0.expression(depth) }
  }

  private mutating func conditional(_ depth: Int) -> String {
    let first: String
    switch pick([0, 1, 2]) {
    case 0: first = "if let u = \(primary(depth - 1)) { u == \(primary(depth - 1)) }"
    case 1: first = "if \(expression(depth - 1)), !(\(expression(depth - 1))) { \(expression(depth - 1)) }"
    default: first = "if (\(expression(depth - 1))) { return \(expression(depth - 1)) }"
    }
    return
      "\(first) else \(Bool.random(using: &random) && depth > 2 ? conditional(depth - 1) : "{ \(expression(depth - 1)) }")"
  }

  private mutating func expression(_ depth: Int) -> String {
    guard depth > 0 else { return primary(0) }
    switch Int.random(in: 0..<10, using: &random) {
    case 0...4:
      let space = pick([" ", " ", "\n    "])
      // Comparison operators are not associative, and `a < b > [` looks like generic arguments.
      guard Int.random(in: 0..<3, using: &random) > 0 else {
        let sign = pick(["==", "!=", "<", "<=", ">", ">="])
        let (left, right) = (primary(depth - 1), primary(depth - 1))
        return "\(left) \(pick(["", "+ 1 "]))\(sign) \(right) \(pick(["", "?? 2 ", "* 3 "]))"
      }
      let sign = pick(["&&", "||", "+", "-", "*", "/", "%", "??", "&&", "||"])
      return "\(expression(depth - 1))\(space)\(sign) \(expression(depth - 1))"
    case 5: return "(\(expression(depth - 1)) ? \(expression(depth - 1)) : \(expression(depth - 1)))"
    case 6: return "\(pick(["!", "-"]))\(primary(depth - 1))"
    case 7: return "(\(primary(depth - 1)) \(pick(["as? Int", "is Sub", "as! [String: Int]"])))"
    default: return primary(depth)
    }
  }

  private mutating func primary(_ depth: Int) -> String {
    guard depth > 0 else {
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        return pick(["1", "2.5", "\"x\"", "true", "nil", "\"a\\(q)\"", "[1, 2]", "[\"a\": 1]", "0x1F", "#\"\"\"#"])
      case 1: return pick(["captured", "value.name", "other.a.b"])
      default: return "\(pick(inputs)).\(pick(["name", "count", "sub.name", "flag", "`in`"]))"
      }
    }
    let base =
      Int.random(in: 0..<3, using: &random) == 0
      ? parenthesized { $0.pick($0.inputs) + ".name " + $0.pick(["&&", "??", "+"]) + " " + $0.expression(depth - 1) }
      : primary(depth - 1)
    let inner = depth - 1
    switch Int.random(in: 0..<16, using: &random) {
    case 0: return "\(base).\(pick(["count", "isEmpty", "first", "a.b"]))"
    case 1 where hasChains: return "\(base)?.\(pick(["name", "a.b", "list.count"]))"
    case 2: return "\(base)!.\(pick(["name", "count"]))"
    case 3: return "\(base).contains(\(argument(base, inner)))"
    case 4: return "\(base).contains \(closure(inner))"
    case 5: return "\(base).contains(where: \(closure(inner)))"
    case 6: return "\(base).\(pick(["allSatisfy", "filter", "flatMap"])) \(closure(inner))"
    case 7: return "\(base).\(pick(["allSatisfy", "filter", "flatMap"]))(\(closure(inner)))"
    case 8: return "\(base).starts(with: \(argument(base, inner)))"
    case 9: return "\(base).\(pick(["min", "max"]))()"
    case 10:
      return
        "\(base).\(pick(["localizedStandardContains", "localizedCompare", "caseInsensitiveCompare"]))(\(argument(base, inner)))"
    // Foundation's macro ends an optional chain before a subscript.
    case 11 where !base.contains("?."): return "\(base)[\(argument(base, inner))]"
    case 12 where !base.contains("?."):
      return withoutChains { "\(base)[\($0.primary(inner)), default: \($0.primary(inner))]" }
    case 13:
      let range = parenthesized { $0.primary(inner) + $0.pick(["...", "..<", " ... "]) + $0.primary(inner) }
      return withoutChains { "\(range).contains(\($0.primary(inner)))" }
    case 14 where hasChains: return "\(base)?.contains \(closure(inner))"
    default: return base
    }
  }
}
