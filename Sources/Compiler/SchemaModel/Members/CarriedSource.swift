import SchemaDiagnostics
import SchemaSyntax

/// Extracts Swift text from a file, together with the source location.
struct CarriedSource {
  let tree: SyntaxTree
  let lines: LineTable
  /// Index into the schema's files, not the compilation's.
  let file: Int

  /// True for a Swift file.
  var isSwift: Bool { tree.file.isSwift }

  func text(_ range: SourceRange) -> SwiftText {
    SwiftText(
      tree.file.text(from: range.start, to: range.end), file: file,
      line: lines.line(at: range.start))
  }

  /// Returns a member with its documentation. Schema-only attributes are replaced by spaces, so that line and column
  /// numbers are preserved.
  func member(_ declaration: DeclarationSyntax) -> SwiftText {
    let documentation = declaration.documentation
    var range = declaration.node.range
    let schemaOnly = declaration.attributes.filter { EntityReader.attributeNames.contains($0.name) }
    if documentation.start == nil, let first = schemaOnly.first, schemaOnly.count == 1,
      first.range.start == range.start
    {
      range.start = nextToken(behind: first)
      return text(range)
    }
    if let start = documentation.start { range.start = start }
    var carried = text(range)
    guard !schemaOnly.isEmpty else { return carried }
    var bytes = Array(carried.text.utf8)
    for attribute in schemaOnly {
      for offset in attribute.range.start..<attribute.range.end {
        let index = offset - range.start
        if bytes.indices.contains(index), bytes[index] != 0x0A { bytes[index] = 0x20 }
      }
    }
    carried.text = String(decoding: bytes, as: UTF8.self)
    return carried
  }

  private func nextToken(behind attribute: AttributeSyntax) -> Int {
    Int(tree.tokens[min(attribute.node.tokenEnd, tree.tokens.count - 1)].start)
  }

  func expression(_ expression: ExpressionSyntax) -> SwiftText { text(expression.range) }
}

extension AccessLevel {
  init?(_ keyword: Keyword?) {
    switch keyword {
    case .private: self = .private
    case .fileprivate: self = .fileprivate
    case .internal: self = .internal
    case .package: self = .package
    case .public: self = .public
    case .open: self = .open
    default: return nil
    }
  }
}

extension DeclarationSyntax {
  /// Returns the name, qualified with the enclosing type's name.
  func name(inside owner: String?) -> String {
    let name = name ?? ""
    return owner.map { "\($0).\(name)" } ?? name
  }

  var access: AccessLevel? {
    modifiers.lazy.filter { $0.detail == nil }.compactMap { AccessLevel($0.keyword) }.first
  }

  var setterAccess: AccessLevel? {
    modifiers.lazy.filter { $0.detail == "set" }.compactMap { AccessLevel($0.keyword) }.first
  }
}
