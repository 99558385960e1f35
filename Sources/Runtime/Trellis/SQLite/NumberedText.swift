import Synchronization

/// The text of a statement under a number of the process.
///
/// Connections find the prepared statement by the number, which costs less than hashing the text.
struct NumberedText: Sendable {
  let sql: String
  let number = NumberedText.nextNumber()

  init(_ sql: String) { self.sql = sql }

  private static let numbers = Atomic<Int>(0)
  static func nextNumber() -> Int { numbers.add(1, ordering: .relaxed).newValue }
}
