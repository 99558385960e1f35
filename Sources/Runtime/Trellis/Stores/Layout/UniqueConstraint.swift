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

/// The statements of an entity for rows that are in each other's way. Made for the first conflict and
/// kept: an import of what is there already has one for each row.
package final class ConflictStatements: Sendable {
  /// By constraint: another row with its values.
  private let conflicts: [(bytes: NumberedText, canonical: NumberedText)]
  /// The references to other rows: whose, and what leads them elsewhere.
  let redirections: [(target: IdentifierToken, text: NumberedText)]

  init(_ plan: EntityStatements) {
    conflicts = plan.constraints.map { constraint in
      (
        NumberedText(plan.conflict(with: constraint, isNormalized: false).text),
        NumberedText(plan.conflict(with: constraint, isNormalized: true).text)
      )
    }
    redirections = plan.entity.columns.filter { $0.destination != nil }.map { column in
      (plan.shape.destinations[column.slot], NumberedText(plan.redirection(column).text))
    }
  }

  /// - Parameter isNormalized: see ``EntityStatements/conflict(with:isNormalized:)``.
  func conflict(_ constraint: Int, isNormalized: Bool) -> NumberedText {
    isNormalized ? conflicts[constraint].canonical : conflicts[constraint].bytes
  }
}
