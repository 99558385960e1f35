import SchemaDiagnostics
import SchemaModel

/// UNQ004
struct DuplicateUnique: EntityRule {
  static let id = DiagnosticID("UNQ004", "duplicate-unique")
  static let severity = Severity.warning
  static let summary = "Each set of properties has a single unique constraint."
  static let why = "The duplicate constraint adds an index that every insert must update, and a second conflict policy."
  static let remedy = "Remove either constraint."
  static let fix = FixKind.auto
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Trips 1.0.0
      @Model class Trip { #Unique<Trip>([\.code]); @Attribute(.unique) var code: String }
      """#,
    good: #"""
      schema Trips 1.0.0
      @Model class Trip { @Attribute(.unique) var code: String }
      """#)

  func check(_ entity: ResolvedEntity, in context: inout LintContext) {
    guard !entity.uniques.isEmpty else { return }
    let inherited = context.inheritedUniques(of: entity)
    for (index, unique) in entity.uniques.enumerated() {
      let properties = Set(unique.properties)
      let isSame = { (other: ResolvedUnique) in
        other.properties.count == properties.count && other.properties.allSatisfy(properties.contains)
      }
      let own = entity.uniques.prefix(min(index, LintContext.compared))
      guard let first = inherited.first(where: isSame) ?? own.first(where: isSame) else { continue }
      context.report(
        .duplicateUnique(
          unique, first, at: context.place(of: unique), first: context.place(of: first),
          removal: Self.removal(of: unique, in: context)))
    }
  }

  private static func removal(of unique: ResolvedUnique, in context: LintContext) -> TextEdit? {
    if let constraint = context.sources.constraint(unique.range) {
      return TextEdit(constraint.removalRange, "")
    }
    return context.sources.property(unique.range)?.removingUnique
  }
}

extension Diagnostic {
  fileprivate static func duplicateUnique(
    _ unique: ResolvedUnique, _ first: ResolvedUnique, at range: SourceRange,
    first firstRange: SourceRange, removal: TextEdit?
  ) -> Self {
    let names = unique.properties.map { "'\($0)'" }.joined(separator: ", ")
    let agree = unique.policy == first.policy
    return Self(
      DuplicateUnique.id, DuplicateUnique.severity, at: range,
      agree
        ? "\(names) \(unique.properties.count == 1 ? "is" : "are") already unique"
        : "\(names): the conflict policy is '.\(first.policy.rawValue)' there and "
          + "'.\(unique.policy.rawValue)' here",
      related: [.init(firstRange, "the first constraint is here")], help: "remove either constraint",
      fixIts: agree ? removal.map { [FixIt("remove this constraint", [$0])] } ?? [] : [])
  }
}
