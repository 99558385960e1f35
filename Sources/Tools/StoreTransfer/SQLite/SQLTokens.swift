/// Splits SQL statements into tokens, to read constraints that no SQLite pragma reports.
struct SQLTokens {
  enum Token: Equatable {
    /// A keyword or an unquoted name.
    case word(String)
    /// A quoted name.
    case name(String)
    case text(String)
    case number(String)
    case symbol(Character)

    /// True for a keyword, in any case.
    func isWord(_ word: String) -> Bool { if case .word(let own) = self { own.uppercased() == word } else { false } }

    /// The identifier, quoted or not.
    var identifier: String? {
      switch self {
      case .word(let text), .name(let text): text
      default: nil
      }
    }
  }

  static func read(_ sql: String) -> [Token] { places(sql).map(\.token) }

  /// Returns the tokens with their places in the text.
  static func places(_ sql: String) -> [(token: Token, range: Range<String.Index>)] {
    var places: [(token: Token, range: Range<String.Index>)] = []
    var rest = Substring(sql)
    while let first = rest.first {
      let start = rest.startIndex
      var tokens: [Token] = []
      defer { places += tokens.map { ($0, start..<rest.startIndex) } }
      if first.isWhitespace {
        rest = rest.dropFirst()
      } else if rest.hasPrefix("--") {
        rest = rest.drop { !$0.isNewline }
      } else if rest.hasPrefix("/*") {
        rest = rest.dropFirst(2)
        while !rest.isEmpty, !rest.hasPrefix("*/") { rest = rest.dropFirst() }
        rest = rest.dropFirst(2)
      } else if first == "'" {
        tokens.append(.text(quoted(&rest, "'")))
      } else if first == "\"" || first == "`" {
        tokens.append(.name(quoted(&rest, first)))
      } else if first == "[" {
        let name = rest.dropFirst().prefix { $0 != "]" }
        rest = rest.dropFirst(name.count + 2)
        tokens.append(.name(String(name)))
      } else if first.isNumber {
        let number = rest.prefix { $0.isNumber || $0.isLetter || $0 == "." }
        rest = rest.dropFirst(number.count)
        tokens.append(.number(String(number)))
      } else if first.isLetter || first == "_" {
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
        rest = rest.dropFirst(word.count)
        tokens.append(.word(String(word)))
      } else {
        tokens.append(.symbol(first))
        rest = rest.dropFirst()
      }
    }
    return places
  }

  /// Reads quoted text. A doubled quotation mark is a literal mark.
  private static func quoted(_ rest: inout Substring, _ mark: Character) -> String {
    var text = ""
    rest = rest.dropFirst()
    while let next = rest.first {
      rest = rest.dropFirst()
      if next == mark {
        guard rest.first == mark else { break }
        rest = rest.dropFirst()
      }
      text.append(next)
    }
    return text
  }
}

/// A `CHECK` constraint.
struct CheckConstraint: Equatable {
  enum Choices: Equatable {
    case texts([String])
    case integers([Int64])
  }

  /// The column and the permitted values for `CHECK (column IN (…))`, otherwise `nil`.
  var choices: (column: String, values: Choices)?
  /// The condition as written.
  var text: String

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.text == rhs.text && lhs.choices?.column == rhs.choices?.column && lhs.choices?.values == rhs.choices?.values
  }

  /// Returns the constraints in a `CREATE TABLE` statement.
  static func read(_ sql: String) -> [CheckConstraint] {
    let places = SQLTokens.places(sql)
    let tokens = places.map(\.token)
    var constraints: [CheckConstraint] = []
    var index = 0
    while index + 1 < tokens.count {
      guard tokens[index].isWord("CHECK"), tokens[index + 1] == .symbol("(") else {
        index += 1
        continue
      }
      var depth = 1
      var end = index + 2
      while end < tokens.count, depth > 0 {
        if tokens[end] == .symbol("(") { depth += 1 }
        if tokens[end] == .symbol(")") { depth -= 1 }
        end += 1
      }
      let inner = (index + 2)..<max(index + 2, end - 1)
      let text =
        inner.isEmpty
        ? "" : sql[places[inner.lowerBound].range.lowerBound..<places[inner.upperBound - 1].range.upperBound]
      constraints.append(CheckConstraint(Array(tokens[inner]), String(text)))
      index = end
    }
    return constraints
  }

  private init(_ tokens: [SQLTokens.Token], _ text: String) {
    self.text = text
    var rest = Self.unwrapped(tokens[...])
    // Ignore the NULL test in `x IS NULL OR x IN (…)` and `x IN (…) OR x IS NULL`: NOT NULL decides that.
    if let name = rest.first?.identifier {
      let isNull = { (part: ArraySlice<SQLTokens.Token>) in
        part.count == 3 && part.first?.identifier == name && part[part.startIndex + 1].isWord("IS")
          && part[part.startIndex + 2].isWord("NULL")
      }
      if rest.count > 4, isNull(rest.prefix(3)), rest[rest.startIndex + 3].isWord("OR") {
        rest = rest.dropFirst(4)
      } else if rest.count > 4, isNull(rest.suffix(3)), rest[rest.endIndex - 4].isWord("OR") {
        rest = rest.dropLast(4)
      }
    }
    choices = Self.choices(Self.unwrapped(rest))
  }

  /// Removes parentheses around the whole condition.
  private static func unwrapped(_ tokens: ArraySlice<SQLTokens.Token>) -> ArraySlice<SQLTokens.Token> {
    var tokens = tokens
    while tokens.first == .symbol("("), tokens.last == .symbol(")") {
      let inner = tokens.dropFirst().dropLast()
      var depth = 0
      for token in inner {
        if token == .symbol("(") { depth += 1 }
        if token == .symbol(")") { depth -= 1 }
        if depth < 0 { return tokens }
      }
      tokens = inner
    }
    return tokens
  }

  private static func choices(_ tokens: ArraySlice<SQLTokens.Token>) -> (column: String, values: Choices)? {
    let tokens = Array(tokens)
    guard tokens.count >= 5, let column = tokens[0].identifier, tokens[1].isWord("IN"), tokens[2] == .symbol("("),
      tokens.last == .symbol(")")
    else { return nil }
    var texts: [String] = []
    var integers: [Int64] = []
    var sign: Int64 = 1
    for (place, token) in tokens[3..<tokens.count - 1].enumerated() {
      switch token {
      case .text(let text): texts.append(text)
      case .number(let text):
        guard let number = Int64(text) else { return nil }
        integers.append(number * sign)
        sign = 1
      case .symbol(","): guard place > 0 else { return nil }
      case .symbol("-"): sign = -1
      default: return nil
      }
    }
    let isText = integers.isEmpty && !texts.isEmpty && Set(texts).count == texts.count
    guard isText || (texts.isEmpty && !integers.isEmpty && Set(integers).count == integers.count) else { return nil }
    return (column, isText ? .texts(texts) : .integers(integers))
  }
}
