import Synchronization
import Trellis

/// Adds up an app's statements by purpose and text.
final class StatementTotals: Sendable {
  struct Total: Sendable {
    let sql: String
    let purpose: TracedStatement.Purpose
    var runs = 0
    var rows = 0
    var duration = Duration.zero
    var longest = Duration.zero
  }

  private struct Key: Hashable {
    let sql: String
    let purpose: TracedStatement.Purpose
  }

  private let totals = Mutex<[Key: Total]>([:])

  func add(_ statement: TracedStatement) {
    let key = Key(sql: statement.sql, purpose: statement.purpose)
    totals.withLock { totals in
      var total = totals[key] ?? Total(sql: key.sql, purpose: key.purpose)
      total.runs += 1
      total.rows += statement.rows
      total.duration += statement.duration
      total.longest = max(total.longest, statement.duration)
      totals[key] = total
    }
  }

  /// The statements that have taken most of the time, the slowest first.
  func slowest(_ count: Int) -> [Total] {
    let all = totals.withLock { Array($0.values) }
    return Array(all.sorted { $0.duration > $1.duration }.prefix(count))
  }
}
