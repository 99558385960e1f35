/// What a change can break, and for whom.
package enum BreakingAxis: String, Sendable, CaseIterable, Comparable {
  /// Whether the new program opens every store of the older version without being told anything.
  case store = "STORE"
  /// Whether the previous program can read and write what the new one wrote.
  case readback = "READBACK"
  /// Whether snapshots and exports of the older version decode.
  case codec = "CODEC"
  /// Whether consumers can go on from old history tokens.
  case history = "HISTORY"
  /// Whether devices with the older version still come to the same result.
  case sync = "SYNC"
  /// Whether Swift that is written against the models compiles.
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
