/// A compatibility guarantee that a change can break.
package enum BreakingAxis: String, Sendable, CaseIterable, Comparable {
  /// The new app opens any store from the older version, even if the schema contains no migration steps.
  case store = "STORE"
  /// The previous app can read and write rows that the new app wrote.
  case readback = "READBACK"
  /// Snapshots and exports from the older version can be decoded.
  case codec = "CODEC"
  /// Consumers can continue from old history tokens.
  case history = "HISTORY"
  /// Devices with the older version reach the same result as devices with the new version.
  case sync = "SYNC"
  /// Swift code that uses the models compiles.
  case source = "SOURCE"

  package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rank < rhs.rank }

  private var rank: Int {
    switch self {
    case .store: 0
    case .readback: 1
    case .codec: 2
    case .history: 3
    case .sync: 4
    case .source: 5
    }
  }
}
