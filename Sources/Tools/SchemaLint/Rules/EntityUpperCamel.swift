import SchemaDiagnostics

/// NAM001
struct EntityUpperCamel: NameRule {
  static let id = DiagnosticID("NAM001", "entity-upper-camel")
  static let severity = Severity.warning
  static let summary = "Model, enum and struct names are in UpperCamelCase."
  static let why = """
    The name becomes a Swift type. A lowercase name reads as a member in every expression, and tools that \
    process the type assume Swift's convention.
    """
  static let remedy = """
    Rename the type. A released model keeps its rows if the old name is declared with \
    '@Model(originalName:)'; 'trellis rename' does both everywhere.
    """
  static let fix = FixKind.ask
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Trips 1.0.0
      @Model class business_trip { var name: String }
      """#,
    good: #"""
      schema Trips 1.0.0
      @Model(originalName: "business_trip")
      class BusinessTrip { var name: String }
      """#)

  func check(_ name: DeclaredName, in context: inout LintContext) {
    switch name.kind {
    case .entity, .enumeration, .structure: break
    case .attribute, .relationship, .enumCase, .field: return
    }
    guard !CamelCase.isUpper(name.text) else { return }
    context.report(.notUpperCamel(name, better: CamelCase.upper(name.text)))
  }
}

extension Diagnostic {
  fileprivate static func notUpperCamel(_ name: DeclaredName, better: String?) -> Self {
    let keep = name.kind == .entity ? " and write '@Model(originalName: \"\(name.text)\")'" : ""
    return Self(
      EntityUpperCamel.id, EntityUpperCamel.severity, at: name.range,
      "type name '\(name.text)' is not in UpperCamelCase",
      help: better.map { "rename it to '\($0)'\(keep)" })
  }
}
