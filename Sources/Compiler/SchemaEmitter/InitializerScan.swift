import SchemaDiagnostics
import SchemaSyntax

/// Scans a subclass's copied initializer for assignments before `super.init`.
struct InitializerScan {
  /// The properties that are assigned before `super.init`, where setters cannot be called, because the object is still
  /// incomplete.
  private(set) var assignedBefore: Set<String> = []
  /// The ends of the `super.init` calls, as byte offsets in the text.
  private(set) var ends: [Int] = []

  init(_ text: String) {
    let file = SourceFile(path: "", text: text)
    self.init(Lexer.lex(file, index: 0).0, file)
  }

  init(_ tokens: [Token], _ file: SourceFile) {
    for index in tokens.indices.dropFirst() where index + 2 < tokens.count {
      let isCall =
        tokens[index - 1].keyword == .super && tokens[index].kind == .period
        && tokens[index + 1].keyword == .`init`
      if isCall {
        if let end = Self.end(ofCallAt: index + 2, tokens) { ends.append(end) }
      } else if ends.isEmpty, Self.isAssigned(index, tokens) {
        let token = tokens[index]
        let name = file.text(from: Int(token.start), to: Int(token.end))
        assignedBefore.insert(token.isQuoted ? String(name.dropFirst().dropLast()) : name)
      }
    }
  }

  /// Returns true for `name = …` and `self.name = …`, but not for `let name = …`.
  private static func isAssigned(_ index: Int, _ tokens: [Token]) -> Bool {
    guard tokens[index].kind == .identifier, tokens[index + 1].kind == .equal else { return false }
    guard tokens[index - 1].kind == .period else {
      return ![.let, .var].contains(tokens[index - 1].keyword)
    }
    return index > 1 && tokens[index - 2].keyword == .selfValue
      && (index == 2 || tokens[index - 3].kind != .period)
  }

  /// Returns the position after the arguments and trailing closures.
  private static func end(ofCallAt start: Int, _ tokens: [Token]) -> Int? {
    var depth = 0
    var end: Int?
    for index in start..<tokens.count {
      switch tokens[index].kind {
      case .leftParen, .leftBrace, .leftBracket: depth += 1
      case .rightParen, .rightBrace, .rightBracket: depth -= 1
      case .endOfFile: return end
      default: break
      }
      if depth < 0 { return end }
      if depth == 0 {
        end = Int(tokens[index].end)
        let next = tokens[min(index + 1, tokens.count - 1)]
        if next.kind != .leftBrace || next.startsLine { return end }
      }
    }
    return end
  }
}
