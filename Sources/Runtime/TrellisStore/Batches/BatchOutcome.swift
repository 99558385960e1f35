/// A batch's effects on a store, from which the context creates a commit.
package struct BatchOutcome {
  package var result = BatchResult()
  /// The updated rows; `nil` if there are too many to list.
  package var updated: [PersistentIdentifier]? = []

  /// The history position after the batch.
  package var historyToken: DefaultHistoryToken?

  /// True if the commit has already been delivered to other contexts.
  package var isTold = false

  package init() {}

  /// Creates the outcome for a batch that only inserted rows.
  package init(inserted rows: RowRuns, _ token: IdentifierToken, _ historyToken: DefaultHistoryToken?) {
    for run in rows.runs { result.identifiers.append(run, token) }
    result.insertedCount = result.count
    self.historyToken = historyToken
  }

  package mutating func recordUpdate(_ identifier: PersistentIdentifier) {
    guard let known = updated?.count, known < Commit.longest else {
      updated = nil
      return
    }
    updated?.append(identifier)
  }

  package func commit(of definition: ModelDefinition, _ schema: Schema) -> Commit {
    guard let updated else { return Commit(isWholesale: true) }
    var commit = Commit(updated: updated)
    if result.insertedCount > 0 { commit.changes.addComingOrGoing(definition) }
    if !updated.isEmpty {
      commit.changes.addUnknown(Set(updated.lazy.map(\.entityName)).union([definition.root.entityName]), schema)
    }
    return commit
  }
}

/// Reports a batch's progress to the caller after every `interval` snapshots, and about once a second.
@usableFromInline package final class BatchProgress {
  @usableFromInline package let interval: Int
  /// True if iterating over the snapshots again has no effect that the app could observe.
  package let isRepeatable: Bool
  @usableFromInline let isReporting: Bool
  private let report: ((Int) throws -> Void)?
  /// The count at which the next report is due; `Int.max` if reports are off.
  package private(set) var nextCount: Int
  private var lastReport = ContinuousClock.now

  /// - Parameter isStored: True if the snapshots are in memory.
  @usableFromInline package init(interval: Int, isStored: Bool, report: ((Int) throws -> Void)?) {
    self.interval = max(1, interval)
    self.report = report
    isReporting = report != nil
    isRepeatable = isStored && report == nil
    nextCount = report == nil ? .max : self.interval
  }

  /// True if at least a second has passed since the last report.
  @usableFromInline var isLate: Bool { ContinuousClock.now - lastReport >= .seconds(1) }

  /// Reports the number of snapshots so far if a report is due or a chunk has just been saved.
  package func update(_ count: Int, isSaved: Bool = false) throws {
    guard let report, isSaved || count >= nextCount || isLate else { return }
    nextCount = count - count % interval + interval
    try report(count)
    lastReport = .now
  }
}

extension BatchProgress {
  /// Passes snapshots to `body` in contiguous memory: an array as a whole, other sequences in portions.
  ///
  /// Inlined into the caller's module, where the compiler can specialize the code for the sequence type.
  @inlinable package func visit<Snapshots: Sequence>(
    _ snapshots: Snapshots, _ body: (UnsafeBufferPointer<Snapshots.Element>) throws -> Void
  ) throws {
    let isDone: Void? = try snapshots.withContiguousStorageIfAvailable(body)
    guard isDone == nil else { return }
    let size = min(interval, 4096)
    var portion: [Snapshots.Element] = []
    for snapshot in snapshots {
      portion.append(snapshot)
      guard portion.count == size || isReporting && isLate else { continue }
      try portion.withUnsafeBufferPointer(body)
      portion.removeAll(keepingCapacity: true)
    }
    if !portion.isEmpty { try portion.withUnsafeBufferPointer(body) }
  }
}

/// The row identifiers for a batch, in snapshot order.
///
/// Runs of consecutive keys are stored compactly, so a million new rows require little memory.
///
/// ```swift
/// let start = Date.now
/// let trips = try context.insert(
///   contentsOf: ["Oslo", "Bergen"].map {
///     Trip.Snapshot(name: $0, destination: $0, startDate: start, endDate: start)
///   })
/// try context.insert(
///   contentsOf: trips.identifiers.map { BucketListItem.Snapshot(title: "Book a room", trip: $0) })
/// ```
public struct BatchIdentifiers: RandomAccessCollection, Sendable {
  private struct Run: Sendable {
    var first: PersistentIdentifier
    /// The first identifier's position.
    var start: Int
    var count: Int
  }

  private var runs: [Run] = []
  public private(set) var endIndex = 0

  init() {}

  public var startIndex: Int { 0 }

  /// The row identifier for a snapshot.
  public subscript(position: Int) -> PersistentIdentifier {
    precondition(indices.contains(position), "the batch has no snapshot at this index")
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

  /// Appends consecutive rows.
  package mutating func append(_ identifier: PersistentIdentifier, count: Int = 1) {
    if let row = identifier.row, let last = runs.last, last.first.token == identifier.token,
      let first = last.first.row, first &+ Int64(last.count) == row
    {
      runs[runs.count - 1].count += count
    } else {
      runs.append(Run(first: identifier, start: endIndex, count: count))
    }
    endIndex += count
  }

  mutating func append(_ rows: RowRuns.Run, _ token: IdentifierToken) {
    append(PersistentIdentifier(token: token, row: rows.first), count: rows.keys.count)
  }

  mutating func append(contentsOf other: BatchIdentifiers) {
    for run in other.runs { append(run.first, count: run.count) }
  }
}

/// The result of a snapshot batch.
///
/// ```swift
/// let start = Date.now
/// let trip = Trip.Snapshot(name: "Fjords", destination: "Bergen", startDate: start, endDate: start)
/// let result = try context.upsert(contentsOf: [trip, trip])  // equal unique values
/// print(result.insertedCount, result.updatedCount, result.count)  // 1 1 2
/// ```
public struct BatchResult: Sendable {
  /// The number of new rows.
  public package(set) var insertedCount = 0
  /// The number of snapshots that overwrote an existing row or a row in the same batch.
  public package(set) var updatedCount = 0
  /// The row for each snapshot: a new row, an overwritten row, or an existing row that the policy `.keep` left
  /// unchanged.
  public package(set) var identifiers = BatchIdentifiers()

  package init(insertedCount: Int = 0, updatedCount: Int = 0, identifiers: BatchIdentifiers = BatchIdentifiers()) {
    self.insertedCount = insertedCount
    self.updatedCount = updatedCount
    self.identifiers = identifiers
  }

  /// The number of snapshots.
  public var count: Int { identifiers.count }

  package mutating func append(_ other: BatchResult) {
    insertedCount += other.insertedCount
    updatedCount += other.updatedCount
    identifiers.append(contentsOf: other.identifiers)
  }
}
