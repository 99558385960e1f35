import SchemaDiagnostics
import SchemaModel

/// HIS002
struct NothingPreserved: EntityRule {
  static let id = DiagnosticID("HIS002", "nothing-preserved")
  static let severity = Severity.info
  static let summary = "Something of a deleted object stays in the history."
  static let why = """
    A deletion of which nothing is preserved says that some object is gone and not which one; its \
    number in the store means nothing to anybody else.
    """
  static let remedy = "Mark an attribute that others know the object by with '.preserveValueOnDeletion'."
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
    // Submodels inherit preserved attributes. Other rules check keys of attributes and models without a key.
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
      "the history does not say which '\(entity.name)' was deleted",
      help: "mark what others know it by with '.preserveValueOnDeletion'")
  }
}
