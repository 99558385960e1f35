import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

extension LintContext {
  /// Where a constraint names a property: its key path, or the option of the property itself.
  func place(of property: String, in unique: ResolvedUnique) -> SourceRange {
    if let constraint = sources.constraint(unique.range) {
      return constraint.keyPath(property) ?? unique.range
    }
    return place(of: unique)
  }

  /// Where a constraint is written: its list, or the option of the property itself.
  func place(of unique: ResolvedUnique) -> SourceRange {
    sources.property(unique.range)?.unique?.range ?? unique.range
  }
}
