/// The effort that a change requires for stores of the older version.
package enum ChangeEffect: String, Sendable, CaseIterable, Comparable {
  /// No effort: rows are kept unchanged.
  case automatic
  /// Requires an expression for the values of existing rows.
  case needsFill = "needs-fill"
  /// Requires code or a decision that considers more than one value.
  case needsCode = "needs-code"
  /// Deletes data unless the migration handles it first.
  case losesData = "loses-data"

  package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rank < rhs.rank }

  /// The description in messages.
  package var title: String {
    switch self {
    case .automatic: "automatic"
    case .needsFill: "needs a fill"
    case .needsCode: "needs code"
    case .losesData: "loses data"
    }
  }

  private var rank: Int {
    switch self {
    case .automatic: 0
    case .needsFill: 1
    case .needsCode: 2
    case .losesData: 3
    }
  }
}
