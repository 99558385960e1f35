import CSQLite
import Foundation
import Synchronization

/// Calls a closure before each statement on connections opened by the current thread. Concurrent tests run on separate
/// threads and are not affected.
package enum StatementWatch {
  /// The watchers, by thread.
  private static let watchers = Mutex<[UInt: @Sendable () -> Void]>([:])

  /// - Parameter watcher: Called before each statement. It must not use the store.
  package static func whileRunning<T>(
    _ watcher: @escaping @Sendable () -> Void, _ body: () throws -> T
  ) rethrows -> T {
    let thread = UInt(pthread_self())
    watchers.withLock { watchers in
      if watchers.isEmpty { sqlite3_auto_extension(entryPoint) }
      watchers[thread] = watcher
    }
    defer {
      watchers.withLock { watchers in
        watchers[thread] = nil
        if watchers.isEmpty { sqlite3_cancel_auto_extension(entryPoint) }
      }
    }
    return try body()
  }

  private typealias Entry =
    @convention(c) (
      OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, OpaquePointer?
    ) -> Int32

  /// The function that SQLite calls for each new connection.
  private static var entryPoint: @convention(c) () -> Void {
    let entry: Entry = { connection, _, _ in
      sqlite3_trace_v2(
        connection, UInt32(SQLITE_TRACE_STMT),
        { _, _, _, _ in
          let watcher = StatementWatch.watchers.withLock { $0[UInt(pthread_self())] }
          watcher?()
          return 0
        }, nil)
      return 0
    }
    return unsafeBitCast(entry, to: (@convention(c) () -> Void).self)
  }
}
