/// Turns rows into snapshots: one batch per entity.
struct SnapshotCollector {
  private(set) var snapshots: [DefaultSnapshot] = []
  private var batches: [(definition: ModelDefinition, batch: SnapshotBatch)] = []

  /// The rows by class. The caller may complete them before other code refers to them.
  var filled: [SnapshotBatch] { batches.map(\.batch) }

  var byIdentifier: [PersistentIdentifier: DefaultSnapshot] {
    Dictionary(snapshots.map { ($0.persistentIdentifier, $0) }, uniquingKeysWith: { first, _ in first })
  }

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

extension DefaultStore {
  /// Enters the members of every to-many relationship, because a program that fetches snapshots cannot ask for them
  /// later. Contexts read rows, and lists when they need them.
  ///
  /// - Parameter batches: new rows of this store that no other code refers to.
  func fillLists(of batches: [SnapshotBatch], on connection: Connection) throws {
    for batch in batches {
      guard let definition = batch.definition, !definition.relations.toMany.isEmpty else { continue }
      let plan = try plans.plan(for: definition)
      let keys = (0..<batch.count).compactMap { batch.identifier($0).row }
      guard keys.count == batch.count else { continue }
      for relation in definition.relations.toMany {
        let lists = try members(of: keys, plan.entity.lists[relation.slot], connection)
        for (index, key) in keys.enumerated() {
          batch.setReferences(index, relation.slot, lists[key] ?? [])
        }
      }
    }
  }

  /// The members of the lists of some rows, in their order, by row.
  private func members(
    of keys: [Int64], _ list: ListLayout, _ connection: Connection
  ) throws -> [Int64: [PersistentIdentifier]] {
    let plan = try plans.plan(named: list.destination)
    let statement = try connection.take(
      ListTables(list, plan).members(plan, .listed, selecting: plan.key).text)
    defer { connection.giveBack(statement) }
    try statement.bind(.list(keys.map { .integer($0) }), at: 1)
    var lists: [Int64: [PersistentIdentifier]] = [:]
    while try statement.step() {
      lists[statement.integer(1), default: []].append(
        PersistentIdentifier(token: plan.token, row: statement.integer(0)))
    }
    return lists
  }

  /// The models at the other ends of the relationships that the fetch prefetches.
  func relatedSnapshots<T: PersistentModel>(
    of snapshots: [DefaultSnapshot], _ request: DataStoreFetchRequest<T>,
    on connection: Connection
  ) throws -> [PersistentIdentifier: DefaultSnapshot] {
    guard !request.descriptor.relationshipKeyPathsForPrefetching.isEmpty else { return [:] }
    var collector = SnapshotCollector()
    for keyPath in request.descriptor.relationshipKeyPathsForPrefetching {
      guard let property = T._$definition.layout.property(for: keyPath),
        property.kind.isRelationship
      else { continue }
      if property.kind.isToMany {
        let related = DataStoreRelatedRequest(
          owners: snapshots.map(\.persistentIdentifier), entityName: T._$definition.entityName,
          slot: property.slot, editingState: request.editingState)
        try members(related, on: connection) { try collector.add(&$1) }
      } else {
        let references = Set(snapshots.compactMap { $0.batch.reference($0.index, property.slot) })
        try rows(of: references.sorted(), on: connection) { try collector.add(&$0) }
      }
    }
    try fillLists(of: collector.filled, on: connection)
    return collector.byIdentifier
  }
}
