package import SchemaDiagnostics

/// The expression after a `=`, kept as text.
package struct ExpressionSyntax: Sendable {
  /// The type that the expression constructs: `[Item]()`, `Set<Int>()`.
  package let constructedType: TypeSyntax?
  package let tree: SyntaxTree
  package let firstToken: Int
  package let tokenEnd: Int

  package init?(clause: SyntaxNode) {
    guard clause.firstToken + 1 < clause.tokenEnd else { return nil }
    tree = clause.tree
    firstToken = clause.firstToken + 1
    tokenEnd = clause.tokenEnd
    constructedType = clause.type
  }

  package var range: SourceRange {
    tree.range(ofToken: firstToken).union(tree.range(ofToken: tokenEnd - 1))
  }

  package var text: String { tree.file.text(from: range.start, to: range.end) }

  /// The kind of expression, as far as the tokens determine it.
  package enum Shape: Equatable {
    case null, boolean
    /// An integer literal, including the sign.
    case integer(String)
    case float
    /// A string literal as written, including quotation marks.
    case string(String)
    case emptyArray, emptyDictionary
    /// `[…]` with elements, and the shape they share.
    indirect case array(of: Shape)
    /// `[key: value]`, and the shapes that all pairs share.
    indirect case dictionary(key: Shape, value: Shape)
    /// `.name`, optionally followed by arguments.
    case member(String, isCalled: Bool)
    /// `Type(…)`
    case call([String])
    /// `Type.name`, `Type.name(…)`
    case typeMember([String], String)
    case other
  }

  /// True for string literals concatenated with `+`.
  package var isConcatenation: Bool {
    let tokens = firstToken..<tokenEnd
    return tokens.count > 1
      && tokens.allSatisfy { index in
        tree.tokens[index].kind == .string
          || tree.tokens[index].kind == .operatorSign && tree.text(ofToken: index) == "+"
      }
  }

  package var shape: Shape { shape(firstToken..<tokenEnd, depth: 0) }

  /// For arithmetic with numeric literals, as in `60 * 60`: true if at least one literal is a fraction. `nil` for any
  /// other expression.
  package var isFractionalArithmetic: Bool? {
    var isFractional = false
    for index in firstToken..<tokenEnd {
      switch tree.tokens[index].kind {
      case .integer, .leftParen, .rightParen: continue
      case .float: isFractional = true
      case .operatorSign where ["+", "-", "*", "/", "%"].contains(tree.text(ofToken: index)): continue
      default: return nil
      }
    }
    return isFractional
  }

  private func shape(_ range: Range<Int>, depth: Int) -> Shape {
    guard let first = range.first else { return .other }
    let token = tree.tokens[first]
    switch token.kind {
    case .string where range.count == 1, .curlyString where range.count == 1: return .string(tree.text(ofToken: first))
    case .integer where range.count == 1: return .integer(tree.text(ofToken: first))
    case .float where range.count == 1: return .float
    case .operatorSign where range.count == 2 && ["-", "+"].contains(tree.text(ofToken: first)):
      switch tree.tokens[first + 1].kind {
      case .integer: return .integer(tree.text(ofToken: first) + tree.text(ofToken: first + 1))
      case .float: return .float
      default: return .other
      }
    case .identifier where range.count == 1 && [.nil, .null].contains(token.keyword): return .null
    case .identifier where range.count == 1 && [.true, .false].contains(token.keyword):
      return .boolean
    case .leftBracket: return depth < 4 ? bracketed(range, depth: depth) : .other
    case .period:
      guard range.count >= 2, tree.tokens[first + 1].kind == .identifier else { return .other }
      let name = tree.name(ofToken: first + 1)
      if range.count == 2 { return .member(name, isCalled: false) }
      return isCall(first + 2..<range.upperBound) ? .member(name, isCalled: true) : .other
    case .identifier: return named(range)
    default: return .other
    }
  }

  /// True if a single pair of parentheses spans the range.
  private func isCall(_ range: Range<Int>) -> Bool {
    guard let first = range.first, tree.tokens[first].kind == .leftParen else { return false }
    return closing(first, in: range) == range.upperBound - 1
  }

  private func closing(_ opener: Int, in range: Range<Int>) -> Int? {
    var depth = 0
    for index in opener..<range.upperBound {
      switch tree.tokens[index].kind {
      case .leftParen, .leftBracket, .leftBrace: depth += 1
      case .rightParen, .rightBracket, .rightBrace:
        depth -= 1
        if depth == 0 { return index }
      default: break
      }
    }
    return nil
  }

  private func bracketed(_ range: Range<Int>, depth: Int) -> Shape {
    guard closing(range.lowerBound, in: range) == range.upperBound - 1 else { return .other }
    let inside = range.lowerBound + 1..<range.upperBound - 1
    if inside.isEmpty { return .emptyArray }
    if inside.count == 1, tree.tokens[inside.lowerBound].kind == .colon { return .emptyDictionary }
    var shapes: [Shape] = []
    var (level, start) = (0, inside.lowerBound)
    var colon: Int?
    func addElement(_ end: Int) {
      guard start < end else { return }
      let key = colon.map { shape(start..<$0, depth: depth + 1) }
      let value = shape((colon.map { $0 + 1 } ?? start)..<end, depth: depth + 1)
      let element: Shape = key.map { .dictionary(key: $0, value: value) } ?? .array(of: value)
      shapes.append(shapes.popLast().map { $0.joined(with: element) } ?? element)
      (start, colon) = (end + 1, nil)
    }
    for index in inside {
      switch tree.tokens[index].kind {
      case .leftParen, .leftBracket, .leftBrace: level += 1
      case .rightParen, .rightBracket, .rightBrace: level -= 1
      case .colon where level == 0: colon = colon ?? index
      case .comma where level == 0: addElement(index)
      default: break
      }
    }
    addElement(inside.upperBound)
    return shapes.first ?? .other
  }

  private func named(_ range: Range<Int>) -> Shape {
    var parts: [String] = []
    var index = range.lowerBound
    while index < range.upperBound, tree.tokens[index].kind == .identifier {
      parts.append(tree.name(ofToken: index))
      index += 1
      guard index + 1 < range.upperBound, tree.tokens[index].kind == .period else { break }
      index += 1
    }
    let isWhole = index == range.upperBound
    guard isWhole || isCall(index..<range.upperBound) else { return .other }
    let isType: (String) -> Bool = { $0.first?.isUppercase ?? false }
    guard let last = parts.last, isType(parts[0]) else { return .other }
    let types = Array(parts.prefix(while: isType))
    if isType(last) { return isWhole || types.count < parts.count ? .other : .call(types) }
    guard types.count == parts.count - 1 else { return .other }
    return last == "init" && !isWhole ? .call(types) : .typeMember(types, last)
  }
}

extension ExpressionSyntax.Shape {
  /// Returns the common shape of two elements of a collection literal. An integer and a fraction combine to a fraction.
  /// For elements with different shapes, no type is inferred.
  fileprivate func joined(with other: Self) -> Self {
    switch (self, other) {
    case (.boolean, .boolean), (.integer, .integer), (.float, .float), (.string, .string): self
    case (.integer, .float), (.float, .integer): .float
    case (.array(let one), .array(let other)): .array(of: one.joined(with: other))
    case (.dictionary(let key, let value), .dictionary(let otherKey, let other)):
      .dictionary(key: key.joined(with: otherKey), value: value.joined(with: other))
    case (.emptyArray, .array), (.emptyDictionary, .dictionary): other
    case (.array, .emptyArray), (.dictionary, .emptyDictionary): self
    case (.typeMember(let one, _), .typeMember(let other, _)) where one == other: self
    default: self == other ? self : .other
    }
  }
}
