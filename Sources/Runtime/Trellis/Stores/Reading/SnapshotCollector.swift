/// Turns rows into snapshots: one batch per entity.
struct SnapshotCollector {
  private(set) var snapshots: [DefaultSnapshot] = []
  private var batches: [(definition: ModelDefinition, batch: SnapshotBatch)] = []

  /// The rows by class, for whoever has to complete them before anybody sees them.
  var filled: [SnapshotBatch] { batches.map(\.batch) }

  mutating func add(_ row: inout StatementRow) throws {
    let definition = row.definition
    let batch = batch(for: definition)
    try definition.codec.read(statement: &row, into: batch)
    snapshots.append(DefaultSnapshot(batch: batch, index: batch.count - 1))
  }

  private mutating func batch(for definition: ModelDefinition) -> SnapshotBatch {
    if let known = batches.first(where: { $0.definition === definition }) { return known.batch }
    let batch = definition.codec.makeBatch(capacity: 16)
    batches.append((definition, batch))
    return batch
  }
}
