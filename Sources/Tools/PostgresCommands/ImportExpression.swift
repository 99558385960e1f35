import Foundation

/// A default or constraint expression in the server's notation.
///
/// The server adds casts and parentheses: `status IN ('a', 'b')` becomes `((status)::text = ANY (ARRAY['a'::text,
/// 'b'::text]))`. They are removed here, which is safe because only a few forms are recognized afterwards.
struct ImportExpression {
  enum Token: Equatable {
    case word(String)
    case text(String)
    case number(String)
    case symbol(Character)

    func isWord(_ word: String) -> Bool { if case .word(let own) = self { own.uppercased() == word } else { false } }
  }

  let source: String
  private let tokens: [Token]

  init(_ source: String) {
    self.source = source
    tokens = Self.withoutCasts(Self.read(source)).filter { $0 != .symbol("(") && $0 != .symbol(")") }
  }

  // MARK: forms

  /// The default in a form that ``SchemaDraft`` accepts: a literal, `CURRENT_TIMESTAMP` or `gen_random_uuid()`.
  /// Otherwise the source text.
  var defaultText: String {
    switch tokens.count {
    case 1:
      switch tokens[0] {
      case .text(let text): return "'" + text.replacing("'", with: "''") + "'"
      case .number(let text): return Self.trimmed(text)
      case .word(let word):
        let word = word.lowercased()
        if ["true", "false", "null"].contains(word) { return word }
        if Self.clocks.contains(word) { return "CURRENT_TIMESTAMP" }
        if ["gen_random_uuid", "uuid_generate_v4"].contains(word) { return "gen_random_uuid()" }
        return source
      case .symbol: return source
      }
    case 2:
      guard tokens[0] == .symbol("-"), case .number(let text) = tokens[1] else { return source }
      return "-" + Self.trimmed(text)
    // An extension's function is qualified: `public.uuid_generate_v4()`.
    case 3 where tokens[1] == .symbol(".") && tokens[2].isWord("UUID_GENERATE_V4"): return "gen_random_uuid()"
    default: return source
    }
  }

  /// Functions that return the current time.
  private static let clocks: Set<String> = [
    "now", "current_timestamp", "localtimestamp", "transaction_timestamp", "statement_timestamp", "clock_timestamp",
  ]

  /// Removes trailing zeros from a fraction.
  static func trimmed(_ number: String) -> String {
    guard number.contains("."), !number.contains(where: { $0 == "e" || $0 == "E" }) else { return number }
    let end = number.lastIndex { $0 != "0" } ?? number.startIndex
    return String(number[end] == "." ? number[..<end] : number[...end])
  }

  enum Choices: Equatable {
    case texts([String])
    case integers([Int64])
  }

  /// The column and the permitted values for a constraint such as `CHECK (column IN (…))`, otherwise `nil`. In a
  /// domain, the column is `VALUE`.
  var choices: (column: String, values: Choices)? {
    var rest = tokens[...]
    guard rest.popFirst()?.isWord("CHECK") ?? false else { return nil }
    if rest.suffix(2).map({ $0.isWord("NOT") || $0.isWord("VALID") }) == [true, true] { rest = rest.dropLast(2) }
    var column: String?
    var values: [Token] = []
    for term in rest.split(omittingEmptySubsequences: false, whereSeparator: { $0.isWord("OR") }) {
      guard case .word(let name)? = term.first, column == nil || column == name,
        let found = Self.values(Array(term.dropFirst()))
      else { return nil }
      column = name
      values += found
    }
    guard let column, !values.isEmpty else { return nil }
    let texts = values.compactMap { if case .text(let text) = $0 { text } else { nil } }
    if texts.count == values.count { return Set(texts).count == texts.count ? (column, .texts(texts)) : nil }
    let numbers = values.compactMap { if case .number(let text) = $0 { Int64(text) } else { nil } }
    return Set(numbers).count == values.count ? (column, .integers(numbers)) : nil
  }

  /// Returns the values in a term, after the column: `IS NULL`, `= value` or `= ANY ARRAY[value, …]`.
  private static func values(_ term: [Token]) -> [Token]? {
    if term.count == 2, term[0].isWord("IS"), term[1].isWord("NULL") { return [] }
    guard term.first == .symbol("=") else { return nil }
    var list = Array(term.dropFirst())
    if list.count > 4, list[0].isWord("ANY"), list[1].isWord("ARRAY"), list[2] == .symbol("["),
      list.last == .symbol("]")
    {
      list = Array(list[3..<list.count - 1])
    }
    let items = list.split(separator: .symbol(","), omittingEmptySubsequences: false)
    return items.reduce([Token]?.some([])) { found, item in
      switch (item.first, item.count) {
      case (.text?, 1), (.number?, 1): found.map { $0 + item }
      case (.symbol("-")?, 2):
        if case .number(let text)? = item.last { found.map { $0 + [.number("-" + text)] } } else { nil }
      default: nil
      }
    }
  }

  // MARK: tokens

  private static func withoutCasts(_ tokens: [Token]) -> [Token] {
    var result: [Token] = []
    var rest = tokens[...]
    while let token = rest.popFirst() {
      guard token == .symbol(":"), rest.first == .symbol(":") else {
        result.append(token)
        continue
      }
      rest = rest.dropFirst()
      skipType(&rest)
    }
    return result
  }

  /// Words that may follow the first word in a type name.
  private static let typeWords: Set<String> = ["varying", "precision", "with", "without", "time", "zone"]

  private static func skipType(_ rest: inout ArraySlice<Token>) {
    guard case .word? = rest.popFirst() else { return }
    while let next = rest.first {
      if next == .symbol("."), case .word? = rest.dropFirst().first {
        rest = rest.dropFirst(2)
      } else if case .word(let word) = next, typeWords.contains(word) {
        rest = rest.dropFirst()
      } else if next == .symbol("("), case .number? = rest.dropFirst().first,
        let end = rest.firstIndex(of: .symbol(")"))
      {
        rest = rest[(end + 1)...]
      } else if next == .symbol("["), rest.dropFirst().first == .symbol("]") {
        rest = rest.dropFirst(2)
      } else {
        return
      }
    }
  }

  private static func read(_ source: String) -> [Token] {
    var tokens: [Token] = []
    var rest = Substring(source)
    while let first = rest.first {
      if first.isWhitespace {
        rest = rest.dropFirst()
      } else if first == "'" || first == "\"" {
        let isEscaped = first == "'" && tokens.last == .word("E")
        if isEscaped { tokens.removeLast() }
        let text = quoted(&rest, first, isEscaped: isEscaped)
        tokens.append(first == "'" ? .text(text) : .word(text))
      } else if first.isNumber || first == "." && rest.dropFirst().first?.isNumber ?? false {
        let number = rest.prefix { $0.isNumber || $0 == "." || $0 == "e" }
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
    return tokens
  }

  /// Reads a quoted name or text. A doubled quotation mark is a literal mark. The server writes text with backslashes
  /// as `E'…'`, and doubles each backslash.
  private static func quoted(_ rest: inout Substring, _ mark: Character, isEscaped: Bool) -> String {
    var text = String.UnicodeScalarView()
    var scalars = rest.unicodeScalars.dropFirst()
    while let next = scalars.popFirst() {
      if Character(next) == mark {
        guard scalars.first.map(Character.init) == mark else { break }
        scalars.removeFirst()
      } else if isEscaped, next == "\\", scalars.first == "\\" {
        scalars.removeFirst()
      }
      text.append(next)
    }
    rest = Substring(scalars)
    return String(text)
  }
}
