import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// POR001
struct SwiftdataInexpressible: EntityRule {
  static let id = DiagnosticID("POR001", "swiftdata-inexpressible")
  static let severity = Severity.warning
  static let summary = "A file that is SwiftData source as well says nothing that SwiftData cannot."
  static let why = """
    What only this compiler knows does not compile there, or has to be left out, and then the same \
    declaration means two things.
    """
  static let remedy = "Do without it, or do not compile the file as SwiftData source."
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
    if entity.originalName != nil { context.report(.inexpressible("a former name of a model", entity.range)) }
    for property in entity.properties {
      switch property {
      case .attribute(let attribute): check(attribute, in: &context)
      case .relationship(let relationship):
        guard relationship.isOrdered else { continue }
        let option = context.sources.property(relationship.range)?.option("ordered", of: "Relationship")
        context.report(.inexpressible("a list with an order", option?.range ?? relationship.range))
      }
    }
    // The policy belongs to the whole macro, so report it once.
    var seen: Set<SourceRange> = []
    for unique in entity.uniques where unique.policy != .replace {
      guard let range = context.policyRange(of: unique), seen.insert(range).inserted else { continue }
      context.report(.inexpressible("what a save does with a value that is there", range))
    }
  }

  private func check(_ attribute: ResolvedAttribute, in context: inout LintContext) {
    let syntax = context.sources.property(attribute.range)
    func report(_ option: String, _ what: String, _ context: inout LintContext) {
      context.report(.inexpressible(what, syntax?.option(option, of: "Attribute")?.range ?? attribute.range))
    }
    if let storage = attribute.storage { report(storage.rawValue, "how a value is kept", &context) }
    if attribute.unknown != nil { report("unknown", "what an unknown value is read as", &context) }
  }
}

extension LintContext {
  /// The range of the conflict policy of a constraint.
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
      "SwiftData has no words for \(what)")
  }
}
