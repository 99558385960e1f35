import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// TYP006
struct OptionalWithDefault: AttributeRule {
  static let id = DiagnosticID("TYP006", "optional-with-default")
  static let severity = Severity.info
  static let summary = "An optional attribute's only default value is nil."
  static let why = """
    A row that was never assigned a value looks like a row that was assigned the default, and nil is a \
    third state that is easily overlooked.
    """
  static let remedy = "Remove the '?', or remove the default."
  static let fix = FixKind.ask
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Trips 1.0.0
      @Model class Trip { var title: String? = "new" }
      """#,
    good: #"""
      schema Trips 1.0.0
      @Model class Trip { var title: String = "new"; var note: String? }
      """#)

  func check(_ attribute: ResolvedAttribute, in context: inout LintContext) {
    guard !attribute.isTransient, case .optional = attribute.type,
      let property = context.sources.property(attribute.range), let value = property.binding.defaultValue,
      value.shape != .null
    else { return }
    context.report(
      .optionalWithDefault(
        attribute.name, value,
        context.choice("remove the '?'", property.makingRequired)
          + context.choice("remove the default", property.removingDefault)))
  }
}

extension Diagnostic {
  fileprivate static func optionalWithDefault(
    _ name: String, _ value: ExpressionSyntax, _ choices: [FixIt]
  ) -> Self {
    Self(
      OptionalWithDefault.id, OptionalWithDefault.severity, at: value.range,
      "'\(name)' is optional and has the default value '\(value.text)'",
      help: "remove the '?', or remove the default", fixIts: choices)
  }
}
