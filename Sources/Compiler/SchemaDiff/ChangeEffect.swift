/// What a change asks of those who have stores of the older version.
package enum ChangeEffect: String, Sendable, CaseIterable, Comparable {
  /// Nothing: every row can be carried over as it is.
  case automatic
  /// An expression that says what old rows get.
  case needsFill = "needs-fill"
  /// Code, or a decision, that looks at more than one value.
  case needsCode = "needs-code"
  /// Data goes away unless something is done with it first.
  case losesData = "loses-data"

  package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rank < rhs.rank }

  /// For people.
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
