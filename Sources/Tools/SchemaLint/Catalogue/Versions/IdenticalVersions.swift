import SchemaDiagnostics

/// MIG004
struct IdenticalVersions: RuleDescription {
  static let id = DiagnosticID.identicalVersions
  static let severity = Severity.error
  static let summary = "Two versions that follow each other differ."
  static let why = "A store cannot tell them apart, and a plan with both of them is refused."
  static let remedy = "Change something before the version is released, or remove one of the two."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
