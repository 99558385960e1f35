import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// IDX007
struct PreservedKeyUnindexed: EntityRule {
  static let id = DiagnosticID("IDX007", "preserved-key-unindexed")
  static let severity = Severity.info
  static let summary = "What tells deleted objects apart finds those that are there."
  static let why = """
    Values that are preserved are what other stores and servers know objects by. For each change that \
    comes from there the object is looked for, and without an index every row is read.
    """
  static let remedy = "Add an index of the property, or make it unique if it is."
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
    // A part of a key is searched together with its other parts.
    let known = Set(constraints.joined())
    for attribute in preserved where !known.contains(attribute.name) {
      let edit = context.sources.member(of: entity, "#Index<\(Keyword.name(entity.name))>([\\.\(attribute.name)])")
      context.report(
        Diagnostic(
          Self.id, Self.severity, at: attribute.range,
          "'\(attribute.name)' is preserved for others to know objects by, and finding one by it reads every row",
          help: "add '#Index<\(Keyword.name(entity.name))>([\\.\(attribute.name)])'",
          fixIts: edit.map { [FixIt("add an index of '\(attribute.name)'", [$0])] } ?? []))
    }
  }

  /// True for types that are typical of keys.
  private static func isKey(_ type: ValueType) -> Bool {
    if case .scalar(let scalar) = type.unwrapped { scalar.traits.isKey } else { false }
  }
}
