import SchemaDiagnostics

/// The rules there are.
package enum LintRules {
  /// In the order of the codes within a family. A rule that is missing here fails a test.
  package static let all: [any LintRule.Type] = [
    EntityUpperCamel.self, PropertyLowerCamel.self, SwiftReservedWord.self,
    ShadowsStandardType.self,
    OptionalWithDefault.self, ImplicitRawValues.self,
    NullifyIntoRequired.self, MutualCascade.self, CascadeWrongWay.self, CascadeCycle.self,
    CascadeOnManyToMany.self, DenyDeadlock.self, NoActionDangling.self,
    UniqueOptional.self, UniqueOnUnstableType.self, DuplicateUnique.self,
    RedundantIndex.self,
    IdentityNotPreserved.self,
  ]

  /// Those without a profile and those of the profiles asked for.
  package static func running(_ profiles: Set<LintProfile>) -> [any LintRule.Type] {
    all.filter { rule in rule.profile.map { profiles.contains($0) } ?? true }
  }

  /// A rule by its code or its name.
  package static func rule(_ id: String) -> (any LintRule.Type)? {
    all.first { $0.id.code == id || $0.id.name == id }
  }
}
