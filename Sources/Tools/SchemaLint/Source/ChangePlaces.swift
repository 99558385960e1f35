import SchemaDiagnostics
import SchemaDiff
import SchemaModel
import SchemaVersions

extension LintContext {
  /// Where a change is seen in what is edited: the declaration, the model it is gone from, or the version.
  func place(of change: SchemaChange) -> SourceRange {
    if let range = change.newRange { return range }
    let owner = change.subject.prefix { $0 != "." && $0 != "[" }
    return entity(String(owner))?.range ?? schema.versionRange
  }
}
