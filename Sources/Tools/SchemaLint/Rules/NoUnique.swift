import SchemaDiagnostics
import SchemaModel

/// CKT002
struct NoUnique: EntityRule {
  static let id = DiagnosticID("CKT002", "no-unique")
  static let severity = Severity.error
  static let summary = "A model that CloudKit synchronizes has no unique constraints."
  static let why = """
    Two offline devices can create objects with the same key. CloudKit cannot reject the second object, \
    and a store with a unique constraint fails to load.
    """
  static let remedy = "Remove the constraint, and merge equal objects in the app by an attribute they share."
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
  /// Returns the edit that removes a constraint in either notation.
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
      NoUnique.id, NoUnique.severity, at: range, "\(names) cannot be unique in CloudKit",
      help: "remove the constraint, and merge equal objects in the app",
      fixIts: edit.map { [FixIt("remove the constraint", [$0])] } ?? [])
  }
}
