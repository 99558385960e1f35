import Synchronization
import Trellis

/// Records the statements of a trace.
final class StatementLog: Sendable {
  struct Entry: Sendable {
    let statement: TracedStatement
    /// The expanded SQL, which is read while the trace closure runs.
    let expanded: String
  }

  private let recorded = Mutex<[Entry]>([])

  var entries: [Entry] { recorded.withLock { $0 } }
  var statements: [TracedStatement] { entries.map(\.statement) }

  func removeAll() { recorded.withLock { $0 = [] } }

  /// The trace closure for a configuration.
  var listener: @Sendable (TracedStatement) -> Void {
    { [self] statement in
      let entry = Entry(statement: statement, expanded: statement.expandedSQL())
      recorded.withLock { $0.append(entry) }
    }
  }
}
