import SchemaDiagnostics
import SchemaSyntax

/// One list of key paths of `#Unique` or `#Index` as it is written.
struct ConstraintSyntax: Sendable {
  let macro: AttributeSyntax
  let argument: ArgumentSyntax
  /// Whether the macro holds no other list.
  let isAlone: Bool

  /// Where a property is named.
  func keyPath(_ property: String) -> SourceRange? {
    keyPaths.first {
      guard case .keyPath(_, let path) = $0.shape else { return false }
      return path.first == property
    }?.range
  }

  var keyPaths: [ValueSyntax] {
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
    isAlone ? macro.node.tree.wholeLine(macro.range) : argument.removalRange
  }
}
