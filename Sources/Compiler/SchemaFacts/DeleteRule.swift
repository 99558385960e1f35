/// The delete rule of a relationship.
package enum DeleteRule: String, Sendable, CaseIterable {
  case nullify, cascade, deny, noAction
}

/// The property at the other end of a relationship.
package enum RelationshipEnd: Sendable, CaseIterable {
  /// The relationship has no inverse.
  case none
  case optionalReference
  case requiredReference
  case list
}

/// What the deletion of a model does to the models at the other end of one of its relationships.
///
/// The runtime applies this table to models and rows; `explain` applies it to a schema. Foreign keys repeat it in the
/// database, for connections of other programs.
package enum DeletionConsequence: Sendable, CaseIterable {
  /// They do not refer to the deleted model and stay as they are.
  case nothing
  /// They are deleted too.
  case deletion
  /// They keep the model from being deleted, unless they are deleted too.
  case refusal
  /// Their reference becomes nil.
  case clearedReference
  /// Their reference cannot be nil: the save is refused, unless they are deleted too.
  case missingReference
  /// Their list loses a member.
  case shorterList
  /// Their reference is not written, and reads nil or a placeholder.
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
