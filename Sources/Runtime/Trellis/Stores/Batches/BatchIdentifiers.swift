/// The identifiers of the rows of a batch, in the order of its snapshots.
///
/// Consecutive keys take the memory of one, so the identifiers of a million new rows take little memory.
///
///     let teams = try context.insert(contentsOf: names.map { Team.Snapshot(name: $0) })
///     try context.insert(contentsOf: players.map {
///       Player.Snapshot(name: $0.name, team: teams.identifiers[$0.team])
///     })
public struct BatchIdentifiers: RandomAccessCollection, Sendable {
  private struct Run: Sendable {
    var first: PersistentIdentifier
    /// The position of the first one.
    var start: Int
    var count: Int
  }

  private var runs: [Run] = []
  public private(set) var endIndex = 0

  init() {}

  public var startIndex: Int { 0 }

  /// The identifier of the row of a snapshot.
  public subscript(position: Int) -> PersistentIdentifier {
    precondition(indices.contains(position), "a batch has no snapshot of that number")
    var low = 0
    var high = runs.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if runs[middle].start <= position { low = middle } else { high = middle }
    }
    let run = runs[low]
    guard let row = run.first.row else { return run.first }
    return PersistentIdentifier(
      key: .integer(row + Int64(position - run.start)), token: run.first.token)
  }

  mutating func append(_ identifier: PersistentIdentifier) {
    if let row = identifier.row, let last = runs.last, last.first.token == identifier.token,
      let first = last.first.row, first &+ Int64(last.count) == row
    {
      runs[runs.count - 1].count += 1
    } else {
      runs.append(Run(first: identifier, start: endIndex, count: 1))
    }
    endIndex += 1
  }

  mutating func append(_ rows: RowRuns.Run, _ token: IdentifierToken) {
    runs.append(
      Run(
        first: PersistentIdentifier(token: token, row: rows.first), start: endIndex,
        count: rows.keys.count))
    endIndex += rows.keys.count
  }

  mutating func append(contentsOf other: BatchIdentifiers) {
    for run in other.runs {
      runs.append(Run(first: run.first, start: endIndex, count: run.count))
      endIndex += run.count
    }
  }
}

/// The result of a batch of snapshots.
public struct BatchResult: Sendable {
  /// The number of new rows.
  public internal(set) var insertedCount = 0
  /// The number of snapshots that have overwritten an existing row or a row of the same batch.
  public internal(set) var updatedCount = 0
  /// The row of each snapshot: a new row, an overwritten row, or an existing row that the policy `.keep` has left
  /// unchanged.
  public internal(set) var identifiers = BatchIdentifiers()

  /// The number of snapshots.
  public var count: Int { identifiers.count }

  mutating func append(_ other: BatchResult) {
    insertedCount += other.insertedCount
    updatedCount += other.updatedCount
    identifiers.append(contentsOf: other.identifiers)
  }
}

/// The temporary identifiers of rows. Consecutive identifiers of consecutive rows take the memory of one.
struct SerialRuns {
  private struct Run {
    var serial: Int64
    var row: Int64
    var count: Int64
  }

  private var runs: [Run] = []

  mutating func append(_ serial: Int64, row: Int64) {
    if let last = runs.last, last.serial + last.count == serial, last.row + last.count == row {
      runs[runs.count - 1].count += 1
    } else {
      runs.append(Run(serial: serial, row: row, count: 1))
    }
  }

  func serial(of row: Int64) -> Int64? {
    guard let run = runs.first(where: { $0.row <= row && row < $0.row + $0.count }) else {
      return nil
    }
    return run.serial + (row - run.row)
  }
}
