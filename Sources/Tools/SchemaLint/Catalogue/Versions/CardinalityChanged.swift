import SchemaDiagnostics

/// MIG061
struct CardinalityChanged: RuleDescription {
  static let id = DiagnosticID.cardinalityChanged
  static let severity = Severity.error
  static let summary =
    "If a relationship holds fewer objects or has a new destination, the migration handles existing links."
  static let why = "A single reference cannot hold all members of a list."
  static let remedy = "Read the links in a custom step, or accept the loss in the migration."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
}
