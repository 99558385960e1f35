import SchemaDiagnostics

/// MIG033
struct CompositeShapeChanged: RuleDescription {
  static let id = DiagnosticID.compositeShapeChanged
  static let severity = Severity.error
  static let summary = "A stored struct or enum can still be read from what was written."
  static let why = """
    Its values are text in the rows. What has another form, or lost a field, does not decode, or \
    decodes to less.
    """
  static let remedy = """
    Keep the keys by 'CodingKeys', give new fields a default, or fill the attributes that have \
    it.
    """
  static let fix = FixKind.add
  static let presence = RulePresence.always
}
