/// The statements of an entity for rows that are in each other's way. Made for the first conflict and
/// kept: an import of what is there already has one for each row.
final class ConflictStatements: Sendable {
  /// By constraint: another row with its values.
  private let conflicts: [(bytes: PredicateStatement.Text, canonical: PredicateStatement.Text)]
  /// The references to other rows: whose, and what leads them elsewhere.
  let redirections: [(target: IdentifierToken, text: PredicateStatement.Text)]

  init(_ plan: EntityPlan) {
    conflicts = plan.constraints.map { constraint in
      (
        Self.text(plan.conflict(with: constraint, isNormalized: false)),
        Self.text(plan.conflict(with: constraint, isNormalized: true))
      )
    }
    redirections = plan.entity.columns.filter { $0.destination != nil }.map { column in
      (plan.shape.destinations[column.slot], Self.text(plan.redirection(column)))
    }
  }

  /// - Parameter isNormalized: see ``EntityPlan/conflict(with:isNormalized:)``.
  func conflict(_ constraint: Int, isNormalized: Bool) -> PredicateStatement.Text {
    isNormalized ? conflicts[constraint].canonical : conflicts[constraint].bytes
  }

  private static func text(_ fragment: SQLFragment) -> PredicateStatement.Text {
    PredicateStatement.Text(
      sql: fragment.text, parameters: [], number: PredicateStatement.nextNumber())
  }
}
