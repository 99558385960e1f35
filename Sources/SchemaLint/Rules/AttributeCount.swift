import SchemaDiagnostics
import SchemaModel

/// TYP021
struct AttributeCount: EntityRule {
  static let id = DiagnosticID("TYP021", "attribute-count")
  static let severity = Severity.info
  static let summary = "A model has no more attributes than anybody can keep in mind."
  static let why = """
    Each fetch reads all of them and each update writes the row as a whole. Mostly some belong together \
    and are looked at together: a struct, or a model of their own.
    """
  static let remedy = "Group attributes in a Codable struct, or move them to a model with a relationship."
  static let presence = RulePresence.strict
  static let options = [RuleOption("limit", .integer(60), "The most attributes a model has, inherited ones included.")]

  func check(_ entity: ResolvedEntity, in context: inout LintContext) {
    let limit = context.number("limit", of: Self.self)
    let counts = context.lineage(of: entity).map(Self.count)
    let count = counts.reduce(0, +)
    // Where an ancestor has too many already, it is said there.
    guard count > limit, count - (counts.first ?? 0) <= limit else { return }
    context.report(
      Diagnostic(
        Self.id, Self.severity, at: entity.range, "'\(entity.name)' has \(count) attributes, more than \(limit)",
        help: "group those that belong together in a struct or a model of their own"))
  }

  private static func count(_ entity: ResolvedEntity) -> Int {
    entity.properties.count { property in
      if case .attribute(let attribute) = property { !attribute.isTransient } else { false }
    }
  }
}
