/// A model's rows as contiguous typed values. Snapshots are views into a buffer.
///
/// A whole save, or a whole page of a fetch, uses one allocation. Only one owner fills a buffer, and a buffer is never
/// written after it has returned a snapshot.
package class SnapshotBuffer: @unchecked Sendable {  // never written after it is shared
  package var count: Int { 0 }
  package var definition: ModelDefinition? { nil }
  package func identifier(_ index: Int) -> PersistentIdentifier {
    PersistentIdentifier(token: .interned(store: nil, entity: ""), row: 0)
  }
  package func setIdentifier(_ index: Int, _ identifier: PersistentIdentifier) {}
  package func bind(_ index: Int, to row: inout StatementBinder) throws {}
  /// Passes a row's values to a writer.
  package final func write(_ index: Int, to writer: any RowWriter) throws {
    var row = StatementBinder(writer)
    try bind(index, to: &row)
  }
  package func reference(_ index: Int, _ slot: Int) -> PersistentIdentifier? { nil }
  package func setReference(_ index: Int, _ slot: Int, _ identifier: PersistentIdentifier?) {}
  package func references(_ index: Int, _ slot: Int) -> [PersistentIdentifier]? { nil }
  package func setReferences(_ index: Int, _ slot: Int, _ identifiers: [PersistentIdentifier]?) {}
  package func makeModel(_ index: Int) -> (any PersistentModel)? { nil }
  package func restore(_ index: Int, _ model: any PersistentModel) {}
  /// Appends a row from a buffer of the same model.
  package func append(_ other: SnapshotBuffer, _ index: Int) {}
  /// Returns a one-row buffer with a copy of the row.
  package func copy(_ index: Int) -> SnapshotBuffer { SnapshotBuffer() }
}

/// Rows for a model that has no class and is described by a tool.
package protocol DescribedRows: Sendable {
  var count: Int { get }
  var definition: ModelDefinition { get }
  func identifier(_ index: Int) -> PersistentIdentifier
  func references(_ index: Int, _ slot: Int) -> [PersistentIdentifier]?
  func bind(_ index: Int, to row: inout StatementBinder) throws
}

package final class DescribedBuffer: SnapshotBuffer, @unchecked Sendable {  // like the superclass
  private let rows: any DescribedRows

  package init(_ rows: any DescribedRows) { self.rows = rows }

  package override var count: Int { rows.count }
  package override var definition: ModelDefinition? { rows.definition }
  package override func identifier(_ index: Int) -> PersistentIdentifier { rows.identifier(index) }
  package override func bind(_ index: Int, to row: inout StatementBinder) throws { try rows.bind(index, to: &row) }
  package override func references(_ index: Int, _ slot: Int) -> [PersistentIdentifier]? {
    rows.references(index, slot)
  }
}

/// A snapshot type's rows in manually managed memory. In generic code, an array would copy a row for every access.
package final class TypedBuffer<S: ModelSnapshot>: SnapshotBuffer, @unchecked Sendable {  // like the superclass
  // No call made during an access reenters the buffer.
  @exclusivity(unchecked) private var rows: UnsafeMutablePointer<S>
  @exclusivity(unchecked) private var used = 0
  @exclusivity(unchecked) private var capacity: Int
  private let ownsRows: Bool

  package init(capacity: Int) {
    self.capacity = max(capacity, 1)
    rows = .allocate(capacity: self.capacity)
    ownsRows = true
    super.init()
  }

  /// Creates a buffer that reads snapshots in place. The buffer and its snapshots must not be written, or used after
  /// the given memory has been released.
  package init(borrowing snapshots: UnsafeBufferPointer<S>) {
    capacity = snapshots.count
    used = snapshots.count
    rows = snapshots.baseAddress.map { UnsafeMutablePointer(mutating: $0) } ?? .allocate(capacity: 1)
    ownsRows = snapshots.baseAddress == nil
    super.init()
  }

  deinit {
    guard ownsRows else { return }
    rows.deinitialize(count: used)
    rows.deallocate()
  }

  /// The first row.
  var first: S? { used > 0 ? rows.pointee : nil }

  /// Returns a row's values.
  package func values(_ index: Int) -> S? { row(index)?.pointee }

  /// Returns the next row's address. Call ``advance()`` after initializing it.
  func nextRow() -> UnsafeMutablePointer<S> {
    if used == capacity { grow() }
    return rows + used
  }

  func advance() { used += 1 }

  package func append(_ row: consuming S) {
    nextRow().initialize(to: row)
    used += 1
  }

  private func grow() {
    let larger = UnsafeMutablePointer<S>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: rows, count: used)
    rows.deallocate()
    rows = larger
    capacity *= 2
  }

  /// Returns a row's address; nil if no row has the index.
  private func row(_ index: Int) -> UnsafeMutablePointer<S>? {
    index >= 0 && index < used ? rows + index : nil
  }

  package override var count: Int { used }
  package override var definition: ModelDefinition? { S.Model._$definition }

  package override func identifier(_ index: Int) -> PersistentIdentifier {
    guard let row = row(index) else { return super.identifier(0) }
    return row.place.pointee.identifier
  }

  package override func setIdentifier(_ index: Int, _ identifier: PersistentIdentifier) {
    row(index)?.pointee.persistentIdentifier = identifier
  }

  package override func bind(_ index: Int, to row: inout StatementBinder) throws {
    guard let own = self.row(index) else { return }
    do {
      try own.place.pointee.write(to: &row)
    } catch let error as UnencodableValue {
      throw error.violation(of: identifier(index), definition?.layout.columns.map(\.name) ?? [])
    }
  }

  package override func reference(_ index: Int, _ slot: Int) -> PersistentIdentifier? {
    guard let row = row(index) else { return nil }
    return row.place.pointee.reference(slot)
  }

  package override func setReference(_ index: Int, _ slot: Int, _ identifier: PersistentIdentifier?) {
    row(index)?.pointee.setReference(slot, to: identifier)
  }

  package override func references(_ index: Int, _ slot: Int) -> [PersistentIdentifier]? {
    guard let row = row(index) else { return nil }
    return row.place.pointee.references(slot)
  }

  package override func setReferences(_ index: Int, _ slot: Int, _ identifiers: [PersistentIdentifier]?) {
    row(index)?.pointee.setReferences(slot, to: identifiers)
  }

  package override func makeModel(_ index: Int) -> (any PersistentModel)? {
    guard let row = row(index) else { return nil }
    return row.pointee.makeModel()
  }

  package override func restore(_ index: Int, _ model: any PersistentModel) {
    guard let row = row(index), let model = model as? S.Model else { return }
    row.place.pointee.restore(model)
  }

  package override func append(_ other: SnapshotBuffer, _ index: Int) {
    guard let row = (other as? TypedBuffer<S>)?.row(index) else { return }
    append(row.pointee)
  }

  package override func copy(_ index: Int) -> SnapshotBuffer {
    let buffer = TypedBuffer<S>(capacity: 1)
    if let row = row(index) { buffer.append(row.pointee) }
    return buffer
  }
}

/// A snapshot at a fixed memory address.
///
/// Before generic code calls a method on a pointee, it copies the pointee, and retains and releases every string in it.
/// Methods of a noncopyable type are called in place.
struct SnapshotPlace<S: ModelSnapshot>: ~Copyable {
  private let values: S

  @inline(__always) var identifier: PersistentIdentifier { values.persistentIdentifier }

  @inline(__always) borrowing func write(to row: inout StatementBinder) throws {
    try values.write(to: &row)
  }

  @inline(__always) borrowing func reference(_ slot: Int) -> PersistentIdentifier? {
    values.reference(slot)
  }

  @inline(__always) borrowing func references(_ slot: Int) -> [PersistentIdentifier]? {
    values.references(slot)
  }

  @inline(__always) borrowing func restore(_ model: S.Model) { values.restore(model) }
}

extension UnsafePointer where Pointee: ModelSnapshot {
  /// The same address as a place, because a struct with a single property has that property's layout.
  @inline(__always) var place: UnsafePointer<SnapshotPlace<Pointee>> {
    UnsafeRawPointer(self).assumingMemoryBound(to: SnapshotPlace<Pointee>.self)
  }
}

extension UnsafeMutablePointer where Pointee: ModelSnapshot {
  @inline(__always) var place: UnsafePointer<SnapshotPlace<Pointee>> { UnsafePointer(self).place }
}

extension SnapshotBuffer {
  /// Replaces every reference in a row. Only the buffer's owner may call this method.
  package func mapReferences(
    _ index: Int, _ transform: (PersistentIdentifier) -> PersistentIdentifier
  ) {
    guard let layout = definition?.layout else { return }
    for column in layout.columns where column.kind.isRelationship {
      guard let old = reference(index, column.slot) else { continue }
      let new = transform(old)
      if new != old { setReference(index, column.slot, new) }
    }
    for list in layout.lists {
      guard let old = references(index, list.slot) else { continue }
      let new = old.map(transform)
      if new != old { setReferences(index, list.slot, new) }
    }
  }

  /// Returns true if a reference in a row satisfies the condition.
  package func references(_ index: Int, contain condition: (PersistentIdentifier) -> Bool) -> Bool {
    guard let layout = definition?.layout else { return false }
    return layout.columns.contains { $0.kind.isRelationship && reference(index, $0.slot).map(condition) == true }
      || layout.lists.contains { references(index, $0.slot)?.contains(where: condition) == true }
  }
}
