/// Columns in which no two rows of an entity may have equal values. NULL equals nothing, so a model without a value has
/// no conflict.
package struct UniqueConstraint: Sendable {
  package let entity: String
  package let properties: [String]
  /// By slot of the entity that declares it.
  package let slots: [Int]
  package let columns: [String]
  package let policy: Schema.ConflictPolicy
  package let index: String
  /// The classes it binds, where the table has rows of others.
  package let classes: [String]
}

/// The statements that find the rows with unique values.
package final class ConflictStatements: Sendable {
  /// By constraint.
  private let conflicts: [(bytes: NumberedText, canonical: NumberedText)]

  init(_ plan: EntityStatements) {
    conflicts = plan.constraints.map { constraint in
      (
        NumberedText(plan.conflict(with: constraint, isNormalized: false).text),
        NumberedText(plan.conflict(with: constraint, isNormalized: true).text)
      )
    }
  }

  /// - Parameter isNormalized: see ``EntityStatements/conflict(with:isNormalized:)``.
  func conflict(_ constraint: Int, isNormalized: Bool) -> NumberedText {
    isNormalized ? conflicts[constraint].canonical : conflicts[constraint].bytes
  }
}
