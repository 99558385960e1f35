import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// Small edits to schema files that preserve all other bytes.
enum SchemaEdits {
  /// Returns true if the file declares a version.
  static func hasVersion(_ tree: SyntaxTree) -> Bool { version(in: tree) != nil }

  /// Returns the source range of the version number.
  static func version(in tree: SyntaxTree) -> SourceRange? {
    for node in tree.root.children where node.kind == .schemaLine {
      guard node.firstToken + 2 < node.tokenEnd else { continue }
      return tree.range(ofToken: node.firstToken + 2).union(tree.range(ofToken: node.tokenEnd - 1))
    }
    return nil
  }

  /// Returns the file's first line break, which determines the style of inserted line breaks.
  static func lineBreak(_ file: SourceFile) -> String {
    guard let index = file.bytes.firstIndex(of: 0x0A) else { return "\n" }
    return index > 0 && file.bytes[index - 1] == 0x0D ? "\r\n" : "\n"
  }

  /// Adds lines to the block `migration from <version>`. Appends the block to the file if it is missing.
  static func addSteps(
    _ steps: [String], from version: SchemaVersion, in tree: SyntaxTree
  ) -> TextEdit {
    let file = tree.file
    let lineBreak = lineBreak(file)
    if let block = block(from: version, in: tree) { return insert(steps, into: block, lineBreak) }
    let body = steps.map { "    \($0)\(lineBreak)" }.joined()
    let text = "migration from \(version) {\(lineBreak)\(body)}"
    let end = SourceRange(file: tree.fileIndex, start: file.bytes.count, end: file.bytes.count)
    let endsLine = file.bytes.last == 0x0A || file.bytes.isEmpty
    let gap = file.bytes.isEmpty ? "" : endsLine ? lineBreak : lineBreak + lineBreak
    return TextEdit(end, gap + text + (endsLine ? lineBreak : ""))
  }

  static func migrations(in tree: SyntaxTree) -> [(node: SyntaxNode, from: SchemaVersion)] {
    tree.root.children.compactMap { node in
      guard node.kind == .migration, node.firstToken + 2 < node.tokenEnd,
        let version = SchemaVersion(tree.text(ofToken: node.firstToken + 2))
      else { return nil }
      return (node, version)
    }
  }

  /// Returns the range of a declaration. The range includes the preceding empty line if the declaration's lines contain
  /// nothing else.
  static func lines(of node: SyntaxNode) -> SourceRange {
    let bytes = node.tree.file.bytes
    var range = node.range
    while range.end < bytes.count, bytes[range.end] == 0x20 || bytes[range.end] == 0x09 { range.end += 1 }
    if range.end < bytes.count, bytes[range.end] == 0x0D { range.end += 1 }
    if range.end < bytes.count {
      guard bytes[range.end] == 0x0A else { return node.range }
      range.end += 1
    }
    while range.start > 0, bytes[range.start - 1] == 0x20 || bytes[range.start - 1] == 0x09 { range.start -= 1 }
    guard range.start == 0 || bytes[range.start - 1] == 0x0A else { return node.range }
    // Include the line break of an empty line.
    let breakLength = lineBreak(node.tree.file).utf8.count
    let before = range.start - breakLength
    if before > 0, bytes[before - 1] == 0x0A { range.start = before }
    return range
  }

  static func block(from version: SchemaVersion, in tree: SyntaxTree) -> SyntaxNode? {
    for node in tree.root.children where node.kind == .migration {
      let token = node.firstToken + 2
      guard token < node.tokenEnd, SchemaVersion(tree.text(ofToken: token)) == version,
        let block = node.first(.memberBlock), tree.tokens[block.tokenEnd - 1].kind == .rightBrace
      else { continue }
      return block
    }
    return nil
  }

  /// Returns the range of a step that is commented out, from the slashes to the end of the line.
  static func suggestion(_ step: String, from version: SchemaVersion, in tree: SyntaxTree) -> SourceRange? {
    guard let block = block(from: version, in: tree) else { return nil }
    let bytes = tree.file.bytes
    var start = block.range.start
    while start < block.range.end {
      let end = bytes[start..<block.range.end].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? block.range.end
      let indentation = bytes[start..<end].prefix { $0 == 0x20 || $0 == 0x09 }.count
      let text = tree.file.text(from: start + indentation, to: end)
      if text.hasPrefix("// " + step) { return SourceRange(file: tree.fileIndex, start: start + indentation, end: end) }
      start = end + 1
    }
    return nil
  }

  /// Returns true if the block contains the comment line, which begins with two slashes and a space.
  static func hasComment(_ line: String, from version: SchemaVersion, in tree: SyntaxTree) -> Bool {
    line.hasPrefix("// ") && suggestion(String(line.dropFirst(3)), from: version, in: tree) != nil
  }

  /// Inserts steps before the closing brace, indented like the existing steps.
  private static func insert(_ steps: [String], into block: SyntaxNode, _ lineBreak: String) -> TextEdit {
    let tree = block.tree
    let bytes = tree.file.bytes
    let brace = Int(tree.tokens[block.tokenEnd - 1].start)
    // The parser treats steps as text, so the first token's trivia contains the indentation.
    let first = block.firstToken + 1
    var indentation = "    "
    if first < block.tokenEnd - 1, tree.tokens[first].startsLine {
      indentation = space(before: Int(tree.tokens[first].start), bytes)
    }
    var start = brace
    while start > 0, bytes[start - 1] == 0x20 || bytes[start - 1] == 0x09 { start -= 1 }
    let isOnItsLine = start > 0 && bytes[start - 1] == 0x0A
    let body = steps.map { "\(indentation)\($0)\(lineBreak)" }.joined()
    let place = SourceRange(file: tree.fileIndex, start: start, end: isOnItsLine ? start : brace)
    return TextEdit(place, isOnItsLine ? body : lineBreak + body)
  }

  private static func space(before offset: Int, _ bytes: [UInt8]) -> String {
    var start = offset
    while start > 0, bytes[start - 1] == 0x20 || bytes[start - 1] == 0x09 { start -= 1 }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  /// Returns the Swift string literal for a string.
  static func literal(_ text: String) -> String {
    guard text.contains(where: { $0 == "\"" || $0 == "\\" }) else { return "\"\(text)\"" }
    var marks = "#"
    while text.contains("\"" + marks) { marks += "#" }
    return "\(marks)\"\(text)\"\(marks)"
  }
}
