extension DefaultStore {
  /// Enters the members of every to-many relationship: whoever is handed snapshots has no other way to
  /// ask for them. Contexts read rows, and lists when they need them.
  ///
  /// - Parameter batches: rows of this store that nobody else has seen yet.
  func fillLists(of batches: [SnapshotBatch], on connection: Connection) throws {
    for batch in batches {
      guard let definition = batch.definition, !definition.relations.toMany.isEmpty else { continue }
      let plan = try plans.plan(for: definition)
      let keys = (0..<batch.count).compactMap { batch.identifier($0).row }
      guard keys.count == batch.count else { continue }
      for relation in definition.relations.toMany {
        let lists = try members(of: keys, plan.entity.lists[relation.slot], plan, connection)
        for (index, key) in keys.enumerated() {
          batch.setReferences(index, relation.slot, lists[key] ?? [])
        }
      }
    }
  }

  /// The members of the lists of some rows, in their order, by row.
  private func members(
    of keys: [Int64], _ list: ListLayout, _ owners: EntityStatements, _ connection: Connection
  ) throws -> [Int64: [PersistentIdentifier]] {
    let plan = try plans.plan(named: list.destination)
    let statement = try connection.take(
      Self.members(of: list, owners, plan, .listed, selecting: plan.key).text)
    defer { connection.giveBack(statement) }
    try statement.bind(.list(keys.map { .integer($0) }), at: 1)
    var lists: [Int64: [PersistentIdentifier]] = [:]
    while try statement.step() {
      lists[statement.integer(1), default: []].append(
        PersistentIdentifier(token: plan.token, row: statement.integer(0)))
    }
    return lists
  }
}
