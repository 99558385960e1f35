/// The values of one model: one row of a batch.
///
/// Copying is free; the values are read by key path or by name. Departing from SwiftData, whose
/// snapshots can only be encoded.
///
///     let snapshot: DefaultSnapshot
///     snapshot[\Trip.name]           // String?
///     snapshot.value(named: "name")  // (any Sendable)?
public struct DefaultSnapshot: DataStoreSnapshot {
  let batch: SnapshotBatch
  let index: Int
  /// What a save knows beyond the values; nil in the many snapshots of inserted models.
  private let notes: Notes?

  private final class Notes: Sendable {
    let changed: PropertySet?
    let differing: PropertySet?
    let changedLists: PropertySet?
    let formerMembers: [Int: [PersistentIdentifier]]
    let remapping: IdentifierRemapping?

    init(
      changed: PropertySet?, differing: PropertySet?, changedLists: PropertySet?,
      formerMembers: [Int: [PersistentIdentifier]], remapping: IdentifierRemapping?
    ) {
      self.changed = changed
      self.differing = differing
      self.changedLists = changedLists
      self.formerMembers = formerMembers
      self.remapping = remapping
    }
  }

  /// The column slots that were written since the last save; nil: any of them may have been.
  var changed: PropertySet? { notes?.changed }

  /// Those of them that have other values than at the last save; nil where nobody has compared.
  var differing: PropertySet? { notes?.differing }

  /// The to-many slots whose members changed since the last save; nil: any of them may have.
  var changedLists: PropertySet? { notes?.changedLists }

  /// The members a changed list had when it was last read, by slot; nil where nobody knows. What
  /// others have added to the list since then is not to be taken out of it.
  func formerMembers(_ slot: Int) -> [PersistentIdentifier]? { notes?.formerMembers[slot] }

  /// Where the temporary identifiers among the references lead, when the snapshot was copied
  /// within a save.
  var remapping: IdentifierRemapping? { notes?.remapping }

  /// A row of a batch that is not going to be written any more.
  init(
    batch: SnapshotBatch, index: Int, changed: PropertySet? = nil, differing: PropertySet? = nil,
    changedLists: PropertySet? = nil, formerMembers: [Int: [PersistentIdentifier]] = [:],
    remapping: IdentifierRemapping? = nil
  ) {
    self.batch = batch
    self.index = index
    self.notes =
      changed == nil && changedLists == nil && remapping == nil
      ? nil
      : Notes(
        changed: changed, differing: differing, changedLists: changedLists,
        formerMembers: formerMembers, remapping: remapping)
  }

  /// Another row of the batch, of which a save knows the same.
  init(_ index: Int, like other: DefaultSnapshot) {
    batch = other.batch
    self.index = index
    notes = other.notes
  }

  /// Whether it is of the same batch and the save knows the same of it; false where it is not known
  /// at once.
  @inline(__always) func isLike(_ other: DefaultSnapshot) -> Bool {
    notes != nil && notes === other.notes && batch === other.batch
  }

  /// The identifier of the model.
  public var persistentIdentifier: PersistentIdentifier { batch.identifier(index) }

  /// Takes the values out of a model's storage.
  ///
  /// A to-many relationship that was not loaded stays so.
  public init(
    from backingData: any BackingData,
    relatedBackingDatas: inout [PersistentIdentifier: any BackingData]
  ) {
    self.init(batch: SnapshotBatch.row(of: backingData), index: 0)
  }

  /// The same values under another identifier; references to the keys of `remappedIdentifiers`
  /// become references to the values.
  ///
  /// Within a save it is enough to copy each inserted snapshot under its new identifier: references
  /// among them are resolved when the snapshots are encoded or given back to the context.
  public func copy(
    persistentIdentifier: PersistentIdentifier,
    remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]? = [:]
  ) -> DefaultSnapshot {
    let old = self.persistentIdentifier
    let row = batch.copy(index)
    row.setIdentifier(0, persistentIdentifier)
    let current = IdentifierRemapping.current
    if old.isTemporary, !persistentIdentifier.isTemporary {
      current?.record(old, as: persistentIdentifier)
    }
    if let remappedIdentifiers, !remappedIdentifiers.isEmpty {
      row.mapReferences(0) { remappedIdentifiers[$0] ?? $0 }
    }
    return DefaultSnapshot(
      batch: row, index: 0, changed: changed, differing: differing, changedLists: changedLists,
      formerMembers: notes?.formerMembers ?? [:], remapping: current ?? remapping)
  }

  /// The same snapshot of a save with other values.
  func replacing(_ row: SnapshotBatch) -> DefaultSnapshot {
    // Which of its values were written is no longer known.
    DefaultSnapshot(batch: row, index: 0, remapping: remapping)
  }

  /// The same snapshot with every reference to a model of the same save resolved.
  func resolved() -> DefaultSnapshot {
    guard let remapping, batch.references(index, contain: \.isTemporary) else { return self }
    let row = batch.copy(index)
    row.mapReferences(0) { remapping.resolve($0) }
    return DefaultSnapshot(
      batch: row, index: 0, changed: changed, changedLists: changedLists,
      formerMembers: notes?.formerMembers ?? [:])
  }
}
