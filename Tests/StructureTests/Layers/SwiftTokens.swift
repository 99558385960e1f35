/// The identifiers and brackets of a Swift file without comments and literals.
///
/// Words in a string interpolation are included.
struct SwiftTokens {
  enum Token: Equatable {
    case word(Substring)
    case open
    case close
    /// Any other character that is not a space.
    case sign(Character)
  }

  private(set) var tokens: [Token] = []
  private var rest: Substring.UTF8View

  static func tokens(of text: String) -> [Token] {
    var scanner = SwiftTokens(rest: text[...].utf8)
    scanner.scan(untilParenthesis: false)
    return scanner.tokens
  }

  private init(rest: Substring.UTF8View) { self.rest = rest }

  /// - Parameter untilParenthesis: True within an interpolation, which ends with its parenthesis.
  private mutating func scan(untilParenthesis: Bool) {
    var depth = 0
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: "/") where starts(with: "//"): skipLine()
      case UInt8(ascii: "/") where starts(with: "/*"): skipComment()
      case UInt8(ascii: "\""), UInt8(ascii: "#"):
        if !skipString() { rest.removeFirst() }
      case UInt8(ascii: "{"), UInt8(ascii: "}"):
        tokens.append(byte == UInt8(ascii: "{") ? .open : .close)
        rest.removeFirst()
      case UInt8(ascii: "("), UInt8(ascii: ")"):
        depth += byte == UInt8(ascii: "(") ? 1 : -1
        rest.removeFirst()
        if untilParenthesis, depth < 0 { return }
        tokens.append(.sign(Character(Unicode.Scalar(byte))))
      case _ where Self.isWord(byte):
        let word = rest.prefix(while: Self.isWord)
        rest = rest[word.endIndex...]
        tokens.append(.word(Substring(word)))
      case UInt8(ascii: " "), UInt8(ascii: "\n"): rest.removeFirst()
      default:
        tokens.append(.sign(Character(Unicode.Scalar(byte))))
        rest.removeFirst()
      }
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 128...:
      true
    default: false
    }
  }

  private func starts(with text: String) -> Bool { rest.starts(with: text.utf8) }

  private mutating func skipLine() {
    rest = rest.drop { $0 != UInt8(ascii: "\n") }
  }

  private mutating func skipComment() {
    var depth = 0
    repeat {
      if starts(with: "/*") {
        depth += 1
        rest.removeFirst(2)
      } else if starts(with: "*/") {
        depth -= 1
        rest.removeFirst(2)
      } else {
        rest.removeFirst()
      }
    } while depth > 0 && !rest.isEmpty
  }

  /// Skips a string literal except its interpolations. Returns false if there is none.
  private mutating func skipString() -> Bool {
    let hashes = rest.prefix { $0 == UInt8(ascii: "#") }.count
    guard rest.dropFirst(hashes).first == UInt8(ascii: "\"") else { return false }
    rest.removeFirst(hashes)
    let quote = starts(with: "\"\"\"") ? "\"\"\"" : "\""
    let end = quote + String(repeating: "#", count: hashes)
    let escape = "\\" + String(repeating: "#", count: hashes)
    rest.removeFirst(quote.count)
    while !rest.isEmpty {
      if starts(with: end) {
        rest.removeFirst(end.count)
        return true
      }
      if starts(with: escape + "(") {
        rest.removeFirst(escape.count + 1)
        scan(untilParenthesis: true)
      } else if starts(with: escape) {
        rest.removeFirst(min(escape.count + 1, rest.count))
      } else {
        rest.removeFirst()
      }
    }
    return true
  }
}
