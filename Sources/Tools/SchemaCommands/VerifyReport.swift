import SchemaDiagnostics
import SchemaLint
import SchemaModel
import SchemaVersions

/// The `trellis verify` findings for a schema, as JSON.
struct VerifyReport: Encodable {
  struct Summary: Encodable {
    var hops: Int
    var error: Int
    var warning: Int
    var info: Int
  }

  /// The format version. Increase it for incompatible changes.
  var schemaVersion = 1
  var name: String
  /// The versions, oldest first, ending with the head.
  var versions: [String]
  var released: [String]
  var findings: [LintReport.Finding]
  var summary: Summary

  init(_ history: SchemaHistory, _ diagnostics: [Diagnostic], files: [SourceFile]) {
    name = history.head.name
    versions = history.versions.map(\.version.description)
    released = history.frozen.map(\.version.description)
    findings = LintReport.findings(diagnostics, files: files)
    summary = Summary(
      hops: history.stages.count, error: diagnostics.count { $0.severity == .error },
      warning: diagnostics.count { $0.severity == .warning },
      info: diagnostics.count { $0.severity == .info })
  }
}
