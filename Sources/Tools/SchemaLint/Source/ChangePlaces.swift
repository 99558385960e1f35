import SchemaDiagnostics
import SchemaDiff
import SchemaModel
import SchemaVersions

extension LintContext {
  /// Returns a change's location in the head files: the declaration, the model that lost it, or the version.
  func place(of change: SchemaChange) -> SourceRange {
    if let range = change.newRange { return range }
    let owner = change.subject.prefix { $0 != "." && $0 != "[" }
    return entity(String(owner))?.range ?? schema.versionRange
  }
}
