/// The rules that the parser, the resolver, suppression comments and the formatter check.
enum CompilerRules {
  /// All rules, grouped by code prefix and then ordered by code.
  static let all: [any RuleDescription.Type] = [
    UnexpectedToken.self, UnknownKeyword.self, DuplicateDeclaration.self, DuplicateOption.self,
    OptionNotApplicable.self, ConflictingOptions.self, UnresolvedReference.self,
    MissingVersion.self, UnsupportedDeclaration.self, IgnoredObserver.self, InheritanceCycle.self,
    RemovedOption.self, UnassignedProperty.self,
    ReservedMember.self, CaseOnlyDifference.self, GeneratedNameClash.self, UnknownType.self,
    DefaultTypeMismatch.self, DefaultOutOfRange.self, DefaultNotACase.self, DuplicateRawValue.self,
    ExternalStorageNonData.self, TransientNeedsDefault.self, OpaqueCodable.self,
    CollectionAttributeQueried.self, DoubleOptional.self, CompositeCycle.self,
    ModelInsideValue.self, OpaqueWithoutValue.self, TooManyColumns.self, MissingInverse.self, AmbiguousInverse.self,
    InverseMismatch.self, CountBounds.self, RelationshipDefault.self, UniqueOverToMany.self,
    PreserveTransient.self, PreserveRelationship.self,
    UnknownSuppression.self, UnusedSuppression.self, SuppressionWithoutReason.self, NotFormatted.self,
  ]
}
