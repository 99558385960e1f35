/// Typed values of rows of one model, side by side: what snapshots are views into.
///
/// One allocation for a whole save or a whole page of a fetch. A batch is filled by one owner and
/// never written once a snapshot of it is handed out.
class SnapshotBatch: @unchecked Sendable {  // never written after it is shared
  var count: Int { 0 }
  var definition: ModelDefinition? { nil }
  func identifier(_ index: Int) -> PersistentIdentifier {
    PersistentIdentifier(token: .interned(store: nil, entity: ""), row: 0)
  }
  func setIdentifier(_ index: Int, _ identifier: PersistentIdentifier) {}
  func bind(_ index: Int, to row: inout StatementBinder) throws {}
  func write<W: RowWriter>(_ index: Int, to row: inout W) throws {}
  func reference(_ index: Int, _ slot: Int) -> PersistentIdentifier? { nil }
  func setReference(_ index: Int, _ slot: Int, _ identifier: PersistentIdentifier?) {}
  func references(_ index: Int, _ slot: Int) -> [PersistentIdentifier]? { nil }
  func setReferences(_ index: Int, _ slot: Int, _ identifiers: [PersistentIdentifier]?) {}
  func makeModel(_ index: Int) -> (any PersistentModel)? { nil }
  func restore(_ index: Int, _ model: any PersistentModel) {}
  /// Appends a row of a batch of the same model.
  func append(_ other: SnapshotBatch, _ index: Int) {}
  /// A batch of one with a copy of the row.
  func copy(_ index: Int) -> SnapshotBatch { SnapshotBatch() }
}

final class TypedBatch<S: ModelSnapshot>: SnapshotBatch, @unchecked Sendable {  // as its superclass
  var rows: ContiguousArray<S> = []

  init(capacity: Int) {
    super.init()
    rows.reserveCapacity(capacity)
  }

  override var count: Int { rows.count }
  override var definition: ModelDefinition? { S.Model._$definition }

  // Read where they lie: in generic code `rows[index]` alone would copy the whole row.
  override func identifier(_ index: Int) -> PersistentIdentifier {
    rows.withUnsafeBufferPointer { rows in
      guard rows.indices ~= index, let first = rows.baseAddress else { return super.identifier(0) }
      return (first + index).pointee.persistentIdentifier
    }
  }

  override func setIdentifier(_ index: Int, _ identifier: PersistentIdentifier) {
    rows[index].persistentIdentifier = identifier
  }

  override func bind(_ index: Int, to row: inout StatementBinder) throws {
    try rows.withUnsafeBufferPointer { rows in
      guard rows.indices ~= index, let first = rows.baseAddress else { return }
      try (first + index).pointee.bind(to: &row)
    }
  }

  override func write<W: RowWriter>(_ index: Int, to row: inout W) throws {
    try rows[index].write(to: &row)
  }

  override func reference(_ index: Int, _ slot: Int) -> PersistentIdentifier? {
    rows[index][reference: slot]
  }

  override func setReference(_ index: Int, _ slot: Int, _ identifier: PersistentIdentifier?) {
    rows[index][reference: slot] = identifier
  }

  override func references(_ index: Int, _ slot: Int) -> [PersistentIdentifier]? {
    rows[index][references: slot]
  }

  override func setReferences(_ index: Int, _ slot: Int, _ identifiers: [PersistentIdentifier]?) {
    rows[index][references: slot] = identifiers
  }

  override func makeModel(_ index: Int) -> (any PersistentModel)? { rows[index].makeModel() }

  override func restore(_ index: Int, _ model: any PersistentModel) {
    guard let model = model as? S.Model else { return }
    rows[index].restore(model)
  }

  override func append(_ other: SnapshotBatch, _ index: Int) {
    guard let other = other as? TypedBatch<S> else { return }
    rows.append(other.rows[index])
  }

  override func copy(_ index: Int) -> SnapshotBatch {
    let batch = TypedBatch<S>(capacity: 1)
    batch.rows.append(rows[index])
    return batch
  }
}
