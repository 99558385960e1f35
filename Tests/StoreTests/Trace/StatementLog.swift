import Synchronization
import Trellis

/// Keeps what a trace is told.
final class StatementLog: Sendable {
  struct Entry: Sendable {
    let statement: TracedStatement
    /// What the statement said while its trace was called.
    let expanded: String
  }

  private let recorded = Mutex<[Entry]>([])

  var entries: [Entry] { recorded.withLock { $0 } }
  var statements: [TracedStatement] { entries.map(\.statement) }

  func removeAll() { recorded.withLock { $0 = [] } }

  /// To be set as the trace of a configuration.
  var listener: @Sendable (TracedStatement) -> Void {
    { [self] statement in
      let entry = Entry(statement: statement, expanded: statement.expandedSQL())
      recorded.withLock { $0.append(entry) }
    }
  }
}
