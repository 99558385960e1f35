import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// TYP024
struct OptionWithoutEffect: AttributeRule {
  static let id = DiagnosticID("TYP024", "option-without-effect")
  static let severity = Severity.info
  static let summary = "Options that only affect SwiftData are used intentionally."
  static let why = """
    The options are part of SwiftData and compile, so that a model can be shared. Trellis stores the value \
    unencrypted and does not add it to the system search index.
    """
  static let remedy = """
    Remove the option unless the file is also compiled with SwiftData. Encrypt secret values before \
    assignment, or keep the store on an encrypted volume.
    """
  static let fix = FixKind.ask
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Person { @Attribute(.allowsCloudEncryption) var phone: String }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Person { var phone: String }
      """#)

  private static let effects: [(option: AttributeOption, text: String)] = [
    (.allowsCloudEncryption, "the value is stored unencrypted"),
    (.spotlight, "the value is not added to the system search index"),
  ]

  func check(_ attribute: ResolvedAttribute, in context: inout LintContext) {
    for (option, text) in Self.effects where attribute.options.contains(option) {
      let syntax = context.sources.property(attribute.range)
      let choices = context.choice("remove '.\(option)'", syntax?.removing(option.rawValue, of: "Attribute"))
      let range = syntax?.option(option.rawValue, of: "Attribute")?.range ?? attribute.range
      context.report(.withoutEffect(option, text, range, choices))
    }
  }
}

extension Diagnostic {
  fileprivate static func withoutEffect(
    _ option: AttributeOption, _ text: String, _ range: SourceRange, _ choices: [FixIt]
  ) -> Self {
    Self(
      OptionWithoutEffect.id, OptionWithoutEffect.severity, at: range, "'.\(option)' has no effect: \(text)",
      fixIts: choices)
  }
}
