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
    var seen: Set<SourceRange> = []
    for gap in entity.swiftDataGaps {
      guard let range = context.range(of: gap) else { continue }
      // The policy belongs to the whole macro, so report it once.
      if gap.place == .conflictPolicy, !seen.insert(range).inserted { continue }
      context.report(.inexpressible(gap.what, range))
    }
  }
}

extension LintContext {
  /// Returns the range of the option or argument, or `nil` if it cannot be found.
  fileprivate func range(of gap: SwiftDataGap) -> SourceRange? {
    switch gap.place {
    case .model: return gap.range
    case .option(let name, let attribute):
      return sources.property(gap.range)?.option(name, of: attribute)?.range ?? gap.range
    case .argument(let label, let attribute):
      let arguments = sources.property(gap.range)?.declaration.attribute(named: attribute)?.arguments
      return arguments?.first { $0.label == label }?.range ?? gap.range
    case .conflictPolicy:
      let arguments =
        sources.constraint(gap.range)?.macro.arguments
        ?? sources.property(gap.range)?.declaration.attribute(named: "Attribute")?.arguments
      return arguments?.first { $0.label == "onConflict" }?.range
    }
  }
}

extension Diagnostic {
  fileprivate static func inexpressible(_ what: String, _ range: SourceRange) -> Self {
    Self(
      SwiftdataInexpressible.id, SwiftdataInexpressible.severity, at: range,
      "SwiftData has no syntax for \(what)")
  }
}
