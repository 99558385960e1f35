import SchemaDiagnostics

/// NAM002
struct PropertyLowerCamel: NameRule {
  static let id = DiagnosticID("NAM002", "property-lower-camel")
  static let severity = Severity.warning
  static let summary = "The name of a property or an enum case is in lowerCamelCase."
  static let why = """
    The name becomes a Swift member. Written like a type it cannot be told from one at the place \
    of use.
    """
  static let remedy = """
    Rename the member. Stored values are kept when the old name is stated: 'originalName:' of a \
    property, the raw value of a case. 'trellis rename' does both for properties, everywhere.
    """
  static let fix = FixKind.ask
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Trips 1.0.0
      @Model class Trip { var Start_Date: Date }
      """#,
    good: #"""
      schema Trips 1.0.0
      @Model class Trip { @Attribute(originalName: "Start_Date") var startDate: Date }
      """#)

  func check(_ name: DeclaredName, in context: inout LintContext) {
    switch name.kind {
    case .attribute, .relationship, .enumCase: break
    // Names of struct fields are keys of an encoded form that another system can define.
    case .entity, .enumeration, .structure, .field: return
    }
    guard !CamelCase.isLower(name.text) else { return }
    context.report(.notLowerCamel(name, better: CamelCase.lower(name.text)))
  }
}

extension Diagnostic {
  fileprivate static func notLowerCamel(_ name: DeclaredName, better: String?) -> Self {
    let keep =
      switch name.kind {
      case .attribute(isTransient: false): " and write '@Attribute(originalName: \"\(name.text)\")'"
      case .relationship: " and write '@Relationship(originalName: \"\(name.text)\")'"
      case .enumCase(keepsName: true): " and give it the raw value \"\(name.text)\""
      case .attribute(isTransient: true), .enumCase(keepsName: false), .entity, .enumeration,
        .structure, .field:
        ""
      }
    return Self(
      PropertyLowerCamel.id, PropertyLowerCamel.severity, at: name.range,
      "the name of '\(name.owner ?? "").\(name.text)' is not in lowerCamelCase",
      help: better.map { "rename it to '\($0)'\(keep)" })
  }
}
