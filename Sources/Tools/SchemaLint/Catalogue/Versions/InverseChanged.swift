import SchemaDiagnostics

/// MIG062
struct InverseChanged: RuleDescription {
  static let id = DiagnosticID.inverseChanged
  static let severity = Severity.error
  static let summary = "A relationship keeps its inverse."
  static let why =
    "A link is visible from both sides. With a different inverse, it would have a new meaning or could not be stored."
  static let remedy = "Write a custom step, or accept the change in the migration."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
