/// A snapshot where it lies in memory.
///
/// Generic code copies what a pointer leads to before it calls one of its functions, with a reference
/// count up and down for every text of the snapshot. What cannot be copied is called in its place.
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
  /// The same memory: a struct of one property is laid out as that property.
  @inline(__always) var place: UnsafePointer<SnapshotPlace<Pointee>> {
    UnsafeRawPointer(self).assumingMemoryBound(to: SnapshotPlace<Pointee>.self)
  }
}

extension UnsafeMutablePointer where Pointee: ModelSnapshot {
  @inline(__always) var place: UnsafePointer<SnapshotPlace<Pointee>> { UnsafePointer(self).place }
}
