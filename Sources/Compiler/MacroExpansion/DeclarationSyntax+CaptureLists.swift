import SchemaDiagnostics
import SchemaSyntax
import SwiftSource

/// Capture lists in the body of an initializer or deinitializer.
///
/// Swift 6.3 cannot type-check a closure with a capture list directly inside a macro-expanded body
/// (swiftlang/swift#80050), but it can inside a nested closure. The macro therefore wraps the enclosing expression in
/// a closure that is called at once: `Task { [weak self] in … }` becomes
/// `({ () -> Void in Task { [weak self] in … } })()`.
extension DeclarationSyntax {
  /// Text to insert at a byte offset.
  struct Insertion {
    var offset: Int
    var text: String
  }

  /// Returns the text of a byte range with insertions.
  func text(_ range: Range<Int>, with insertions: [Insertion]) -> Code {
    var (result, offset): (Code, Int) = ("", range.lowerBound)
    // If a closing bracket is missing, an expression may extend past the body.
    let inside = insertions.filter { (range.lowerBound...range.upperBound).contains($0.offset) }
    for insertion in inside.ordered(by: { $0.offset < $1.offset }) {
      result = "\(result)\(carried: text(offset..<insertion.offset))\(carried: insertion.text)"
      offset = insertion.offset
    }
    return "\(result)\(carried: text(offset..<range.upperBound))"
  }

  /// The insertions that wrap each expression containing a capture list in a closure.
  var closuresAroundCaptureLists: [Insertion] {
    guard let body, let first = tokens.firstIndex(where: { Int($0.start) >= body.lowerBound }) else { return [] }
    var insertions: [Insertion] = []
    var index = first
    while index < tokens.count - 1 {
      defer { index += 1 }
      let isText = tokens[index].kind == .string
      guard isText || tokens[index].kind == .leftBrace && !isBlock(index, of: first) else { continue }
      let end = isText ? index + 1 : afterBrackets(index)
      if isText ? isTextWithCaptureList(index) : hasCaptureList(index) {
        let expression = expression(around: index..<end, from: first)
        insertions += closure(around: expression, from: first)
        index = max(index, expression.upperBound - 1)
      } else {
        // Swift type-checks the contents of closures and local declarations.
        index = end - 1
      }
    }
    return insertions
  }

  /// Returns true if a string interpolation contains a capture list. Tokens from the remaining string are harmless.
  private func isTextWithCaptureList(_ index: Int) -> Bool {
    let text = text(index)
    guard tokens[index].kind == .string, text.contains("\\"), text.contains("{") else { return false }
    let inside = DeclarationSyntax(String(text.drop { "#\"".contains($0) }))
    return inside.tokens.indices.dropLast().contains { inside.hasCaptureList($0) || inside.isTextWithCaptureList($0) }
  }

  /// Returns true if a closure begins with a capture list. After `{ [`, a capture list is followed by `in`, parameters,
  /// or a result; an array is followed by an operator or a member.
  private func hasCaptureList(_ index: Int) -> Bool {
    guard tokens[index].kind == .leftBrace, tokens[index + 1].kind == .leftBracket else { return false }
    let end = afterBrackets(index + 1)
    guard end < tokens.count, !tokens[end].startsLine || text(end) == "in" else { return false }
    return tokens[end].kind == .leftParen || tokens[end].kind == .identifier || tokens[end].kind == .at
  }

  /// Returns true for braces of statements such as `if` and `do`, which belong to the same function.
  private func isBlock(_ brace: Int, of first: Int) -> Bool {
    var index = brace - 1
    while index >= first {
      if isKeyword(index, of: Self.blockKeywords) { return true }
      if tokens[index].kind == .leftBrace || tokens[index].kind == .leftParen || tokens[index].kind == .leftBracket
        || tokens[index].kind == .semicolon || isKeyword(index, of: Self.declarations)
      {
        return false
      }
      // If the next token begins the statement, the statement has no keyword before the brace.
      if tokens[index + 1].startsLine, !continues(index + 1), index + 1 != brace { return false }
      index = isClosing(index) ? opening(of: index) - 1 : index - 1
    }
    return false
  }

  /// Returns the largest expression in the statement that includes the closure. Each argument of `super.init` is
  /// separate.
  private func expression(around closure: Range<Int>, from first: Int) -> Range<Int> {
    var (start, end) = (closure.lowerBound, closure.upperBound)
    while start > first {
      let before = start - 1
      let kind = tokens[before].kind
      if kind == .leftParen || kind == .leftBracket {
        if isSuperInitializer(before) { break }
        end = afterBrackets(before)
        start = before
        continue
      }
      if isBoundary(before) || tokens[start].startsLine && !continues(start) { break }
      if kind == .comma || kind == .colon, let bracket = bracket(around: before, from: first) {
        if isSuperInitializer(bracket) { break }
        end = afterBrackets(bracket)
        start = bracket
        continue
      }
      // A comma between conditions. Remaining colons belong to `?` or to trailing closures.
      if kind == .comma || endsCase(before, from: first) { break }
      start = max(first, isClosing(before) ? opening(of: before) : before)
    }
    while end < tokens.count {
      let kind = tokens[end].kind
      let isLabel = end + 2 < tokens.count && tokens[end + 1].kind == .colon && tokens[end + 2].kind == .leftBrace
      if kind == .comma || kind == .semicolon || kind == .endOfFile || isClosing(end)
        || isKeyword(end, of: ["else", "where"])
      {
        break
      }
      // The braces of a statement, such as `if`, after the expression.
      if kind == .leftBrace, isBlock(end, of: first) { break }
      if tokens[end].startsLine, !continues(end), !isLabel { break }
      end = isOpening(end) ? afterBrackets(end) : end + 1
    }
    return start..<end
  }

  private func closure(around expression: Range<Int>, from first: Int) -> [Insertion] {
    let effects = expression.map { text($0) }.prefix { $0 == "try" || $0 == "await" }
    let isPartOfTry =
      effects.last == "try" && [.question, .exclamation].contains(tokens[expression.lowerBound + effects.count].kind)
    let marks = isPartOfTry ? "" : effects.map { $0 + " " }.joined()
    let before = expression.lowerBound - 1
    let isStatement =
      tokens[before].kind == .leftBrace || tokens[before].kind == .semicolon || endsCase(before, from: first)
      || tokens[expression.lowerBound].startsLine && !continues(expression.lowerBound) && !isBoundary(before)
        && tokens[before].kind != .leftParen
    let result = isStatement && !isInValue(before, from: first) ? "() -> Void in " : ""
    return [
      Insertion(offset: Int(tokens[expression.lowerBound].start), text: "\(marks)({ \(result)"),
      Insertion(offset: Int(tokens[expression.upperBound - 1].end), text: " })()"),
    ]
  }

  // MARK: tokens

  private static let blockKeywords = "if else guard for while repeat do catch defer switch".words
  private static let declarations = "func class struct enum actor subscript get set".words
  /// Words that precede an expression.
  private static let boundaries = "return throw in if guard while switch case where else do defer repeat catch".words

  /// Returns false for a member name, as in `.catch { … }`, and for a label.
  private func isKeyword(_ index: Int, of words: Set<String>) -> Bool {
    guard words.contains(text(index)), index == 0 || tokens[index - 1].kind != .period else { return false }
    return index + 1 >= tokens.count || tokens[index + 1].kind != .colon
  }

  /// Returns true for a token between an expression and the start of its statement.
  private func isBoundary(_ index: Int) -> Bool {
    switch tokens[index].kind {
    case .equal, .semicolon, .leftBrace: true
    case .identifier: isKeyword(index, of: Self.boundaries)
    case .operatorSign: isAssignment(text(index))
    default: false
    }
  }

  /// Returns true for compound assignment, such as `+=`.
  private func isAssignment(_ sign: String) -> Bool {
    sign.hasSuffix("=") && !["==", "!=", "<=", ">=", "===", "!==", "~="].contains(sign)
  }

  /// Returns true if the line that begins with this token continues the previous line.
  private func continues(_ index: Int) -> Bool {
    func isBinary(_ index: Int) -> Bool {
      [.operatorSign, .equal, .question, .colon, .period, .comma, .leftAngle, .rightAngle].contains(tokens[index].kind)
        || ["as", "is"].contains(text(index))
    }
    return index == 0 || isBinary(index) || isBinary(index - 1) || ["try", "await"].contains(text(index - 1))
  }

  /// Returns true inside an `if` or `switch` expression, as in `let x = if a { b } else { c }`.
  private func isInValue(_ index: Int, from first: Int) -> Bool {
    var index = index
    while index >= first, tokens[index].kind != .leftBrace {
      index = isClosing(index) ? opening(of: index) - 1 : index - 1
    }
    index -= 1
    while index > first, tokens[index].kind != .leftBrace, tokens[index].kind != .semicolon {
      if isKeyword(index, of: ["if", "switch"]) {
        let before = index - 1
        if tokens[before].kind == .equal || text(before) == "return" { return true }
        if text(before) != "else" { return false }
      }
      index = isClosing(index) ? opening(of: index) - 1 : index - 1
    }
    return false
  }

  /// Returns true for the colon after `case` or `default`.
  private func endsCase(_ colon: Int, from first: Int) -> Bool {
    guard tokens[colon].kind == .colon else { return false }
    var index = colon - 1
    while index >= first, tokens[index].kind != .question, tokens[index].kind != .colon,
      !isBoundary(index) || text(index) == "where"
    {
      if text(index) == "default" { return true }
      index = isClosing(index) ? opening(of: index) - 1 : index - 1
    }
    return index >= first && text(index) == "case"
  }

  private func isSuperInitializer(_ paren: Int) -> Bool {
    paren >= 3 && text(paren - 1) == "init" && text(paren - 3) == "super"
  }

  /// Returns the opening parenthesis or bracket around a token; `nil` if a brace is nearer.
  private func bracket(around index: Int, from first: Int) -> Int? {
    var index = index - 1
    while index >= first {
      if tokens[index].kind == .leftParen || tokens[index].kind == .leftBracket { return index }
      if tokens[index].kind == .leftBrace { return nil }
      index = isClosing(index) ? opening(of: index) - 1 : index - 1
    }
    return nil
  }

  private func isClosing(_ index: Int) -> Bool {
    [.rightParen, .rightBracket, .rightBrace].contains(tokens[index].kind)
  }

  private func opening(of closing: Int) -> Int {
    var open = 0
    for index in (0...closing).reversed() {
      if isClosing(index) { open += 1 } else if isOpening(index) { open -= 1 }
      if open == 0 { return index }
    }
    return 0
  }
}
