import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// TYP006
struct OptionalWithDefault: AttributeRule {
  static let id = DiagnosticID("TYP006", "optional-with-default")
  static let severity = Severity.info
  static let summary = "An optional attribute has no default value but nil."
  static let why = """
    A row that was never given a value looks like one that was given the default, and nil means a \
    third thing. Few readers of the model will tell the three apart.
    """
  static let remedy = "Drop the '?', or drop the default."
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
        context.choice("drop the '?'", property.makingRequired)
          + context.choice("drop the default", property.removingDefault)))
  }
}

extension Diagnostic {
  fileprivate static func optionalWithDefault(
    _ name: String, _ value: ExpressionSyntax, _ choices: [FixIt]
  ) -> Self {
    Self(
      OptionalWithDefault.id, OptionalWithDefault.severity, at: value.range,
      "'\(name)' is optional and begins as '\(value.text)'",
      help: "drop the '?', or drop the default", fixIts: choices)
  }
}
