import CSQLite
import Synchronization

/// Records the statements that run on the connections of a store, for tests and diagnosis.
///
/// Nothing is recorded, and nothing costs anything, before ``ConnectionPool/trace`` is set.
final class StatementTrace: Sendable {
  private let recorded = Mutex<[String]>([])

  /// What has run, in order, with a `?` for each parameter. A statement that runs twice is there twice.
  var statements: [String] { recorded.withLock { $0 } }

  /// The statements that read rows of models, without those about the store itself.
  var queries: [String] {
    statements.filter { $0.hasPrefix("SELECT") && !$0.contains(StoreCatalogue.metadataTable) }
  }

  func removeAll() { recorded.withLock { $0 = [] } }

  private func record(_ statement: OpaquePointer) {
    guard let sql = sqlite3_sql(statement) else { return }
    let text = String(cString: sql)
    recorded.withLock { $0.append(text) }
  }

  /// Makes a connection report every statement that starts to run. The connection keeps the trace.
  static func report(_ connection: OpaquePointer, to trace: StatementTrace?) {
    guard let trace else {
      sqlite3_trace_v2(connection, 0, nil, nil)
      return
    }
    sqlite3_trace_v2(
      connection, UInt32(SQLITE_TRACE_STMT),
      { _, trace, statement, _ in
        guard let trace, let statement else { return 0 }
        Unmanaged<StatementTrace>.fromOpaque(trace).takeUnretainedValue()
          .record(OpaquePointer(statement))
        return 0
      }, Unmanaged.passUnretained(trace).toOpaque())
  }
}
