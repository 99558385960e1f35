/// The severity of a diagnostic. An error stops the build.
package enum Severity: String, Sendable, CaseIterable {
  case error, warning, info
}

extension Severity: Comparable {
  package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rank < rhs.rank }

  private var rank: Int {
    switch self {
    case .info: 0
    case .warning: 1
    case .error: 2
    }
  }
}
