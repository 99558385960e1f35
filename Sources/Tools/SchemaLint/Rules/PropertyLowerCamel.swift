import SchemaDiagnostics

/// NAM002
struct PropertyLowerCamel: NameRule {
  static let id = DiagnosticID("NAM002", "property-lower-camel")
  static let severity = Severity.warning
  static let summary = "Property and enum case names are in lowerCamelCase."
  static let why =
    "The name becomes a Swift member. In UpperCamelCase, it cannot be distinguished from a type where it is used."
  static let remedy = """
    Rename the member. Stored values are kept if the old name is declared: as 'originalName:' for a \
    property, or as the raw value for a case. 'trellis rename' renames properties everywhere and records the \
    old name.
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
    // Struct field names are keys in an encoded form that an external system may define.
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
      "'\(name.owner ?? "").\(name.text)' is not in lowerCamelCase",
      help: better.map { "rename it to '\($0)'\(keep)" })
  }
}
