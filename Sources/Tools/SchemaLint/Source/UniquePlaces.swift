import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

extension LintContext {
  /// Returns a property's range in a constraint: the key path or the property option.
  func place(of property: String, in unique: ResolvedUnique) -> SourceRange {
    if let constraint = sources.constraint(unique.range) {
      return constraint.keyPath(property) ?? unique.range
    }
    return place(of: unique)
  }

  /// Returns a constraint's range: the list or the property option.
  func place(of unique: ResolvedUnique) -> SourceRange {
    sources.property(unique.range)?.unique?.range ?? unique.range
  }
}
