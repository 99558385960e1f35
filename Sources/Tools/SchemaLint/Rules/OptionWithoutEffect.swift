import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// TYP024
struct OptionWithoutEffect: AttributeRule {
  static let id = DiagnosticID("TYP024", "option-without-effect")
  static let severity = Severity.info
  static let summary = "An option that has no effect here is there for SwiftData."
  static let why = """
    The options are part of SwiftData and compile, so that a model can be shared. A store of this library \
    keeps the value unencrypted, and gives it to no search index of the system.
    """
  static let remedy = """
    Remove the option unless the file is compiled with SwiftData too. Encrypt what is secret before it is \
    assigned, or keep the store on an encrypted volume.
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
    (.allowsCloudEncryption, "the store keeps the value unencrypted"),
    (.spotlight, "no search index of the system gets the value"),
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
