import SchemaDiagnostics

/// MIG033
struct CompositeShapeChanged: RuleDescription {
  static let id = DiagnosticID.compositeShapeChanged
  static let severity = Severity.error
  static let summary = "A stored struct or enum can still decode existing values."
  static let why =
    "Rows contain the values as text. If the text form changes or a field is missing, decoding fails or loses data."
  static let remedy =
    "Keep the keys with 'CodingKeys', add defaults for new fields, or fill the attributes that store the type."
  static let fix = FixKind.add
  static let presence = RulePresence.always
}
