/// The former values of the models of a context that have changed since the last save: side by side,
/// since two allocations for each of them took longer than everything else about a change.
struct FormerValues {
  /// A batch goes when none of its models needs it any more: one that stays changed keeps the rows of
  /// at most so many others.
  private static let mostRows = 256

  private var batches: [ObjectIdentifier: Open] = [:]
  /// The one that was written to last.
  private var last: Open?

  private struct Open {
    let definition: ModelDefinition
    let batch: SnapshotBatch
    let capacity: Int
  }

  /// Keeps the present values of a model.
  mutating func capture(_ model: any PersistentModel) -> FormerRow {
    let definition = type(of: model)._$definition
    let batch: SnapshotBatch
    if let last, last.definition === definition, last.batch.count < last.capacity {
      batch = last.batch
    } else {
      batch = open(definition)
    }
    let index = batch.count
    definition.codec.capture(model, into: batch)
    return FormerRow(batch, index)
  }

  private mutating func open(_ definition: ModelDefinition) -> SnapshotBatch {
    let key = ObjectIdentifier(definition)
    let known = last?.definition === definition ? last : batches[key]
    if let last { batches[ObjectIdentifier(last.definition)] = last }
    if let known, known.batch.count < known.capacity {
      last = known
      return known.batch
    }
    // Never more than was asked for: what grew would move rows that a store may be reading.
    let capacity = known.map { min($0.capacity * 8, Self.mostRows) } ?? 1
    let batch = definition.codec.makeBatch(capacity: capacity)
    last = Open(definition: definition, batch: batch, capacity: capacity)
    return batch
  }

  /// Ends writing to the present batches, because a store gets their rows, or no model is changed any more.
  mutating func close() {
    last = nil
    if !batches.isEmpty { batches = [:] }
  }
}
