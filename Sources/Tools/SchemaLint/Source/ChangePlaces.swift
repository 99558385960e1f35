import SchemaDiagnostics
import SchemaDiff
import SchemaModel
import SchemaVersions

extension LintContext {
  /// Returns a change's location in the newest version's files: the declaration, the model that lost the declaration,
  /// or the version.
  func place(of change: SchemaChange) -> SourceRange {
    if let range = change.newRange { return range }
    let owner = change.subject.prefix { $0 != "." && $0 != "[" }
    return entity(String(owner))?.range ?? schema.versionRange
  }
}
