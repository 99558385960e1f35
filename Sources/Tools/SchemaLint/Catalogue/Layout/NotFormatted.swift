package import SchemaDiagnostics

/// SYN014
package struct NotFormatted: RuleDescription {
  package static let id = DiagnosticID("SYN014", "not-formatted")
  package static let severity = Severity.warning
  package static let summary = "A file is laid out as the formatter lays it out."
  package static let why = "Differences of layout hide differences of the schema from those who review them."
  package static let remedy = "Run 'trellis format' on the file."
  package static let fix = FixKind.auto
  package static let presence = RulePresence.strict
}
