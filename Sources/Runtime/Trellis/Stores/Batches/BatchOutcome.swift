/// Writes the snapshots of a batch.
package protocol BatchWriter: AnyObject {
  /// Writes a portion of the snapshots, and keeps none of them.
  func add(_ snapshots: SnapshotBuffer) throws
}

/// Gives the snapshots of a batch to a writer, portion by portion.
package typealias BatchBody = (any BatchWriter) throws -> Void

/// The effects of a batch on a store, from which the context makes a commit.
package struct BatchOutcome {
  var result = BatchResult()
  /// The rows with new values; nil if there are too many.
  var updated: [PersistentIdentifier]? = []

  /// The position of the history after the batch.
  var historyToken: DefaultHistoryToken?

  /// True if other contexts have the commit already.
  var isTold = false

  init() {}

  /// The outcome of a batch that has only inserted rows.
  package init(inserted rows: RowRuns, _ token: IdentifierToken, _ historyToken: DefaultHistoryToken?) {
    for run in rows.runs { result.identifiers.append(run, token) }
    result.insertedCount = result.count
    self.historyToken = historyToken
  }

  mutating func noteUpdate(_ identifier: PersistentIdentifier) {
    guard let known = updated?.count, known < Commit.longest else {
      updated = nil
      return
    }
    updated?.append(identifier)
  }

  func commit(of definition: ModelDefinition, _ schema: Schema) -> Commit {
    guard let updated else { return Commit(isWholesale: true) }
    var commit = Commit()
    commit.updated = updated
    commit.entities = Set(updated.lazy.map(\.token)).reduce(into: [definition.root.entityName]) {
      $0.insert($1.entry.entity)
    }
    var changes = ClassChanges()
    if result.insertedCount > 0 { changes.addComingOrGoing(definition) }
    if !updated.isEmpty {
      for name in commit.entities {
        for entity in schema.entitiesByName[name]?.root.hierarchy ?? [] {
          guard let definition = entity.definition else { continue }
          var change = ClassChange(definition)
          change.isUnknown = true
          changes.add(change)
        }
      }
    }
    commit.changes = changes
    return commit
  }
}

/// Reports the progress of a batch to the caller: after each interval, and after each second.
@usableFromInline package final class BatchProgress {
  @usableFromInline package let interval: Int
  /// True if the snapshots can be visited again, without a trace of the first visit for the program.
  package let isRepeatable: Bool
  @usableFromInline let isReporting: Bool
  private let report: ((Int) throws -> Void)?
  /// The count of the next report; `Int.max` without reports.
  package private(set) var nextCount: Int
  private var lastReport = ContinuousClock.now

  /// - Parameter isStored: true if the snapshots are in memory.
  @usableFromInline init(interval: Int, isStored: Bool, report: ((Int) throws -> Void)?) {
    self.interval = max(1, interval)
    self.report = report
    isReporting = report != nil
    isRepeatable = isStored && report == nil
    nextCount = report == nil ? .max : self.interval
  }

  /// True if the last report was a second ago.
  @usableFromInline var isLate: Bool { ContinuousClock.now - lastReport >= .seconds(1) }

  /// Reports the number of snapshots so far if a report is due, or if a chunk is saved.
  package func update(_ count: Int, isSaved: Bool = false) throws {
    guard let report, isSaved || count >= nextCount || isLate else { return }
    nextCount = count - count % interval + interval
    try report(count)
    lastReport = .now
  }
}

extension BatchProgress {
  /// Passes snapshots on in contiguous memory: an array as a whole, other sequences in parts.
  ///
  /// Inlined into the module of the snapshots, where the compiler knows the sequence.
  @inlinable func visit<Snapshots: Sequence>(
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

extension SwiftDataError.Violation {
  /// A snapshot has not all the values of the row.
  static func overwriting(
    _ model: PersistentIdentifier, _ entity: String, with snapshot: String
  ) -> Self {
    Self(
      model: model, properties: [],
      reason: "is of a \(entity), which a snapshot of \(snapshot) cannot overwrite: use "
        + "'\(entity).Snapshot'")
  }

  /// A snapshot of an insertion has the identifier of a row.
  package static func savedAlready(_ model: PersistentIdentifier) -> Self {
    Self(
      model: model, properties: [], rule: .unique,
      reason: "is saved already: use 'upsert(contentsOf:)' to overwrite it, or give the snapshot a new identifier")
  }

  /// A snapshot lacks a required reference.
  package static func missing(_ relation: Relation, of model: PersistentIdentifier) -> Self {
    Self(
      model: model, properties: [relation.property.name], rule: .required,
      reason: "required, but there is no \(relation.destination.entityName)")
  }

  /// A batch cannot write a list that follows from its members.
  package static func derivedList(
    _ relation: Relation, of model: PersistentIdentifier, _ definition: ModelDefinition
  ) -> Self {
    let inverse = relation.inverse?.name ?? ""
    return Self(
      model: model, properties: [relation.property.name],
      reason: "is made of the '\(inverse)' of its members: leave it out, and give each "
        + "\(relation.destination.entityName) this \(definition.entityName) as its '\(inverse)'")
  }
}
