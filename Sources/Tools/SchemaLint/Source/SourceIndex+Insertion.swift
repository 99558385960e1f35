import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

extension SourceIndex {
  /// The edit that inserts a first member into a model.
  func member(of entity: ResolvedEntity, _ text: String) -> TextEdit? {
    guard let node = declaration(entity.range)?.node.first(.memberBlock) else { return nil }
    let tree = node.tree
    let brace = node.firstToken
    guard brace + 1 < tree.tokens.count else { return nil }
    let end = Int(tree.tokens[brace].end)
    let place = SourceRange(file: tree.fileIndex, start: end, end: end)
    let next = tree.tokens[brace + 1]
    guard next.startsLine, next.kind != .rightBrace else { return TextEdit(place, " \(text);") }
    // Insert a line with the indentation of the next one.
    let bytes = tree.file.bytes
    var start = Int(next.start)
    while start > 0, bytes[start - 1] == 0x20 || bytes[start - 1] == 0x09 { start -= 1 }
    return TextEdit(place, "\n" + tree.file.text(from: start, to: Int(next.start)) + text)
  }
}

extension ConstraintSyntax {
  /// The edit that keeps the first key paths of the list.
  func keeping(first count: Int) -> TextEdit? {
    let kept = keyPaths.prefix(count)
    guard let last = kept.last, let end = keyPaths.last else { return nil }
    return TextEdit(SourceRange(file: last.range.file, start: last.range.end, end: end.range.end), "")
  }
}
