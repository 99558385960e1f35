import Synchronization

/// What the columns of a store may hold besides the ordinary: text that is not NFC, NaN.
///
/// A mark is set in memory before the transaction that first needs it is committed, so that nobody
/// in this process reads such a value unprepared; for the sake of other processes it is a row of
/// the metadata table, too, and read again after they have committed. A mark is never taken back.
final class StoreMarks: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case nonNFC = "not NFC"
    case nan = "NaN"
  }

  struct Mark: Hashable, Sendable {
    var kind: Kind
    var table: String
    var column: String
  }

  private let marks: Mutex<Set<Mark>>
  private let count: Atomic<Int>

  init(_ marks: Set<Mark> = []) {
    self.marks = Mutex(marks)
    self.count = Atomic(marks.count)
  }

  /// Another number whenever there are new marks.
  var generation: Int { count.load(ordering: .acquiring) }

  func mayHoldNonNFC(_ table: String, _ column: String) -> Bool {
    contains(Mark(kind: .nonNFC, table: table, column: column))
  }

  func mayHoldNaN(_ table: String, _ column: String) -> Bool {
    contains(Mark(kind: .nan, table: table, column: column))
  }

  func contains(_ mark: Mark) -> Bool { marks.withLock { $0.contains(mark) } }

  func formUnion(_ new: some Sequence<Mark>) {
    marks.withLock { marks in
      marks.formUnion(new)
      count.store(marks.count, ordering: .releasing)
    }
  }
}
