/// The rules that the version comparison checks.
enum VersionRules {
  /// All rules, ordered by code.
  static let all: [any RuleDescription.Type] = [
    VersionNotBumped.self, FrozenVersionEdited.self, VersionOrder.self, IdenticalVersions.self,
    MissingStage.self, ParallelVersion.self, LockMissing.self, EntityDropped.self,
    AttributeDropped.self, RelationshipDropped.self, EnumCaseRemoved.self, EnumRawChanged.self,
    ProbableRename.self, OriginalNameUnknown.self, OriginalNameConflict.self,
    RetiredNameReused.self, TypeChanged.self, TypeNarrowed.self, CompositeShapeChanged.self,
    SuperclassChanged.self, RequiredWithoutDefault.self, NewRequiredAttribute.self,
    NewRequiredRelationship.self, VolatileFill.self, UniqueAdded.self, UniqueRemoved.self,
    DeleteRuleChanged.self, CardinalityChanged.self, InverseChanged.self, CountBoundTightened.self,
    OrderDropped.self,
  ]
}
