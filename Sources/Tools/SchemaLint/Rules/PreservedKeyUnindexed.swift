import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// IDX007
struct PreservedKeyUnindexed: EntityRule {
  static let id = DiagnosticID("IDX007", "preserved-key-unindexed")
  static let severity = Severity.info
  static let summary = "A preserved identifier is indexed."
  static let why = """
    Remote stores and servers identify objects by preserved values. Each remote change looks up the object, \
    which reads every row if there is no index.
    """
  static let remedy = "Add an index over the property, or make the property unique if no two values are equal."
  static let fix = FixKind.auto
  static let profile: LintProfile? = .history
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Trips 1.0.0
      @Model class Trip {
          @Attribute(.unique, .preserveValueOnDeletion) var code: UUID
          @Attribute(.preserveValueOnDeletion) var number: Int
      }
      """#,
    good: #"""
      schema Trips 1.0.0
      @Model class Trip {
          #Index<Trip>([\.number])
          @Attribute(.unique, .preserveValueOnDeletion) var code: UUID
          @Attribute(.preserveValueOnDeletion) var number: Int
      }
      """#)

  func check(_ entity: ResolvedEntity, in context: inout LintContext) {
    let preserved = entity.properties.compactMap { property -> ResolvedAttribute? in
      guard case .attribute(let attribute) = property, attribute.isPreserved,
        attribute.storage != .json, Self.isKey(attribute.type)
      else { return nil }
      return attribute
    }
    guard !preserved.isEmpty else { return }
    var constraints = entity.uniques.map(\.properties) + entity.indexes.map(\.properties)
    for ancestor in context.lineage(of: entity).dropFirst() {
      constraints += ancestor.uniques.prefix(LintContext.compared).map(\.properties)
      constraints += ancestor.indexes.prefix(LintContext.compared).map(\.properties)
    }
    // Part of a compound key is searched together with the remaining parts.
    let known = Set(constraints.joined())
    for attribute in preserved where !known.contains(attribute.name) {
      let edit = context.sources.member(of: entity, "#Index<\(Keyword.name(entity.name))>([\\.\(attribute.name)])")
      context.report(
        Diagnostic(
          Self.id, Self.severity, at: attribute.range,
          "'\(attribute.name)' is preserved as an identifier, but finding an object by it reads every row",
          help: "add '#Index<\(Keyword.name(entity.name))>([\\.\(attribute.name)])'",
          fixIts: edit.map { [FixIt("add an index over '\(attribute.name)'", [$0])] } ?? []))
    }
  }

  /// Returns true for types that are typical in keys.
  private static func isKey(_ type: ValueType) -> Bool {
    if case .scalar(let scalar) = type.unwrapped { scalar.traits.isKey } else { false }
  }
}
