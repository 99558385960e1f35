import CSQLite
import Trellis

/// Ends statements of a connection that take too long.
final class Deadline {
  private let connection: Connection
  private var end: ContinuousClock.Instant?

  init(on connection: Connection) {
    self.connection = connection
    sqlite3_progress_handler(
      connection.handle, 10_000,
      { context in
        guard let context, let end = Unmanaged<Deadline>.fromOpaque(context).takeUnretainedValue().end else { return 0 }
        return ContinuousClock.now < end ? 0 : 1
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { sqlite3_progress_handler(connection.handle, 0, nil, nil) }

  /// Runs queries for a limited time, which may be part of a longer time.
  ///
  /// - Returns: nil if the time was too short.
  func run<T>(within limit: Duration, _ body: () throws -> T) throws -> T? {
    let outer = end
    end = min(.now + limit, outer ?? .now + limit)
    defer { end = outer }
    do {
      return try body()
    } catch let error as SQLiteError where error.code.rawValue == SQLITE_INTERRUPT {
      return nil
    }
  }
}
