import SchemaDiagnostics
import SchemaSyntax

extension SwiftTypes {
  enum StaticMember {
    /// A property or function result, with the name of the declaring type.
    case declared(BindingSyntax, owner: String)
    case enumCase
    /// The member's type is unknown, for example because the value spans several lines and no type is stated, or
    /// because a different module declares the member.
    case unreadable
  }

  /// Returns a type's static member, or `nil` if the type is from a different module or if a model does not declare the
  /// member.
  func staticMember(_ member: String, of name: [String], in scopes: [String], depth: Int = 0) -> StaticMember? {
    let path: [String]
    var unknown: StaticMember? = .unreadable
    switch meaning(of: name, in: scopes) {
    case .rawEnum(let type): path = type.path
    case .other(let type): path = type
    case .model(let type): (path, unknown) = (type, nil)
    case .alias(let target, let scopes):
      guard case .named(let parts, let arguments) = target.shape, arguments.isEmpty, depth < 8 else { return nil }
      return staticMember(member, of: parts, in: scopes, depth: depth + 1)
    case nil: return nil
    }
    for declaration in declarations(of: path) {
      let file = files[declaration.file]
      guard let (keyword, name) = file.member(member, in: declaration.bodyTokens) else { continue }
      switch file.text(keyword) {
      case "case": return .enumCase
      case "func":
        guard let type = file.result(ofFunction: name) else { return .unreadable }
        return Self.property("value: \(type)").map { .declared($0, owner: path.last ?? "") } ?? .unreadable
      default:
        return Self.property(file.declaration(at: name)).map { .declared($0, owner: path.last ?? "") } ?? .unreadable
      }
    }
    return unknown
  }
}

extension SwiftFile {
  /// Returns the keyword and name tokens of a static member or case.
  fileprivate func member(_ member: String, in body: Range<Int>) -> (keyword: Int, name: Int)? {
    var index = body.lowerBound
    var keyword: Int?
    while index < body.upperBound {
      let text = text(index)
      if [.leftBrace, .leftParen, .leftBracket].contains(tokens[index].kind) {
        index = closing(index) ?? body.upperBound
      } else if ["let", "var", "func", "case", "init", "subscript"].contains(text) {
        keyword = index
      } else if let keyword, name(index) == member, index == keyword + 1 || tokens[index - 1].kind == .comma,
        self.text(keyword) == "case" || isStatic(keyword)
      {
        return (keyword, index)
      }
      index += 1
    }
    return nil
  }

  /// True if the keyword has a `static` or `class` modifier.
  private func isStatic(_ keyword: Int) -> Bool {
    var index = keyword - 1
    while index >= 0 {
      if tokens[index].kind == .rightParen, index > 2 { index -= 3 }
      let text = text(index)
      if text == "static" || text == "class" { return true }
      guard Self.modifiers.contains(text) else { return false }
      index -= 1
    }
    return false
  }

  private static let modifiers = "public package internal private fileprivate open final nonisolated override".words

  /// Returns a function's result type.
  fileprivate func result(ofFunction name: Int) -> String? {
    guard tokens[name + 1].kind == .leftParen, let arrow = closing(name + 1).map({ $0 + 1 }), text(arrow) == "->" else {
      return nil
    }
    var end = arrow
    while continuesDeclaration(end + 1), tokens[end + 1].kind != .leftBrace { end += 1 }
    return end > arrow ? file.text(from: Int(tokens[arrow + 1].start), to: Int(tokens[end].end)) : nil
  }

  /// True for a token that belongs to the preceding declaration.
  private func continuesDeclaration(_ index: Int) -> Bool {
    index < tokens.count && !tokens[index].startsLine && ![.endOfFile, .semicolon].contains(tokens[index].kind)
  }

  /// Returns a property's source from its name to the end of the line, excluding accessors and, if a type is
  /// stated, the value.
  fileprivate func declaration(at name: Int) -> String {
    var end = name
    var hasValue = false
    let hasType = name + 1 < tokens.count && tokens[name + 1].kind == .colon
    while continuesDeclaration(end + 1), tokens[end + 1].kind != .rightBrace,
      hasValue || tokens[end + 1].kind != .leftBrace, !hasType || tokens[end + 1].kind != .equal
    {
      end += 1
      if tokens[end].kind == .equal { hasValue = true }
    }
    return file.text(from: Int(tokens[name].start), to: Int(tokens[end].end))
  }
}
