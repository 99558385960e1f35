import SchemaDiagnostics
import SchemaSyntax
import SwiftSource

/// The parts of a declaration that attached macros read.
struct DeclarationSyntax {
  private let file: SourceFile
  let tokens: [Token]
  /// Unqualified attribute names.
  private(set) var attributes: [String] = []
  /// Modifiers, such as `public` and `private(set)`.
  private(set) var modifiers: [String] = []
  /// The declaration keyword, such as `class`, `var` or `init`; empty if the text is not a declaration.
  private(set) var keyword = ""
  /// The keyword's byte range.
  private(set) var keywordRange = 0..<0
  private(set) var name = ""
  /// The index of the token after the name.
  private var rest = 0

  /// - Parameter isResolved: True to omit inactive `#if` branches.
  init(_ source: String, isResolved: Bool = false) {
    let written = SwiftFile(SourceFile(path: "", text: source))
    let source = isResolved ? ConditionalCompilation.resolved(written) : written
    (file, tokens) = (source.file, source.tokens)
    var index = 0
    while index < tokens.count {
      let start = index
      switch tokens[index].kind {
      case .at:
        index = afterAttribute(index)
        attributes.append(attributeName(start))
      case .identifier where isKeyword(index):
        keyword = text(index)
        keywordRange = Int(tokens[index].start)..<Int(tokens[index].end)
        if index + 1 < tokens.count, tokens[index + 1].kind == .identifier {
          name = text(index + 1).filter { $0 != "`" }
        }
        rest = index + (name.isEmpty ? 1 : 2)
        return
      case .identifier where Self.modifierNames.contains(text(index)):
        index = afterArguments(index + 1)
        modifiers.append(text(Int(tokens[start].start)..<Int(tokens[index - 1].end)))
      default: return
      }
    }
  }

  /// The access modifier that makes members as visible as the type; `nil` if no modifier is needed.
  var memberAccess: String? {
    let level = modifiers.first { ["open", "public", "package"].contains($0) }
    return level == "open" ? "public" : level
  }

  /// True if the declaration is visible only in its own file.
  var isPrivate: Bool { modifiers.contains("private") || modifiers.contains("fileprivate") }

  // MARK: properties

  /// True for a stored instance property, which may have observers but no accessors.
  var isStoredInInstances: Bool {
    guard ["var", "let"].contains(keyword), !modifiers.contains("static"), !modifiers.contains("class"),
      !modifiers.contains("lazy")
    else { return false }
    guard let opening = accessors else { return true }
    let first = opening + 1
    return first < tokens.count && ["didSet", "willSet"].contains(text(first))
  }

  /// True for a property that is saved in a store.
  var isPersisted: Bool { isStoredInInstances && !attributes.contains("Transient") }

  /// True for a property that lives as long as its model.
  var isEphemeral: Bool {
    let option = tokens.indices.dropFirst().first { text($0) == "ephemeral" && tokens[$0 - 1].kind == .period }
    return option.map { $0 < rest } ?? false
  }

  /// The property's type as written.
  var type: String? {
    guard rest < tokens.count, tokens[rest].kind == .colon else { return nil }
    return joined(rest + 1, end: equal ?? accessors ?? tokens.count - 1)
  }

  /// The property's initial value.
  var initialValue: String? { equal.flatMap { joined($0 + 1, end: accessors ?? tokens.count - 1) } }

  /// The property's `=` token.
  private var equal: Int? { top.first { tokens[$0].kind == .equal } }

  /// The opening brace of the property's accessors. A brace in the initial value contains different words or is
  /// followed by more tokens.
  private var accessors: Int? {
    guard let last = top.last(where: { tokens[$0].kind == .leftBrace }), afterBrackets(last) >= tokens.count - 1
    else { return nil }
    guard equal != nil else { return last }
    return last + 1 < tokens.count && ["didSet", "willSet"].contains(text(last + 1)) ? last : nil
  }

  // MARK: types

  /// True for a class with a superclass.
  ///
  /// A macro cannot tell whether the name after a class's colon is a class or a protocol. However, a submodel's
  /// initializers call `super.init`, and a class with no initializers inherits them.
  var hasSuperclass: Bool {
    guard !inherited.isEmpty else { return false }
    let initializers = declarations.filter { $0.keyword == "init" && !$0.modifiers.contains("convenience") }
    return initializers.isEmpty || initializers.contains { !$0.superInitializers.isEmpty }
  }

  /// True if the class states its conformance to `PersistentModel`.
  var statesConformance: Bool { inherited.contains { $0.split(separator: " ").last == "PersistentModel" } }

  /// The words of each inherited type, without generic arguments.
  private var inherited: [String] {
    guard rest < tokens.count, tokens[rest].kind == .colon else { return [] }
    let clause = top.dropFirst().prefix { tokens[$0].kind != .leftBrace && text($0) != "where" }
    return clause.split { tokens[$0].kind == .comma }.map { type in
      type.prefix { !text($0).hasPrefix("<") }.map { text($0) }.joined(separator: " ")
    }
  }

  /// Returns true if the declaration has an initializer with exactly these labels.
  func declaresInitializer(labels: [String]) -> Bool {
    members.contains { index in
      guard text(index) == "init", index + 1 < tokens.count, tokens[index + 1].kind == .leftParen else { return false }
      return self.labels(index + 1) == labels
    }
  }

  var declaresDeinitializer: Bool { members.contains { text($0) == "deinit" } }
  /// True if the body contains `init` with no period before it, including in conditional blocks.
  var declaresInitializer: Bool {
    members.contains { text($0) == "init" && tokens[$0 - 1].kind != .period }
  }

  /// The declarations directly inside the braces.
  var declarations: [DeclarationSyntax] {
    let members = members
    var starts: [Int] = []
    for index in members where tokens[index].startsLine || starts.isEmpty || tokens[index - 1].kind == .semicolon {
      let word = tokens[index].kind == .identifier ? text(index) : ""
      let begins = tokens[index].kind == .at || Self.keywords.contains(word) || Self.modifierNames.contains(word)
      // Attributes and modifiers may be on separate lines.
      if begins, starts.last.map({ !isHeader($0..<index) }) ?? true { starts.append(index) }
    }
    let ends = starts.dropFirst() + [members.last.map { isOpening($0) ? afterBrackets($0) : $0 + 1 } ?? 0]
    return zip(starts, ends).compactMap { start, end in
      // A declaration ends at a semicolon, `#if` or a macro such as `#Index`.
      let last = members.first { index in
        start < index && index < end
          && (tokens[index].kind == .semicolon || tokens[index].startsLine && text(index).hasPrefix("#"))
      }
      return joined(start, end: last ?? end).map { DeclarationSyntax($0) }
    }
  }

  /// Returns true if the range contains only attributes and modifiers.
  private func isHeader(_ range: Range<Int>) -> Bool {
    joined(range.lowerBound, end: range.upperBound).map { DeclarationSyntax($0).keyword.isEmpty } ?? true
  }

  // MARK: bodies

  /// The bytes between a function's braces.
  var body: Range<Int>? {
    guard let opening = top.last(where: { tokens[$0].kind == .leftBrace }) else { return nil }
    let start = Int(tokens[opening].end)
    return start..<max(start, Int(tokens[afterBrackets(opening) - 1].start))
  }

  /// All calls of `super.init`, at any depth.
  var superInitializers: [Range<Int>] {
    tokens.indices.dropLast(3).compactMap { index in
      guard text(index) == "super", text(index + 2) == "init", tokens[index + 3].kind == .leftParen else { return nil }
      var end = afterBrackets(index + 3)
      // Trailing closures.
      while end < tokens.count, tokens[end].kind == .leftBrace, !tokens[end].startsLine { end = afterBrackets(end) }
      return Int(tokens[index].start)..<Int(tokens[end - 1].end)
    }
  }

  func text(_ range: Range<Int>) -> String { file.text(from: range.lowerBound, to: range.upperBound) }

  /// Returns the number of lines before a byte offset.
  func line(of offset: Int) -> Int { file.bytes[..<offset].count { $0 == 0x0A } }

  // MARK: tokens

  private static let modifierNames = """
    open public package internal fileprivate private final nonisolated isolated distributed static class override \
    required convenience lazy weak unowned mutating nonmutating dynamic indirect
    """.words
  private static let keywords = """
    class actor struct enum protocol extension var let func init deinit subscript typealias case
    """.words

  func text(_ index: Int) -> String {
    file.text(from: Int(tokens[index].start), to: Int(tokens[index].end))
  }

  private func joined(_ start: Int, end: Int) -> String? {
    start < end ? text(Int(tokens[start].start)..<Int(tokens[end - 1].end)) : nil
  }

  /// Returns true for the declaration keyword. In `class func` and `class var`, the first word is a modifier.
  private func isKeyword(_ index: Int) -> Bool {
    let word = text(index)
    guard word == "class", index + 1 < tokens.count else { return Self.keywords.contains(word) }
    return !Self.keywords.contains(text(index + 1)) && !Self.modifierNames.contains(text(index + 1))
  }

  private func afterAttribute(_ index: Int) -> Int {
    var index = index + 2
    while index + 1 < tokens.count, tokens[index].kind == .period { index += 2 }
    return min(afterArguments(index), tokens.count)
  }

  /// Returns an attribute's unqualified name.
  private func attributeName(_ start: Int) -> String {
    var index = start + 1
    while index + 2 < tokens.count, tokens[index + 1].kind == .period { index += 2 }
    return index < tokens.count ? text(index) : ""
  }

  /// Returns the index after a pair of parentheses, or the same index if there are none.
  private func afterArguments(_ index: Int) -> Int {
    guard index < tokens.count, tokens[index].kind == .leftParen else { return index }
    return afterBrackets(index)
  }

  func isOpening(_ index: Int) -> Bool { [.leftParen, .leftBracket, .leftBrace].contains(tokens[index].kind) }

  func afterBrackets(_ start: Int) -> Int {
    var open = 0
    for index in start..<tokens.count {
      switch tokens[index].kind {
      case .leftParen, .leftBracket, .leftBrace: open += 1
      case .rightParen, .rightBracket, .rightBrace: open -= 1
      default: break
      }
      if open == 0 { return index + 1 }
    }
    return tokens.count
  }

  /// The tokens after the name that are outside brackets, including opening brackets.
  private var top: [Int] { row(from: rest, end: tokens.count) }

  /// The tokens directly inside the declaration's braces.
  private var members: [Int] {
    guard let opening = top.last(where: { tokens[$0].kind == .leftBrace }) else { return [] }
    return row(from: opening + 1, end: afterBrackets(opening) - 1)
  }

  private func row(from start: Int, end: Int) -> [Int] {
    var found: [Int] = []
    var index = start
    while index < end {
      found.append(index)
      index = isOpening(index) ? afterBrackets(index) : index + 1
    }
    return found
  }

  /// Returns the parameter labels in the parentheses at an index.
  private func labels(_ start: Int) -> [String] {
    let row = row(from: start + 1, end: afterBrackets(start) - 1)
    return zip(row, [nil] + row.map(Optional.some)).filter { $1.map { tokens[$0].kind == .comma } ?? true }
      .map { text($0.0) }
  }
}
