/// Collects rows as snapshots, with a single buffer per entity.
package struct SnapshotCollector {
  package private(set) var snapshots: [DefaultSnapshot] = []
  private var buffers: [(definition: ModelDefinition, buffer: SnapshotBuffer)] = []

  package init() {}

  /// The collected rows, in a buffer per class. The caller may complete the rows before sharing them.
  package var filled: [SnapshotBuffer] { buffers.map(\.buffer) }

  package var byIdentifier: [PersistentIdentifier: DefaultSnapshot] {
    Dictionary(snapshots.map { ($0.persistentIdentifier, $0) }, uniquingKeysWith: { first, _ in first })
  }

  package mutating func add(_ row: inout StatementRow) throws {
    let definition = row.definition
    let buffer = buffer(for: definition)
    try definition.codec.read(statement: &row, into: buffer)
    snapshots.append(DefaultSnapshot(buffer: buffer, index: buffer.count - 1))
  }

  private mutating func buffer(for definition: ModelDefinition) -> SnapshotBuffer {
    if let known = buffers.first(where: { $0.definition === definition }) { return known.buffer }
    let buffer = definition.codec.makeBuffer(capacity: 16)
    buffers.append((definition, buffer))
    return buffer
  }
}

/// Reads rows in a consistent store state.
package protocol RowReading {
  /// Calls `row` for each existing model, in any order.
  func rows(of identifiers: [PersistentIdentifier], row: (inout StatementRow) throws -> Void) throws
  /// Calls `row` for every member of a to-many relationship, grouped by owner in any order. Each owner's members are
  /// ordered by position in an ordered list, otherwise by key.
  func members(
    _ request: DataStoreRelatedRequest,
    row: (_ owner: PersistentIdentifier, _ member: inout StatementRow) throws -> Void
  ) throws
  /// Like ``members(_:row:)``, but reads only keys.
  func visitMembers(
    _ request: DataStoreRelatedRequest,
    _ body: (_ owner: PersistentIdentifier, _ member: PersistentIdentifier) -> Void
  ) throws
}

extension RowReading {
  /// Fills in the members of every to-many relationship, because a caller that fetches snapshots cannot load them
  /// later. Contexts do not need this: they load lists on demand.
  ///
  /// - Parameter buffers: Rows from this store that have not been shared yet.
  package func fillLists(of buffers: [SnapshotBuffer]) throws {
    for buffer in buffers {
      guard let definition = buffer.definition else { continue }
      let owners = (0..<buffer.count).map { buffer.identifier($0) }
      for relation in definition.relations.toMany {
        var lists: [PersistentIdentifier: [PersistentIdentifier]] = [:]
        let request = DataStoreRelatedRequest(
          owners: owners, entityName: definition.entityName, slot: relation.slot)
        try visitMembers(request) { owner, member in lists[owner, default: []].append(member) }
        for (index, owner) in owners.enumerated() {
          buffer.setReferences(index, relation.slot, lists[owner] ?? [])
        }
      }
    }
  }

  /// Returns the related models that the fetch prefetches.
  package func relatedSnapshots<T: PersistentModel>(
    of snapshots: [DefaultSnapshot], _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier: DefaultSnapshot] {
    var collector = SnapshotCollector()
    for keyPath in request.descriptor.relationshipKeyPathsForPrefetching {
      guard let property = T._$definition.layout.property(for: keyPath),
        property.kind.isRelationship
      else { continue }
      if property.kind.isToMany {
        let related = DataStoreRelatedRequest(
          owners: snapshots.map(\.persistentIdentifier), entityName: T._$definition.entityName,
          slot: property.slot)
        try members(related) { try collector.add(&$1) }
      } else {
        let references = Set(snapshots.compactMap { $0.buffer.reference($0.index, property.slot) })
        try rows(of: references.sorted()) { try collector.add(&$0) }
      }
    }
    try fillLists(of: collector.filled)
    return collector.byIdentifier
  }

  /// Returns the models' stored rows, including lists.
  package func snapshots(of identifiers: [PersistentIdentifier]) throws -> SnapshotCollector {
    var collector = SnapshotCollector()
    try rows(of: identifiers) { try collector.add(&$0) }
    try fillLists(of: collector.filled)
    return collector
  }
}
