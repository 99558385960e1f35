import SchemaDiagnostics
import SchemaModel

/// HIS002
struct NothingPreserved: EntityRule {
  static let id = DiagnosticID("HIS002", "nothing-preserved")
  static let severity = Severity.info
  static let summary = "A deleted object leaves an identifying value in the history."
  static let why = """
    If no value is preserved, the history records that an object was deleted, but not which; the row ID has \
    no meaning outside the store.
    """
  static let remedy = "Mark an attribute that identifies the object with '.preserveValueOnDeletion'."
  static let fix = FixKind.add
  static let profile: LintProfile? = .history
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Pass {
        @Relationship(.unique) var person: Person
        var number: Int
      }
      @Model class Person {
        @Attribute(.unique, .preserveValueOnDeletion) var code: String
        @Relationship(deleteRule: .cascade, inverse: \Pass.person) var pass: Pass?
      }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Pass {
        #Index<Pass>([\.number])
        @Relationship(.unique) var person: Person
        @Attribute(.preserveValueOnDeletion) var number: Int
      }
      @Model class Person {
        @Attribute(.unique, .preserveValueOnDeletion) var code: String
        @Relationship(deleteRule: .cascade, inverse: \Pass.person) var pass: Pass?
      }
      """#)

  func check(_ entity: ResolvedEntity, in context: inout LintContext) {
    // Submodels inherit preserved attributes. Keys with attributes, and models that have no key, are checked by
    // separate rules.
    let hasKey = entity.uniques.contains { unique in
      unique.properties.contains { context.attribute($0, of: entity) != nil }
    }
    let isAsked = entity.uniques.isEmpty && context.settings.runs(NoIdentity.self)
    guard entity.superentity == nil, !hasKey, !isAsked else { return }
    let attributes = entity.properties.compactMap { property -> ResolvedAttribute? in
      if case .attribute(let attribute) = property, attribute.isStored { attribute } else { nil }
    }
    guard !attributes.isEmpty, !attributes.contains(where: \.isPreserved)
    else { return }
    context.report(.nothingPreserved(entity))
  }
}

extension Diagnostic {
  fileprivate static func nothingPreserved(_ entity: ResolvedEntity) -> Self {
    Self(
      NothingPreserved.id, NothingPreserved.severity, at: entity.range,
      "the history does not identify deleted '\(entity.name)' objects",
      help: "mark an identifying attribute with '.preserveValueOnDeletion'")
  }
}
