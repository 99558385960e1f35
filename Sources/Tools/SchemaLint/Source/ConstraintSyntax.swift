import SchemaDiagnostics
import SchemaSyntax

/// A list of key paths in `#Unique` or `#Index`.
struct ConstraintSyntax: Sendable {
  let macro: AttributeSyntax
  let argument: ArgumentSyntax
  /// True if the macro contains a single list.
  let isAlone: Bool

  /// Returns the range of a property's key path.
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

  /// The range to remove: the list, or the whole macro if it contains a single list.
  var removalRange: SourceRange {
    isAlone ? macro.node.tree.wholeLine(macro.range) : argument.removalRange
  }
}
