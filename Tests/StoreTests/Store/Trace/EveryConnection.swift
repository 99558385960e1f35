import CSQLite
import Foundation
import Synchronization

/// Records the statements of all connections that a thread opens, with a SQLite extension instead of the library.
final class EveryConnection: Sendable {
  private let recorded = Mutex<[String]>([])
  private static let byThread = Mutex<[UInt: EveryConnection]>([:])
  /// The recorders, retained because open connections refer to them.
  private static let kept = Mutex<[EveryConnection]>([])

  private static var thread: UInt { UInt(bitPattern: Int(bitPattern: pthread_self())) }

  var statements: [String] { recorded.withLock { $0 } }

  func removeAll() { recorded.withLock { $0 = [] } }

  private func record(_ statement: OpaquePointer) {
    guard let sql = sqlite3_sql(statement) else { return }
    let text = String(cString: sql)
    recorded.withLock { $0.append(text) }
  }

  /// Records the connections that are opened on this thread during `body`.
  static func recording<T>(_ body: (EveryConnection) throws -> T) throws -> T {
    let recorder = EveryConnection()
    kept.withLock { $0.append(recorder) }
    byThread.withLock { $0[thread] = recorder }
    defer { byThread.withLock { _ = $0.removeValue(forKey: thread) } }
    // The extension is registered once per process and ignores connections of other threads.
    let entry = unsafeBitCast(opened, to: (@convention(c) () -> Void).self)
    guard sqlite3_auto_extension(entry) == SQLITE_OK else { throw CancellationError() }
    return try body(recorder)
  }

  private typealias Entry =
    @convention(c) (OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, OpaquePointer?) -> Int32

  private static let opened: Entry = { connection, _, _ in
    guard let connection, let recorder = byThread.withLock({ $0[thread] }) else { return SQLITE_OK }
    sqlite3_trace_v2(
      connection, UInt32(SQLITE_TRACE_PROFILE),
      { _, recorder, statement, _ in
        guard let recorder, let statement else { return 0 }
        Unmanaged<EveryConnection>.fromOpaque(recorder).takeUnretainedValue().record(OpaquePointer(statement))
        return 0
      }, Unmanaged.passUnretained(recorder).toOpaque())
    return SQLITE_OK
  }
}
