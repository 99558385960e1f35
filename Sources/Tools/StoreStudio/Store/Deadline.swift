import CSQLite
import Trellis

/// Ends statements that take too long.
final class Deadline {
  private let end: ContinuousClock.Instant

  private init(_ end: ContinuousClock.Instant) { self.end = end }

  /// Runs queries for a limited time.
  ///
  /// - Returns: nil if the time was too short.
  static func run<T>(_ duration: Duration, on connection: Connection, _ body: () throws -> T) throws -> T? {
    let deadline = Deadline(.now + duration)
    return try withExtendedLifetime(deadline) {
      sqlite3_progress_handler(
        connection.handle, 10_000,
        { context in
          guard let context else { return 0 }
          let deadline = Unmanaged<Deadline>.fromOpaque(context).takeUnretainedValue()
          return ContinuousClock.now < deadline.end ? 0 : 1
        }, Unmanaged.passUnretained(deadline).toOpaque())
      defer { sqlite3_progress_handler(connection.handle, 0, nil, nil) }
      do {
        return try body()
      } catch let error as SQLiteError where error.code.rawValue == SQLITE_INTERRUPT {
        return nil
      }
    }
  }
}
