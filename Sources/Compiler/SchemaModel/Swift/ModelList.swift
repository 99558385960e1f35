import SchemaDiagnostics
package import SchemaSyntax

/// The contents of a version's `static var models`, or of a migration plan's `schemas`.
package struct ModelList {
  package enum Entry {
    /// For example `Trip.self` or `SchemaV1.Trip.self`.
    case model(String)
    /// For example `SchemaV1.models`.
    case modelsOf(String)
  }

  package private(set) var entries: [Entry] = []
  /// The expressions that cannot be parsed, for example `sharedModels`.
  package private(set) var unread: [String] = []

  package init() {}

  /// Parses a list of types, for example the arguments of `ModelContainer(for:)`.
  package init(list file: SwiftFile, _ tokens: Range<Int>) { read(file, tokens, isValue: false) }

  /// Returns nil if the property does not exist.
  package init?(_ file: SwiftFile, _ tokens: Range<Int>, named property: String = "models") {
    let words: Set = ["var", "let"]
    guard let name = tokens.dropFirst().first(where: { file.text($0) == property && words.contains(file.text($0 - 1)) })
    else { return nil }
    // A body or a value follows the type.
    var next = name + 1
    while next < tokens.upperBound, file.tokens[next].kind != .leftBrace, file.tokens[next].kind != .equal {
      if next > name + 1, file.tokens[next].startsLine, Self.begins.contains(file.text(next)) { return nil }
      next += 1
    }
    guard next < tokens.upperBound else { return nil }
    let end = file.tokens[next].kind == .leftBrace ? file.closing(next) ?? tokens.upperBound : tokens.upperBound
    read(file, (next + 1)..<max(next + 1, end), isValue: file.tokens[next].kind == .equal)
  }

  private static let begins = """
    static var let func class struct enum public private internal package final fileprivate typealias extension init \
    nonisolated
    """.words

  private mutating func read(_ file: SwiftFile, _ range: Range<Int>, isValue: Bool) {
    var token = range.lowerBound
    var depth = 0
    while token < range.upperBound {
      switch file.tokens[token].kind {
      case .leftBracket, .leftParen, .leftBrace: depth += 1
      case .rightBracket, .rightParen, .rightBrace: depth -= 1
      case .at where isValue && depth <= 0: return
      case .identifier:
        if isValue, depth <= 0, file.tokens[token].startsLine, Self.begins.contains(file.text(token)) { return }
        token = path(file, token, range.upperBound)
        continue
      default: break
      }
      token += 1
    }
  }

  /// Parses names joined by periods and returns the next token.
  private mutating func path(_ file: SwiftFile, _ start: Int, _ end: Int) -> Int {
    var names = [file.name(start)]
    var next = start + 1
    while next + 1 < end, file.tokens[next].kind == .period, file.tokens[next + 1].kind == .identifier {
      names.append(file.name(next + 1))
      next += 2
    }
    let words: Set = ["return", "as", "any", "get", "PersistentModel", "Type"]
    switch names.last {
    case "self": entries.append(.model(names.dropLast().joined(separator: ".")))
    case "models" where names.count > 1: entries.append(.modelsOf(names[names.count - 2]))
    case _ where names.allSatisfy(words.contains): break
    default: unread.append(names.joined(separator: "."))
    }
    return next
  }
}
