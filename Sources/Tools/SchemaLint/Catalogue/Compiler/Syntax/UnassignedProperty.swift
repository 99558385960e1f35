import SchemaDiagnostics

/// SYN019
struct UnassignedProperty: RuleDescription {
  static let id = DiagnosticID.unassignedProperty
  static let severity = Severity.error
  static let summary = "A model initializer in a Swift file mentions every required property."
  static let why = """
    The compiler does not check this, because the macro initializes the storage. An unassigned property has \
    a meaningless value, such as 0 or an empty string.
    """
  static let remedy = "Assign the property, or give it a default value."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
  /// Examples are schema files, which have memberwise initializers.
  static let example: RuleExample? = nil
}
