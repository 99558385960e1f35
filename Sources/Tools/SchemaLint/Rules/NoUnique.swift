import SchemaDiagnostics
import SchemaModel

/// CKT002
struct NoUnique: EntityRule {
  static let id = DiagnosticID("CKT002", "no-unique")
  static let severity = Severity.error
  static let summary = "Nothing that CloudKit synchronises is unique."
  static let why = """
    Two devices that do not see each other can both make the object. CloudKit has no means to refuse the \
    second one, and a store with a unique constraint is refused when it is loaded.
    """
  static let remedy = """
    Take the constraint away and join equal objects in the program, by an attribute that all of them have.
    """
  static let fix = FixKind.ask
  static let profile: LintProfile? = .cloudkit
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { @Attribute(.unique) var code: String = "" }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip { var code: String = "" }
      """#)

  func check(_ entity: ResolvedEntity, in context: inout LintContext) {
    for unique in entity.uniques {
      context.report(.noUnique(unique, context.place(of: unique), context.removal(of: unique)))
    }
  }
}

extension LintContext {
  /// The edit that removes a constraint of either notation.
  fileprivate func removal(of unique: ResolvedUnique) -> TextEdit? {
    if let constraint = sources.constraint(unique.range) { return TextEdit(constraint.removalRange, "") }
    let property = sources.property(unique.range)
    return property?.option("unique", of: "Relationship") == nil
      ? property?.removingUnique : property?.removing("unique", of: "Relationship")
  }
}

extension Diagnostic {
  fileprivate static func noUnique(
    _ unique: ResolvedUnique, _ range: SourceRange, _ edit: TextEdit?
  ) -> Self {
    let names = unique.properties.map { "'\($0)'" }.joined(separator: ", ")
    return Self(
      NoUnique.id, NoUnique.severity, at: range, "CloudKit does not know that \(names) is unique",
      help: "take the constraint away, and join equal objects in the program",
      fixIts: edit.map { [FixIt("take the constraint away", [$0])] } ?? [])
  }
}
