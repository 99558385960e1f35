import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

extension LintContext {
  /// The range of a property in a constraint: its key path or the option of the property.
  func place(of property: String, in unique: ResolvedUnique) -> SourceRange {
    if let constraint = sources.constraint(unique.range) {
      return constraint.keyPath(property) ?? unique.range
    }
    return place(of: unique)
  }

  /// The range of a constraint: its list or the option of the property.
  func place(of unique: ResolvedUnique) -> SourceRange {
    sources.property(unique.range)?.unique?.range ?? unique.range
  }
}
