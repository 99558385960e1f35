/// A position in the history of one store.
///
/// In a file, transactions become visible in the order of their numbers, so a number is enough. On a server, a transaction
/// with a lower number can be committed after one with a higher number. There, ``mark`` tells which transactions are
/// before the position.
package struct HistoryPosition: Hashable, Sendable {
  /// The number of the last transaction before the position; 0 before the first transaction.
  package var number: Int64
  /// Nil if the numbers alone tell the order.
  package var mark: HistoryMark?

  package init(_ number: Int64, _ mark: HistoryMark? = nil) {
    self.number = number
    self.mark = mark
  }

  /// The position before all transactions.
  package static let beginning = HistoryPosition(0)

  /// The position before the transaction with the number of this position.
  var before: Self { Self(number &- 1, mark) }

  /// Returns true if a transaction is before the position.
  ///
  /// - Parameter xid: the transaction ID in the server; 0 for a transaction of an earlier epoch.
  private func contains(_ number: Int64, epoch: Int64, xid: UInt64) -> Bool {
    guard case .reader(let own, let seen, let current)? = mark else { return number <= self.number }
    guard own == epoch else { return xid == 0 && number <= self.number }
    return seen?.contains(xid) == true || (number <= self.number && current.contains(xid))
  }
}

/// The part of a position on a server that the number does not tell.
package enum HistoryMark: Hashable, Sendable {
  /// The position of one transaction, with its transaction ID; 0 for a transaction of an earlier epoch, which all snapshots
  /// contain.
  case transaction(epoch: Int64, xid: UInt64)
  /// The position of a reader. It has read all transactions that `seen` contains, and those of `current` up to the number.
  ///
  /// The epoch counts how often the server was replaced by a copy of itself. `seen` is nil if the reader began with the
  /// first transaction.
  case reader(epoch: Int64, seen: TransactionSnapshot?, current: TransactionSnapshot)
}

extension HistoryPosition: Comparable {
  /// Returns true if the left position is before the right one.
  ///
  /// The positions of readers are compared as one reader reaches them: a later snapshot ends later, or has fewer running
  /// transactions.
  package static func < (lhs: Self, rhs: Self) -> Bool {
    switch (lhs.mark, rhs.mark) {
    case (.transaction(let epoch, let xid)?, .reader?):
      lhs.number != rhs.number && rhs.contains(lhs.number, epoch: epoch, xid: xid)
    case (.reader?, .transaction(let epoch, let xid)?): !lhs.contains(rhs.number, epoch: epoch, xid: xid)
    case (.reader(let left, _, let mine)?, .reader(let right, _, let other)?):
      (left, mine.end, other.running.count, lhs.number) < (right, other.end, mine.running.count, rhs.number)
    default: lhs.number < rhs.number
    }
  }
}

/// The transactions of a server that a statement saw: PostgreSQL's `pg_snapshot`.
///
/// A server crash can lose a transaction, above all an aborted one, and its ID is used again. So a
/// snapshot that is kept ends with a transaction of the history, see ``through(_:_:)``.
package struct TransactionSnapshot: Hashable, Sendable, CustomStringConvertible {
  /// All transactions with a lower ID are visible.
  package let first: UInt64
  /// No transaction from this ID on is visible.
  package let end: UInt64
  /// The transactions between the two that are not visible, in ascending order.
  fileprivate let running: [UInt64]
  /// The save of the transaction before ``end``; nil if it is not known. A server without that save has lost it.
  package let save: String?

  /// Reads the text form of a `pg_snapshot`, such as `100:104:100,102`, which the save can follow; nil for another text.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard 3...4 ~= parts.count, let first = UInt64(parts[0]), let end = UInt64(parts[1]), first <= end else {
      return nil
    }
    let texts = parts[2].split(separator: ",", omittingEmptySubsequences: false)
    let running = parts[2].isEmpty ? [] : texts.compactMap { UInt64($0) }
    guard parts[2].isEmpty || running.count == texts.count else { return nil }
    self.first = first
    self.end = end
    self.running = running.sorted()
    save = parts.count == 4 ? String(parts[3]) : nil
  }

  /// A snapshot with all transactions before an ID.
  package init(before end: UInt64) {
    self.init(first: end, end: end, running: [])
  }

  /// The transactions that one of two snapshots contains. A standby can lack transactions that its primary has shown.
  package func union(_ other: Self) -> Self {
    let (earlier, later) = end <= other.end ? (self, other) : (other, self)
    let running = later.running.filter { !earlier.contains($0) }
    return Self(first: running.first ?? later.end, end: later.end, running: running, save: later.save)
  }

  private init(first: UInt64, end: UInt64, running: [UInt64], save: String? = nil) {
    self.first = first
    self.end = end
    self.running = running
    self.save = save
  }

  /// The part of the snapshot up to one of its transactions, whose save is given.
  ///
  /// PostgreSQL writes a transaction's end to disk before concurrent transactions see it. Then all lower IDs are in use, also
  /// after a crash. IDs above the visible transactions are not.
  package func through(_ last: UInt64, _ save: String?) -> Self {
    let end = last < end ? last + 1 : end
    return Self(first: min(first, end), end: end, running: running.filter { $0 < end }, save: save)
  }

  /// The snapshot with one more transaction. Later ones with lower IDs count as running.
  ///
  /// - Returns: nil if there would be many running transactions.
  package func including(_ xid: UInt64) -> Self? {
    guard xid < end || xid - end <= Self.mostAdded else { return nil }
    let later = xid < end ? [] : Array(end..<xid)
    let running = self.running.filter { $0 != xid } + later
    let end = max(end, xid + 1)
    return Self(first: running.first ?? end, end: end, running: running)
  }

  private static let mostAdded: UInt64 = 64

  package func contains(_ xid: UInt64) -> Bool {
    guard xid >= first, xid < end else { return xid < first }
    var (low, high) = (0, running.count)
    while low < high {
      let middle = (low + high) / 2
      if running[middle] < xid { low = middle + 1 } else { high = middle }
    }
    return low == running.count || running[low] != xid
  }

  /// PostgreSQL's text form, without the save.
  package var description: String { "\(first):\(end):\(running.map(String.init).joined(separator: ","))" }

  fileprivate var text: String { save.map { "\(description):\($0)" } ?? description }
}

extension HistoryPosition: Codable {
  /// A number, or a text such as `17/2/100:105:/100:110:103:SAVE`: the number, the epoch and the snapshots of a reader.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int64.self) {
      self.init(number)
      return
    }
    let parts = try container.decode(String.self).split(separator: "/", omittingEmptySubsequences: false)
    let seen = parts.count == 4 ? TransactionSnapshot(parts[2]) : nil
    guard parts.count == 4, let number = Int64(parts[0]), let epoch = Int64(parts[1]),
      seen != nil || parts[2].isEmpty, let current = TransactionSnapshot(parts[3])
    else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "this is no position of a history")
    }
    self.init(number, .reader(epoch: epoch, seen: seen, current: current))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    guard case .reader(let epoch, let seen, let current)? = mark else { return try container.encode(number) }
    try container.encode("\(number)/\(epoch)/\(seen?.text ?? "")/\(current.text)")
  }
}
