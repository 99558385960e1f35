import SchemaDiagnostics
import SchemaModel

/// UNQ002
struct UniqueOnUnstableType: EntityRule {
  static let id = DiagnosticID("UNQ002", "unique-on-unstable-type")
  static let severity = Severity.warning
  static let summary = "A unique value is exact and small."
  static let why = """
    Computed fractions are rounded, so two results that should be equal can differ in the last digit. \
    Document and picture data is duplicated in the index. Data is assumed to be short if the name suggests \
    a digest or an identifier.
    """
  static let remedy = "Make an identifier, a string or an integer unique instead."
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Trips 1.0.0
      @Model class Trip { @Attribute(.unique) var price: Double }
      """#,
    good: #"""
      schema Trips 1.0.0
      @Model class Trip { @Attribute(.unique) var number: Int; var price: Double }
      """#)

  func check(_ entity: ResolvedEntity, in context: inout LintContext) {
    for unique in entity.uniques {
      for name in unique.properties.prefix(LintContext.compared) {
        guard let attribute = context.attribute(name, of: entity),
          let reason = Self.reason(attribute.type, LargeInlineData.isSmall(name, in: context))
        else { continue }
        context.report(.uniqueOnUnstable(name, reason, context.place(of: name, in: unique)))
      }
    }
  }

  private static func reason(_ type: ValueType, _ isSmall: Bool) -> String? {
    switch type {
    case .optional(let wrapped): return reason(wrapped, isSmall)
    case .scalar(.data): return isSmall ? nil : "'Data' can be large"
    case .scalar(let scalar): return scalar.traits.isRounded ? "'\(scalar.rawValue)' is rounded" : nil
    case .enumeration, .structure, .opaque, .array, .set, .dictionary: return nil
    }
  }
}

extension Diagnostic {
  fileprivate static func uniqueOnUnstable(
    _ name: String, _ reason: String, _ range: SourceRange
  ) -> Self {
    Self(
      UniqueOnUnstableType.id, UniqueOnUnstableType.severity, at: range,
      "'\(name)' is unique, but \(reason)",
      help: "make an identifier, a string or an integer unique instead")
  }
}
