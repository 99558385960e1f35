import Dispatch
import Synchronization
import Trellis

/// Reads a large table in two parts at the same time, on two connections. SQLite needs more time to decode rows than to
/// read pages.
enum TableHalves {
  /// Reading a smaller table twice as fast is not worth a thread.
  private static let smallest: Int64 = 50_000

  /// - Parameters:
  ///   - key: An integer column whose smallest and largest values SQLite finds without reading the table; nil to read the
  ///     table in one part.
  ///   - open: Opens a connection to the database, which must not change.
  ///   - read: Reads the rows that meet a condition.
  /// - Returns: The results in key order.
  static func read<Part: Sendable>(
    _ table: String, by key: String?, open: @Sendable () throws -> Connection,
    _ read: @Sendable (Connection, SQLFragment) throws -> Part
  ) throws -> [Part] {
    let conditions = try key.map { try self.conditions(table, $0, open()) } ?? ["1"]
    let results = Mutex([Result<Part, any Error>?](repeating: nil, count: conditions.count))
    DispatchQueue.concurrentPerform(iterations: conditions.count) { index in
      let result = Result { try read(open(), conditions[index]) }
      results.withLock { $0[index] = result }
    }
    return try results.withLock { try $0.compactMap { try $0?.get() } }
  }

  private static func conditions(_ table: String, _ key: String, _ connection: Connection) throws -> [SQLFragment] {
    func value(_ function: SQLFragment) throws -> Int64? {
      try connection.integers("SELECT \(function)(\(name: key)) FROM \(name: table)").first
    }
    guard let first = try value("min"), let last = try value("max"), last / 2 - first / 2 > smallest / 2 else {
      return ["1"]
    }
    let middle = SQLValue.integer(first / 2 + last / 2)
    return ["\(name: key) <= \(value: middle)", "\(name: key) > \(value: middle)"]
  }
}
