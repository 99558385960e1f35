/// A relationship's delete rule.
package enum DeleteRule: String, Sendable, CaseIterable {
  case nullify, cascade, deny, noAction
}

/// The inverse property of a relationship.
package enum RelationshipEnd: Sendable, CaseIterable {
  /// The relationship has no inverse.
  case none
  case optionalReference
  case requiredReference
  case list
}

/// The effect of a deletion on the related models.
///
/// The runtime applies these rules to models and rows; `explain` applies them to a schema. In the database, foreign
/// keys enforce them for connections outside Trellis.
package enum DeletionConsequence: Sendable, CaseIterable {
  /// Related models do not refer to the deleted model and remain unchanged.
  case nothing
  /// Related models are also deleted.
  case deletion
  /// Related models prevent the deletion, unless they are also deleted.
  case refusal
  /// References to the deleted model become nil.
  case clearedReference
  /// References cannot become nil: the save is rejected, unless the related models are also deleted.
  case missingReference
  /// Related models' lists lose a member.
  case shorterList
  /// References are not updated, and return nil or a placeholder when read.
  case danglingReference

  package init(_ rule: DeleteRule, _ end: RelationshipEnd) {
    switch (rule, end) {
    case (.cascade, _): self = .deletion
    case (.deny, _): self = .refusal
    case (_, .none): self = .nothing
    case (_, .list): self = .shorterList
    case (.nullify, .optionalReference): self = .clearedReference
    case (.nullify, .requiredReference): self = .missingReference
    case (.noAction, .optionalReference), (.noAction, .requiredReference): self = .danglingReference
    }
  }
}
