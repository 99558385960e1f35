import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// POR001
struct SwiftdataInexpressible: EntityRule {
  static let id = DiagnosticID("POR001", "swiftdata-inexpressible")
  static let severity = Severity.warning
  static let summary =
    "A file that is also compiled as SwiftData source uses only declarations that SwiftData supports."
  static let why = """
    Trellis-only options do not compile in SwiftData. If they are omitted there, the same declaration has \
    two meanings.
    """
  static let remedy = "Avoid the option, or do not compile the file as SwiftData source."
  static let profile: LintProfile? = .swiftdata
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { @Attribute(.json) var notes: [String] }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip { var notes: [String] }
      """#)

  func check(_ entity: ResolvedEntity, in context: inout LintContext) {
    if entity.originalName != nil { context.report(.inexpressible("a model's original name", entity.range)) }
    for property in entity.properties {
      switch property {
      case .attribute(let attribute): check(attribute, in: &context)
      case .relationship(let relationship):
        guard relationship.isOrdered else { continue }
        let option = context.sources.property(relationship.range)?.option("ordered", of: "Relationship")
        context.report(.inexpressible("an ordered list", option?.range ?? relationship.range))
      }
    }
    // The policy belongs to the whole macro, so report it once.
    var seen: Set<SourceRange> = []
    for unique in entity.uniques where unique.policy != .replace {
      guard let range = context.policyRange(of: unique), seen.insert(range).inserted else { continue }
      context.report(.inexpressible("a conflict policy", range))
    }
  }

  private func check(_ attribute: ResolvedAttribute, in context: inout LintContext) {
    let syntax = context.sources.property(attribute.range)
    func report(_ option: String, _ what: String, _ context: inout LintContext) {
      context.report(.inexpressible(what, syntax?.option(option, of: "Attribute")?.range ?? attribute.range))
    }
    if let storage = attribute.storage { report(storage.rawValue, "a storage option", &context) }
    if attribute.unknown != nil { report("unknown", "a fallback for unknown values", &context) }
  }
}

extension LintContext {
  /// Returns the range of a constraint's conflict policy.
  fileprivate func policyRange(of unique: ResolvedUnique) -> SourceRange? {
    let arguments =
      sources.constraint(unique.range)?.macro.arguments
      ?? sources.property(unique.range)?.declaration.attribute(named: "Attribute")?.arguments
    return arguments?.first { $0.label == "onConflict" }?.range
  }
}

extension Diagnostic {
  fileprivate static func inexpressible(_ what: String, _ range: SourceRange) -> Self {
    Self(
      SwiftdataInexpressible.id, SwiftdataInexpressible.severity, at: range,
      "SwiftData has no syntax for \(what)")
  }
}
