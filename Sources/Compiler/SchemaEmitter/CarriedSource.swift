import SchemaDiagnostics
import SchemaSyntax
import SwiftSource

/// Adapts Swift code that is copied from a schema file: adds access levels, `nonisolated`, and a statement at the start
/// of initializers. All other text, including line breaks, is unchanged.
struct CarriedSource {
  /// Inserted before declarations that state no access level.
  var access: Access?
  /// Inserted at the start of each designated initializer's body.
  var opening: String?
  /// Inserted after calls to `super.init`.
  var closing: String?
  /// Inserted at the start of a `deinit` body.
  var deinitOpening: String?
  /// The structs and enums to which `Sendable` is added, because Swift infers the conformance only for types that are
  /// not public.
  var sendable = SendableTypes.none
  var sendableName = "Sendable"

  enum SendableTypes {
    case none
    /// All types nested in the outermost type.
    case nested
    /// Outermost types with these names, and all types nested in them.
    case named(Set<String>)
  }

  private(set) var declaresInitializer = false
  private(set) var hidesMembers = false
  private(set) var declaresDeinit = false

  init(access: Access?, opening: String? = nil, closing: String? = nil) {
    self.access = access
    self.opening = opening
    self.closing = closing
  }

  /// Returns the adapted text of one or more declarations.
  mutating func adapt(_ text: String) -> String {
    let file = SourceFile(path: "", text: text)
    let (tokens, _) = Lexer.lex(file, index: 0)
    var walk = CarriedWalk(
      tokens: tokens, file: file, access: access, opening: opening, deinitOpening: deinitOpening,
      sendable: sendable, sendableName: sendableName)
    walk.run()
    if let closing {
      walk.insertions += InitializerScan(tokens, file).ends.map { ($0, "; " + closing) }
    }
    declaresInitializer = walk.declaresInitializer
    hidesMembers = walk.hidesMembers
    declaresDeinit = walk.declaresDeinit
    guard !walk.insertions.isEmpty else { return text }
    var result: [UInt8] = []
    var offset = 0
    for (place, addition) in walk.insertions.ordered(by: { $0.0 < $1.0 }) {
      result += file.bytes[offset..<place]
      result += addition.utf8
      offset = place
    }
    result += file.bytes[offset...]
    return String(decoding: result, as: UTF8.self)
  }
}

/// Finds the declarations directly inside a type by walking over the tokens.
private struct CarriedWalk {
  let tokens: [Token]
  let file: SourceFile
  let access: Access?
  let opening: String?
  let deinitOpening: String?
  let sendable: CarriedSource.SendableTypes
  let sendableName: String
  var insertions: [(Int, String)] = []
  var declaresInitializer = false
  var hidesMembers = false
  var declaresDeinit = false

  private enum Scope { case members, code }
  private var scopes: [Scope] = [.members]
  private var brackets = 0
  /// The scope that the next brace opens.
  private var pending = Scope.code
  private var index = 0
  private var isInValue = false
  /// Inserted after the brace that opens the next body.
  private var bodyOpening: String?

  init(
    tokens: [Token], file: SourceFile, access: Access?, opening: String?, deinitOpening: String?,
    sendable: CarriedSource.SendableTypes, sendableName: String
  ) {
    self.tokens = tokens
    self.file = file
    self.access = access
    self.opening = opening
    self.deinitOpening = deinitOpening
    self.sendable = sendable
    self.sendableName = sendableName
  }

  mutating func run() {
    var mayBegin = true
    while index < tokens.count, tokens[index].kind != .endOfFile {
      let token = tokens[index]
      if scopes.last == .members, brackets == 0, mayBegin || token.startsLine {
        if token.kind == .at {
          skipAttribute()
          mayBegin = true
          continue
        }
        if let keyword = token.keyword,
          Self.modifiers.contains(keyword)
            || Self.declarations.contains(keyword), declaration()
        {
          mayBegin = false
          continue
        }
      }
      mayBegin = false
      switch token.kind {
      case .leftParen, .leftBracket: brackets += 1
      case .rightParen, .rightBracket: brackets -= 1
      case .leftBrace where brackets == 0:
        if let bodyOpening, pending == .code {
          insertions.append((Int(token.end), " " + bodyOpening + ";"))
        }
        bodyOpening = nil
        scopes.append(pending)
        pending = .code
        mayBegin = true
      case .leftBrace: skipBraces()
      case .rightBrace:
        if scopes.count > 1 { scopes.removeLast() }
        mayBegin = true
      case .semicolon: mayBegin = true
      default: break
      }
      index += 1
    }
  }

  /// Reads modifiers and a declaration keyword. Returns false if no declaration begins here.
  private mutating func declaration() -> Bool {
    let first = index
    var position = index
    var stated = false
    var isNonisolated = false
    var isConvenience = false
    while let keyword = tokens[position].keyword, Self.modifiers.contains(keyword) {
      let isClassModifier = keyword == .class
      if isClassModifier, !Self.follows(tokens[position + 1]) { break }
      position += 1
      if tokens[position].kind == .leftParen {
        position = closing(position) + 1
        if keyword == .nonisolated { isNonisolated = true }
        continue
      }
      switch keyword {
      case .public, .package, .internal, .private, .fileprivate, .open:
        stated = true
        if keyword == .private || keyword == .fileprivate { hidesMembers = true }
      case .nonisolated: isNonisolated = true
      case .convenience: isConvenience = true
      default: break
      }
    }
    guard let keyword = tokens[position].keyword, Self.declarations.contains(keyword) else {
      return false
    }
    let isType = Self.types.contains(keyword)
    var prefix = ""
    if !stated, let access, keyword != .deinit { prefix = access.rawValue + " " }
    if isType, !isNonisolated { prefix += "nonisolated " }
    if !prefix.isEmpty { insertions.append((Int(tokens[first].start), prefix)) }
    if access != nil, isValue(position, keyword) { stateSendable(from: position + 2) }
    pending = isType && keyword != .protocol ? .members : .code
    if scopes.count == 1 {
      bodyOpening = keyword == .`init` && !isConvenience ? opening : nil
      if keyword == .deinit {
        bodyOpening = deinitOpening
        declaresDeinit = true
      }
    }
    if keyword == .`init`, scopes.count == 2 { declaresInitializer = true }
    // Skip the name, which may be any word.
    let isNamed = keyword != .`init` && keyword != .subscript && keyword != .deinit
    index = position + (isNamed ? 2 : 1)
    return true
  }

  private mutating func isValue(_ position: Int, _ keyword: Keyword) -> Bool {
    if scopes.count == 1, Self.types.contains(keyword) {
      let name = tokens[min(position + 1, tokens.count - 1)]
      var text = file.text(from: Int(name.start), to: Int(name.end))
      if name.isQuoted { text = String(text.dropFirst().dropLast()) }
      isInValue =
        switch sendable {
        case .none: false
        case .nested: true
        case .named(let names): names.contains(text)
        }
    }
    guard isInValue, keyword == .struct || keyword == .enum else { return false }
    if case .nested = sendable { return scopes.count > 1 }
    return true
  }

  /// Adds `Sendable` to a type's inheritance clause unless the clause already contains it.
  private mutating func stateSendable(from start: Int) {
    var position = start
    var hasClause = false
    while tokens[position].kind != .leftBrace, tokens[position].kind != .endOfFile {
      let token = tokens[position]
      if token.kind == .colon { hasClause = true }
      if token.keyword == .where { break }
      if file.text(from: Int(token.start), to: Int(token.end)) == "Sendable" { return }
      position += 1
    }
    guard position > 0 else { return }
    // Add it at the end of the list, because a raw type must come first.
    insertions.append(
      (Int(tokens[position - 1].end), (hasClause ? ", " : ": ") + sendableName))
  }

  private mutating func skipAttribute() {
    index += 2
    while tokens[index].kind == .period { index += 2 }
    if tokens[index].kind == .leftParen, tokens[index].start == tokens[index - 1].end {
      index = closing(index) + 1
    }
  }

  private mutating func skipBraces() {
    var depth = 0
    while index < tokens.count - 1 {
      if tokens[index].kind == .leftBrace { depth += 1 }
      if tokens[index].kind == .rightBrace { depth -= 1 }
      if depth == 0 { return }
      index += 1
    }
  }

  private func closing(_ start: Int) -> Int {
    var depth = 0
    var position = start
    while position < tokens.count - 1 {
      if tokens[position].kind == .leftParen { depth += 1 }
      if tokens[position].kind == .rightParen { depth -= 1 }
      if depth == 0 { return position }
      position += 1
    }
    return position
  }

  /// Returns true if `class` before this token is a modifier.
  private static func follows(_ token: Token) -> Bool {
    guard let keyword = token.keyword else { return false }
    return modifiers.contains(keyword) || [.var, .let, .func, .subscript].contains(keyword)
  }

  private static let modifiers: Set<Keyword> = [
    .public, .package, .internal, .private, .fileprivate, .open, .final, .static, .class,
    .nonisolated, .isolated, .lazy, .weak, .unowned, .override, .mutating, .nonmutating, .required,
    .convenience, .dynamic, .optional, .indirect, .consuming, .borrowing, .prefix, .postfix, .infix,
    .distributed,
  ]

  private static let types: Set<Keyword> = [.class, .struct, .enum, .protocol]

  private static let declarations: Set<Keyword> = [
    .class, .struct, .enum, .var, .let, .func, .`init`, .deinit, .subscript, .typealias, .protocol,
    .actor,
  ]
}
