import SchemaDiagnostics

/// SYN019
struct UnassignedProperty: RuleDescription {
  static let id = DiagnosticID.unassignedProperty
  static let severity = Severity.error
  static let summary = "An initializer of a model in a Swift file mentions every required property."
  static let why = """
    The compiler does not check it, because the macro gives the storage its first values. A property that no one assigns \
    has a value without meaning, such as 0 or an empty text.
    """
  static let remedy = "Assign the property, or give it a default value."
  static let fix = FixKind.ask
  static let presence = RulePresence.always
  /// Schema files, which examples are, have memberwise initializers.
  static let example: RuleExample? = nil
}
