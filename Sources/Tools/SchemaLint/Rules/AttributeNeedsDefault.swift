import SchemaDiagnostics
import SchemaModel

/// CKT001
struct AttributeNeedsDefault: AttributeRule {
  static let id = DiagnosticID("CKT001", "attribute-needs-default")
  static let severity = Severity.error
  static let summary = "An attribute that CloudKit synchronizes is optional or has a default value."
  static let why = """
    Records come from devices with different app versions, so fields may be missing. If a required \
    attribute has no default, the store fails to load.
    """
  static let remedy = "Add a default value, or make the attribute optional."
  static let fix = FixKind.ask
  static let profile: LintProfile? = .cloudkit
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { var name: String }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip {
        var name: String = ""
        var note: String?
      }
      """#)

  func check(_ attribute: ResolvedAttribute, in context: inout LintContext) {
    guard attribute.isStored, attribute.defaultValue == nil, attribute.type == attribute.type.unwrapped
    else { return }
    let syntax = context.sources.property(attribute.range)
    let value = attribute.type.emptyValue.flatMap { value in
      syntax?.beginning(with: value).map { FixIt("add the default value '\(value)'", [$0]) }
    }
    let optional = syntax?.makingOptional.map { FixIt("make it optional", [$0]) }
    context.report(.attributeNeedsDefault(attribute, [value, optional].compactMap { $0 }))
  }
}

extension Diagnostic {
  fileprivate static func attributeNeedsDefault(_ attribute: ResolvedAttribute, _ fixIts: [FixIt]) -> Self {
    Self(
      AttributeNeedsDefault.id, AttributeNeedsDefault.severity, at: attribute.range,
      "'\(attribute.name)' is required and has no default value, which CloudKit does not support",
      help: "add a default value, or make it optional", fixIts: fixIts)
  }
}
