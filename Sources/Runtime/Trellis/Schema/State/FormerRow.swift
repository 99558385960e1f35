/// The values a model had at the last save or fetch.
struct FormerRow {
  let batch: SnapshotBatch
  let index: Int
  /// What others have overwritten since the context has changed it; see `ModelContext+Conflicts.swift`.
  var overtaken: Overtaken?

  /// Values as they were when they were changed.
  final class Overtaken: Sendable {
    let batch: SnapshotBatch
    let slots: PropertySet

    init(_ batch: SnapshotBatch, _ slots: PropertySet) {
      self.batch = batch
      self.slots = slots
    }
  }

  /// A batch of this row alone.
  init(_ batch: SnapshotBatch) {
    self.batch = batch
    index = 0
  }

  init(_ batch: SnapshotBatch, _ index: Int) {
    self.batch = batch
    self.index = index
  }

  func reference(_ slot: Int) -> PersistentIdentifier? { batch.reference(index, slot) }
  func restore(_ model: any PersistentModel) { batch.restore(index, model) }
}
