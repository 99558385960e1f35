import SchemaDiagnostics
import SchemaSyntax

/// The `import` lines in a Swift file.
enum SwiftImports {
  /// The modules that generated code always imports.
  private static let known: Set<String> = ["Foundation", "SwiftData", "Trellis"]

  static func find(_ file: SwiftFile) -> [(text: String, offset: Int)] {
    var found: [(text: String, offset: Int)] = []
    var depth = 0
    for (index, token) in file.tokens.enumerated() {
      switch token.kind {
      case .leftBrace: depth += 1
      case .rightBrace: depth -= 1
      case .identifier where depth == 0 && token.keyword == .import: break
      default: continue
      }
      guard token.kind == .identifier, index + 1 < file.tokens.count, !file.tokens[index + 1].startsLine
      else { continue }
      var end = index + 1
      while end + 1 < file.tokens.count, !file.tokens[end + 1].startsLine, file.tokens[end + 1].kind != .semicolon,
        file.tokens[end + 1].kind != .endOfFile
      {
        end += 1
      }
      guard !known.contains(file.name(end)), file.tokens[end].kind == .identifier else { continue }
      let text = file.file.text(from: Int(token.start), to: Int(file.tokens[end].end))
      found.append((text, Int(token.start)))
    }
    return found
  }
}
