package import SchemaDiagnostics

/// SYN014
package struct NotFormatted: RuleDescription {
  package static let id = DiagnosticID("SYN014", "not-formatted")
  package static let severity = Severity.warning
  package static let summary = "A file matches the formatter's layout."
  package static let why = "Layout differences hide schema changes from reviewers."
  package static let remedy = "Run 'trellis format' on the file."
  package static let fix = FixKind.auto
  package static let presence = RulePresence.strict
}
