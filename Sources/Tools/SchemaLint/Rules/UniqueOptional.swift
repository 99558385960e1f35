import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// UNQ001
struct UniqueOptional: EntityRule {
  static let id = DiagnosticID("UNQ001", "unique-optional")
  static let severity = Severity.info
  static let summary = "A unique property is required."
  static let why = """
    Two rows with null values do not conflict in a store, although they are equal in Swift. The declaration \
    does not show whether duplicate nil values are intended.
    """
  static let remedy = "Make the attribute required, or make a different attribute unique."
  static let fix = FixKind.ask
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Trips 1.0.0
      @Model class Trip { @Attribute(.unique) var code: String? }
      """#,
    good: #"""
      schema Trips 1.0.0
      @Model class Trip { @Attribute(.unique) var code: String }
      """#)

  func check(_ entity: ResolvedEntity, in context: inout LintContext) {
    for unique in entity.uniques {
      for name in unique.properties.prefix(LintContext.compared) {
        guard let attribute = context.attribute(name, of: entity),
          case .optional = attribute.type
        else { continue }
        let property = context.sources.property(attribute.range)
        let isNil = property?.binding.defaultValue?.shape == .null
        let choices =
          isNil
          ? context.choice("make '\(name)' required", property?.makingRequired, property?.removingDefault)
          : context.choice("make '\(name)' required", property?.makingRequired)
        context.report(.uniqueOptional(name, context.place(of: name, in: unique), choices))
      }
    }
  }
}

extension Diagnostic {
  fileprivate static func uniqueOptional(
    _ name: String, _ range: SourceRange, _ choices: [FixIt]
  ) -> Self {
    Self(
      UniqueOptional.id, UniqueOptional.severity, at: range,
      "'\(name)' is unique and optional: objects with a nil value never conflict",
      help: "make it required, or make a different attribute unique", fixIts: choices)
  }
}
