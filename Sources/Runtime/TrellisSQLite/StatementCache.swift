import Synchronization

/// The prepared statements of one connection, by their text.
package struct StatementCache {
  private var statements: [String: Statement] = [:]
  /// The texts, in the order of their first use.
  private var order: [String] = []
  private let capacity: Int

  package init(capacity: Int = 256) { self.capacity = capacity }

  /// Returns an unused statement; ``giveBack(_:)`` returns it to the cache.
  package mutating func take(_ sql: String, on connection: OpaquePointer) throws -> Statement {
    if let kept = statements[sql] {
      // A fetch inside of a fetch needs a second statement.
      if kept.isInUse { return try Statement(sql, on: connection, isKept: false) }
      kept.isInUse = true
      return kept
    }
    let statement = try Statement(sql, on: connection)
    if order.count >= capacity { dropOldest() }
    statements[sql] = statement
    order.append(sql)
    statement.isInUse = true
    return statement
  }

  package func giveBack(_ statement: Statement) {
    statement.clear()
    statement.isInUse = false
  }

  package mutating func removeAll() {
    statements.removeAll()
    order.removeAll()
  }

  private mutating func dropOldest() {
    guard let index = order.firstIndex(where: { statements[$0]?.isInUse != true }) else { return }
    statements[order.remove(at: index)] = nil
  }
}

/// The text of a statement under a number of the process.
///
/// Connections find the prepared statement by the number, which costs less than hashing the text.
package struct NumberedText: Sendable {
  package let sql: String
  package let number = NumberedText.nextNumber()

  package init(_ sql: String) { self.sql = sql }

  private static let numbers = Atomic<Int>(0)
  package static func nextNumber() -> Int { numbers.add(1, ordering: .relaxed).newValue }
}
