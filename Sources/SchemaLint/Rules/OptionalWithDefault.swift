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

  func check(_ attribute: ResolvedAttribute, in context: inout LintContext) {
    guard !attribute.isTransient, case .optional = attribute.type,
      let value = context.sources.property(attribute.range)?.binding.defaultValue,
      value.shape != .null
    else { return }
    context.report(.optionalWithDefault(attribute.name, value))
  }
}

extension Diagnostic {
  fileprivate static func optionalWithDefault(_ name: String, _ value: ExpressionSyntax) -> Self {
    Self(
      OptionalWithDefault.id, OptionalWithDefault.severity, at: value.range,
      "'\(name)' is optional and begins as '\(value.text)'",
      help: "drop the '?', or drop the default")
  }
}
