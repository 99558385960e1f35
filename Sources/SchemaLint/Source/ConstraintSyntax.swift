import SchemaDiagnostics
import SchemaSyntax

/// One list of key paths of `#Unique` or `#Index` as it is written.
struct ConstraintSyntax: Sendable {
  let macro: AttributeSyntax
  let argument: ArgumentSyntax

  /// Where a property is named.
  func keyPath(_ property: String) -> SourceRange? {
    keyPaths.first {
      guard case .keyPath(_, let path) = $0.shape else { return false }
      return path.first == property
    }?.range
  }

  private var keyPaths: [ValueSyntax] {
    switch argument.value?.shape {
    case .array(let values): return values
    case .member(_, let arguments):
      guard case .array(let values)? = arguments.first?.value?.shape else { return [] }
      return values
    default: return []
    }
  }

  /// What to take away: the list, or the macro when it holds nothing else.
  var removalRange: SourceRange {
    let lists = macro.arguments.filter { $0.label == nil && $0.node.hasTokens }
    return lists.count > 1 ? argument.removalRange : wholeLine
  }

  /// The macro, with its line when nothing else is on it.
  private var wholeLine: SourceRange {
    var range = macro.range
    let bytes = macro.node.tree.file.bytes
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    func isBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
    while range.end < bytes.count, isSpace(bytes[range.end]) { range.end += 1 }
    if range.end < bytes.count, bytes[range.end] == UInt8(ascii: ";") {
      range.end += 1
      while range.end < bytes.count, isSpace(bytes[range.end]) { range.end += 1 }
    }
    guard range.end == bytes.count || isBreak(bytes[range.end]) else { return range }
    var start = range.start
    while start > 0, isSpace(bytes[start - 1]) { start -= 1 }
    guard start == 0 || isBreak(bytes[start - 1]) else { return range }
    range.start = start
    if range.end < bytes.count {
      let isPair = bytes[range.end...].starts(with: [0x0D, 0x0A])
      range.end += isPair ? 2 : 1
    }
    return range
  }
}
