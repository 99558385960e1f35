/// Checks of deleted rows that need every cascade.
extension DeleteRules {
  mutating func settleRows() throws {
    guard let rows, !rows.isEmpty || !open.isEmpty else { return }
    try settleNeeds()
    try settleBounds()
    // The save reads these lists anyway. It must not find a deleted row there as a model that is not deleted.
    if !rows.isEmpty {
      for model in context.pending.changed {
        for slot in model.side.changedLists.slots { _ = try context.readList(of: model, slot: slot) }
      }
      promote()
    }
    noteCleared()
  }

  /// Deletes rows as models if observers or the checks above have made objects of them.
  private func promote() {
    guard let rows else { return }
    let mayHaveObjects = rows.groups.contains { group in
      (context.tables[ObjectIdentifier(group.definition.root)]?.count ?? 0) > 0
    }
    guard mayHaveObjects else { return }
    var found: [any PersistentModel] = []
    rows.remove { group, key in
      guard let table = context.tables[ObjectIdentifier(group.definition.root)], table.count > 0,
        let object = table.object(row: key)
      else { return false }
      found.append(table.definition.codec.model(from: object))
      return true
    }
    for model in found { context.remove(model) }
  }

  private func identifier(_ row: RelatedRow) throws -> PersistentIdentifier {
    PersistentIdentifier(token: try context.table(for: row.definition).token, row: row.row)
  }

  /// The model of a row that is not deleted.
  private func remaining(_ row: RelatedRow) throws -> (any PersistentModel)? {
    if rows?.contains(row.row, of: row.definition.root) == true { return nil }
    let identifier = try identifier(row)
    let model =
      try context.inMemory(identifier, row.definition)
      ?? context.load([identifier], row.definition).first
    guard let model, model.isUsableTarget else { return nil }
    context.keepAlive.append(model)
    return model
  }

  /// Clears required references. Validation reports their models.
  private func settleNeeds() throws {
    for (row, target, relation) in open.needing {
      guard let inverse = relation.inverse, let model = try remaining(row) else { continue }
      RelationshipEditor.unlink(model, from: target, inverse)
    }
  }

  private mutating func settleBounds() throws {
    for (row, relation) in open.shortened {
      guard let inverse = relation.inverse, let owner = try remaining(row),
        let list = type(of: owner)._$definition.relations.relation(for: inverse)
      else { continue }
      shortened.append((owner, list))
      // Read here, so that deleted rows among its members count as such.
      context.keepAlive += try context.readList(of: owner, slot: list.slot).models
    }
  }

  /// Notes references that foreign keys clear, for observers and the history.
  private func noteCleared() {
    guard let rows else { return }
    for (row, relation) in open.cleared {
      guard let inverse = relation.inverse, !rows.contains(row.row, of: row.definition.root),
        let identifier = try? identifier(row)
      else { continue }
      rows.noteCleared(identifier, of: row.definition, inverse)
    }
  }

  func denialsOfRows() throws -> [SwiftDataError.Violation] {
    var blockers: [(owner: PersistentIdentifier, relation: Relation, others: [PersistentIdentifier])] = []
    for (owner, relation, other) in open.denied {
      guard rows?.contains(other.row, of: other.definition.root) != true else { continue }
      let identifier = try identifier(other)
      if let model = context.registered(identifier, other.definition) {
        guard model.isUsableTarget, !context.hasLeft(model, owner, relation) else { continue }
      }
      if let last = blockers.indices.last, blockers[last].owner == owner,
        blockers[last].relation === relation
      {
        blockers[last].others.append(identifier)
      } else {
        blockers.append((owner, relation, [identifier]))
      }
    }
    return blockers.map { owner, relation, others in relation.denial(of: owner, by: others) }
  }
}

extension DeleteRules.OpenQuestions {
  var isEmpty: Bool {
    denied.isEmpty && needing.isEmpty && cleared.isEmpty && shortened.isEmpty
  }
}
