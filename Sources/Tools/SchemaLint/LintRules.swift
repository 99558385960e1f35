import SchemaDiagnostics

/// The list of lint rules.
package enum LintRules {
  /// All rules, grouped by code prefix and then ordered by code. A test fails if a rule is missing here.
  package static let all: [any LintRule.Type] = [
    UnusedImport.self,
    EntityUpperCamel.self, PropertyLowerCamel.self, SwiftReservedWord.self,
    ShadowsStandardType.self, EntitySingular.self, ToManyPlural.self, RepeatedEntityPrefix.self,
    BooleanPhrase.self, MatchPattern.self, IdentifierTooLong.self, FileMatchesSchema.self,
    VolatileDefault.self, OptionalWithDefault.self, ImplicitRawValues.self, LargeInlineData.self, FloatingMoney.self,
    PlatformWidthInteger.self, NoIdentity.self, RequiredToMany.self, AttributeCount.self, OptionWithoutEffect.self,
    InverseOnBothSides.self, NullifyIntoRequired.self, MutualCascade.self, CascadeWrongWay.self, CascadeCycle.self,
    SelfCascade.self, CascadeOnManyToMany.self, DenyDeadlock.self, CascadeIntoDeny.self, DiamondCascade.self,
    NoActionDangling.self, ImplicitDeleteRule.self, RequiredOneToOne.self, RequiredCycle.self, OrphanableChild.self,
    UnreachableEntity.self, ParallelRelationships.self, CascadeFanOut.self,
    UniqueOptional.self, UniqueOnUnstableType.self, SeveralUniqueKeys.self, DuplicateUnique.self,
    UniqueSuperset.self, UniqueIncludesRelationship.self,
    RedundantIndex.self, ManyToManyWithoutIndex.self, IndexOnBlob.self, TooManyIndexes.self, LowSelectivityIndex.self,
    PreservedKeyUnindexed.self, RtreeIsOrdinary.self,
    IdentityNotPreserved.self, NothingPreserved.self, PreserveLarge.self, PreserveSensitive.self,
    PartialCompoundKey.self, PreserveVolatile.self,
    RenameAndRetype.self, TypeWidened.self, BecameOptional.self, DefaultChanged.self,
    StorageKindChanged.self, PreserveRemoved.self, IndexChanged.self, StageNotTested.self,
    ChainTooLong.self, OlderAppCannotOpen.self,
    AttributeNeedsDefault.self, NoUnique.self, RelationshipOptional.self, RelationshipInverse.self,
    NoDeny.self, NoOrdered.self, UnsupportedType.self, LargeAttribute.self, DropAfterPromotion.self,
    RenameAfterPromotion.self, RetypeAfterPromotion.self, CustomStageAfterPromotion.self,
    RequiredAfterPromotion.self,
    SwiftdataInexpressible.self, SwiftdataAvailability.self, SqliteIdentifier.self,
    JsonSnapshotPrecision.self, LocaleDependentDefault.self,
    EntityComment.self, PropertyComment.self, DeprecatedWithoutReason.self, TodoInSchema.self,
  ]
}
