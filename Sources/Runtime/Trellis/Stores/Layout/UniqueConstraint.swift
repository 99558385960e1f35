/// Columns of which no two rows of an entity may have the same values. NULL equals nothing, not
/// even NULL: a model without a value conflicts with none.
struct UniqueConstraint: Sendable {
  let entity: String
  let properties: [String]
  /// By slot of the entity that declares it.
  let slots: [Int]
  let columns: [String]
  let policy: Schema.ConflictPolicy
  let index: String
  /// The classes it binds, where the table has rows of others.
  let classes: [String]
}
