import SchemaDiagnostics
import SchemaModel

/// UNQ005
struct UniqueSuperset: EntityRule {
  static let id = DiagnosticID("UNQ005", "unique-superset")
  static let severity = Severity.info
  static let summary = "No unique key contains a shorter unique key."
  static let why = """
    If a part is unique, the whole key is unique. The longer key never detects a conflict, and adds an index \
    to every insert.
    """
  static let remedy = "Remove the longer key, or the shorter key if the longer key is intended."
  static let fix = FixKind.auto
  static let presence = RulePresence.strict
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Trips 1.0.0
      @Model class Trip { #Unique<Trip>([\.code, \.name]); @Attribute(.unique) var code: String; var name: String }
      """#,
    good: #"""
      schema Trips 1.0.0
      @Model class Trip { #Unique<Trip>([\.code]); var code: String; var name: String }
      """#)

  func check(_ entity: ResolvedEntity, in context: inout LintContext) {
    guard entity.uniques.contains(where: { $0.properties.count > 1 }) else { return }
    let all = context.uniques(of: entity)
    for unique in entity.uniques where unique.properties.count > 1 {
      let properties = Set(unique.properties)
      guard
        let part = all.first(where: {
          $0.properties.count < properties.count && $0.properties.allSatisfy(properties.contains)
        })
      else { continue }
      // With a different policy, the longer key may be intended.
      let removal = part.policy == unique.policy ? context.sources.constraint(unique.range)?.removalRange : nil
      context.report(.superset(unique, part, context.place(of: unique), context.place(of: part), removal))
    }
  }
}

extension Diagnostic {
  fileprivate static func superset(
    _ unique: ResolvedUnique, _ part: ResolvedUnique, _ range: SourceRange, _ other: SourceRange,
    _ removal: SourceRange?
  ) -> Self {
    let names = part.properties.map { "'\($0)'" }.joined(separator: ", ")
    return Self(
      UniqueSuperset.id, UniqueSuperset.severity, at: range,
      "\(names) \(part.properties.count == 1 ? "is" : "are") already unique, so this key never detects a conflict",
      related: [.init(other, "the shorter key is here")], help: "remove either key",
      fixIts: removal.map { [.remove($0, title: "remove the longer key")] } ?? [])
  }
}
