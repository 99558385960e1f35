/// Snapshots that say which row they are of.
extension TableBatch {
  /// Inserts the values of a row of another store as a new one, or overwrites the row of this one.
  @usableFromInline @inline(never) func addKnown<S: ModelSnapshot>(_ snapshot: S) throws {
    let identifier = snapshot.persistentIdentifier
    guard identifier.storeIdentifier == store.identifier else {
      try beginForeign()
      if needsLook, try !look(at: snapshot) { return }
      try snapshot.write(to: &binder)
      if try !write() { try settle(snapshot) }
      return
    }
    guard isUpsert else {
      save.violations.append(
        SwiftDataError.Violation(
          model: identifier, properties: [], rule: .unique,
          reason: "is saved already: use 'upsert(contentsOf:)' to overwrite it, or give the "
            + "snapshot a new identifier"))
      return try drop()
    }
    try beginForeign()
    if needsLook, try !look(at: snapshot) { return }
    try overwrite(DefaultSnapshot(snapshot))
  }

  private func overwrite(_ snapshot: DefaultSnapshot) throws {
    returnKey()
    let identifier = snapshot.persistentIdentifier
    guard try isRow(identifier, of: definition), let key = identifier.row else {
      return try refuse(identifier, "belongs to another model than \(plan.entity.name)")
    }
    guard let entity = try entity(of: key) else {
      save.reportMissing(snapshot)
      return try drop()
    }
    guard entity == plan.entity.name else {
      save.violations.append(.overwriting(identifier, entity, with: plan.entity.name))
      return try drop()
    }
    let slots = Array(plan.entity.columns.indices)
    let statement = try connection.statement(slot: plan.slot(.update), plan.update(slots).text)
    defer { statement.clear() }
    var values = StatementBinder(
      statement, arena: connection.arena, shape: plan.shape, keys: save.keys)
    statement.bind(key, at: 1)
    try snapshot.batch.bind(snapshot.index, to: &values)
    if !values.marked.isEmpty { try save.note(values.takeMarked(), plan) }
    guard let lists = try values.hasLists ? members(of: snapshot) : [] else {
      values.discardFiles()
      return try drop()
    }
    let others = try plan.constraints.isEmpty
      ? [] : save.conflicts(of: snapshot, row: key, plan)
    guard others.isEmpty else {
      values.discardFiles()
      for other in others { save.report(other, of: snapshot, plan) }
      return try drop()
    }
    try updating(key) { try statement.run() }
    try noteOverwriting(key)
    try write(lists)
  }

  private func refuse(_ identifier: PersistentIdentifier, _ reason: String) throws {
    save.violations.append(
      SwiftDataError.Violation(model: identifier, properties: [], reason: reason))
    try drop()
  }

  /// The entity of a row; nil when there is none.
  private func entity(of key: Int64) throws -> String? {
    let entity = plan.entity
    let column: SQLFragment =
      entity.discriminators.isEmpty ? "\(value: .text(entity.name))" : "\(name: entity.entityColumn)"
    let found = try connection.rows(
      "SELECT \(column) FROM \(name: entity.table) WHERE \(name: entity.keyColumn) = \(value: .integer(key))"
    ).first?.first
    guard case .text(let name)? = found else { return nil }
    return name
  }
}
