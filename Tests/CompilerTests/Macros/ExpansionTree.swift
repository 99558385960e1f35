import SchemaDiagnostics
import SchemaSyntax

@testable import MacroExpansion

/// A textual form of the tree that an expansion builds. Constants are replaced by their values, and closure parameters
/// are named after their depth. Two expansions with the same textual form build trees of the same type.
struct ExpansionTree {
  private var parser: ExpressionParser
  private typealias Names = [String: String]

  struct Unreadable: Error {
    var rest: String
  }

  static func text(of expansion: String) throws -> String {
    var tree = ExpansionTree(parser: ExpressionParser(expansion))
    while tree.parser.token.kind != .leftBrace, !tree.parser.isAtEnd { tree.parser.advance() }
    return try tree.closure([:], depth: 0)
  }

  private mutating func next() -> String {
    defer { parser.advance() }
    return parser.text(parser.token)
  }

  private func unreadable() -> Unreadable {
    Unreadable(rest: parser.text(Int(parser.token.start)..<parser.file.bytes.count))
  }

  /// True before `Foundation::`.
  private var isModule: Bool {
    parser.position + 2 < parser.tokens.count && parser.tokens[parser.position + 2].kind == .colon
  }

  private mutating func closure(_ names: Names, depth: Int) throws -> String {
    guard next() == "{" else { throw unreadable() }
    var names = names
    let name = "input\(depth)"
    if parser.token.kind == .leftBracket { parser.skipBalanced() }
    if parser.token.kind == .leftParen {
      // `(t: Trip) in`
      names[parser.text(parser.peek())] = name
      while parser.token.keyword != .in { parser.advance() }
      parser.advance()
    } else if parser.peek().keyword == .in {
      names[next()] = name
      parser.advance()
    } else {
      names["$0"] = name
    }
    while parser.token.keyword == .let {
      parser.advance()
      let constant = next()
      guard next() == "=" else { throw unreadable() }
      if let sides = try sides(names, depth: depth) {
        names[constant + ".node"] = sides.node
        names[constant + ".captured"] = sides.captured
        names[constant + ".other"] = sides.captured
      } else {
        names[constant] = try value(names, depth: depth)
      }
    }
    if parser.token.keyword == .return { parser.advance() }
    let result = try value(names, depth: depth)
    guard next() == "}" else { throw unreadable() }
    return "{ \(name) in \(result) }"
  }

  /// Returns the two sides of a comparison, or nil if there is none. They are written as
  /// `Trellis::ModelPredicateNodes.sides(…, …)`, or `sides(…, value: …)` with a captured value. `captured: …` precedes
  /// the value if Foundation's macro splits it into nodes.
  private mutating func sides(_ names: Names, depth: Int) throws -> (node: String, captured: String)? {
    var rest = self
    for word in ["Trellis", ":", ":", "ModelPredicateNodes", ".", "sides", "("] {
      guard rest.next() == word else { return nil }
    }
    self = rest
    let node = try value(names, depth: depth)
    guard next() == "," else { throw unreadable() }
    guard parser.peek().kind == .colon, !isModule else {
      let other = try value(names, depth: depth)
      guard next() == ")" else { throw unreadable() }
      return (node, other)
    }
    let label = next()
    parser.advance()
    let captured = label == "value" ? capturedValue() : try value(names, depth: depth)
    if label == "captured" { try skipValue() }
    guard next() == ")" else { throw unreadable() }
    return (node, captured)
  }

  /// Skips `, value: …` or `, of: …`.
  private mutating func skipValue() throws {
    for words in [[","], ["value", "trapping", "of"], [":"]] {
      guard words.contains(next()) else { throw unreadable() }
    }
    _ = capturedValue()
  }

  private mutating func value(_ names: Names, depth: Int) throws -> String {
    if ["Foundation", "FoundationEssentials", "Trellis"].contains(parser.text(parser.token)),
      [.period, .colon].contains(parser.peek().kind)
    {
      parser.advance()
      while [.period, .colon].contains(parser.token.kind) { parser.advance() }
    }
    guard ["PredicateExpressions", "ModelPredicateNodes"].contains(parser.text(parser.token)) else {
      let start = Int(parser.token.start)
      let word = next()
      if let found = names[word] { return found }
      if parser.token.kind == .period, let found = names[word + "." + parser.text(parser.peek())] {
        parser.advance()
        parser.advance()
        return found
      }
      // Foundation's macro omits the node of a captured name in parentheses.
      guard word == "." || word == "\\" else { return "Arg(\(word))" }
      while parser.token.kind == .period || parser.token.kind == .identifier { parser.advance() }
      return parser.text(start..<Int(parser.tokens[parser.position - 1].end))
    }
    let isOwn = next() == "ModelPredicateNodes"
    guard next() == "." else { throw unreadable() }
    var function = next()
    if parser.token.kind == .leftAngle {
      let start = Int(parser.token.start)
      try parser.skipAngles()
      function += parser.text(start..<Int(parser.tokens[parser.position - 1].end)).filter { !$0.isWhitespace }
    }
    guard parser.token.kind == .leftParen else { throw unreadable() }
    if function == "build_Arg" { return captured(names) }
    parser.advance()
    // These functions return Foundation's node and take the expression as an additional value.
    if isOwn, function == "contains", parser.text(parser.token) == "literals" {
      parser.advance()
      parser.advance()
      let texts = capturedValue()
      guard next() == "," else { throw unreadable() }
      let element = try value(names, depth: depth)
      guard next() == ")" else { throw unreadable() }
      return "build_contains(\(texts), \(element))"
    }
    if isOwn, function != "arithmetic" {
      let first = parser.text(parser.token)
      let isNode = ["Foundation", "Trellis"].contains(first) || names[first] != nil
      let node = function == "coalesced" && !isNode ? capturedValue() : try value(names, depth: depth)
      if ["captured", "coalesced", "constant"].contains(function), parser.token.kind == .comma { try skipValue() }
      guard next() == ")" else { throw unreadable() }
      return node
    }
    if isOwn { function = "build_Arithmetic" }
    var parts: [String] = []
    while parser.token.kind != .rightParen {
      var label = ""
      if parser.token.kind == .identifier, parser.peek().kind == .colon, !isModule {
        label = next() + ": "
        parser.advance()
      }
      let isClosure = parser.token.kind == .leftBrace
      if isOwn, label == "value: " {
        _ = capturedValue()
        break
      }
      parts.append(isClosure ? try closure(names, depth: depth + 1) : label + (try value(names, depth: depth)))
      if parser.token.kind == .comma { parser.advance() }
    }
    parser.advance()
    while parser.token.kind == .leftBrace { parts.append(try closure(names, depth: depth + 1)) }
    return "\(function)(\(parts.joined(separator: ", ")))"
  }

  /// Reads a captured expression up to the next argument.
  private mutating func capturedValue() -> String {
    var words: [String] = []
    while ![.comma, .rightParen, .endOfFile].contains(parser.token.kind) {
      let start = parser.position
      if [.leftParen, .leftBracket, .leftBrace].contains(parser.token.kind) {
        parser.skipBalanced()
      } else {
        parser.advance()
      }
      words += parser.tokens[start..<parser.position].map { parser.text($0) }
    }
    return "Arg(\(words.joined(separator: " ")))"
  }

  /// Reads the argument of `build_Arg`, which is an input or a captured expression.
  private mutating func captured(_ names: Names) -> String {
    let start = parser.position + 1
    parser.skipBalanced()
    let tokens = parser.tokens[start..<(parser.position - 1)].map { parser.text($0) }
    if tokens.count == 1, let name = names[tokens[0]] { return name }
    return "Arg(\(tokens.joined(separator: " ")))"
  }
}
