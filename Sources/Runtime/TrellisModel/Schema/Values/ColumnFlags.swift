import Synchronization

/// A store's columns that may contain unusual values: text that is not NFC, or NaN.
///
/// A flag is set in memory before the transaction that needs it commits, so that every reader in this process takes the
/// flag into account. Other processes read the flags from the metadata table after a commit. A flag is never cleared.
package final class ColumnFlags: Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case nonNFC = "not NFC"
    case nan = "NaN"
  }

  package struct Mark: Hashable, Sendable {
    package var kind: Kind
    package var table: String
    package var column: String

    package init(kind: Kind, table: String, column: String) {
      self.kind = kind
      self.table = table
      self.column = column
    }
  }

  private let marks: Mutex<Set<Mark>>
  private let count: Atomic<Int>

  package init(_ marks: Set<Mark> = []) {
    self.marks = Mutex(marks)
    self.count = Atomic(marks.count)
  }

  /// Increases each time a column flag is set.
  package var generation: Int { count.load(ordering: .acquiring) }

  package func mayHoldNonNFC(_ table: String, _ column: String) -> Bool {
    contains(Mark(kind: .nonNFC, table: table, column: column))
  }

  func mayHoldNaN(_ table: String, _ column: String) -> Bool {
    contains(Mark(kind: .nan, table: table, column: column))
  }

  package func contains(_ mark: Mark) -> Bool { marks.withLock { $0.contains(mark) } }

  package func formUnion(_ new: some Sequence<Mark>) {
    marks.withLock { marks in
      marks.formUnion(new)
      count.store(marks.count, ordering: .releasing)
    }
  }
}
