/// Reads what a fetch has left out.
extension ModelContext {
  /// Reads the missing columns of a model if the property is one of them, and those of its
  /// neighbours: one question to the store for all of a fetch, up to a thousand models.
  func complete(_ model: any PersistentModel, toRead keyPath: AnyKeyPath) {
    guard let missing = model._$state.side?.missing else { return }
    if let property = type(of: model)._$definition.layout.property(for: keyPath) {
      guard !property.kind.isRelationship, missing.slots.contains(property.slot) else { return }
    }
    complete(model)
  }

  /// The same for the property in a slot.
  func complete(_ model: any PersistentModel, toRead slot: Int) {
    guard model._$state.side?.missing?.slots.contains(slot) == true else { return }
    complete(model)
  }

  /// Reads the missing columns of a model, if there are any; false when that is not possible.
  @discardableResult func complete(_ model: any PersistentModel) -> Bool {
    guard let missing = model._$state.side?.missing else { return true }
    guard let owner = model._$state.table else { return false }
    do {
      try owner._withUnsafeGuaranteedRef { table in
        do {
          try complete([model] + incompleteNeighbours(of: model, table), table)
        } catch {
          // One of the neighbours cannot be read.
          try complete([model], table)
        }
      }
    } catch {
      noteFailedRead(of: model, missing, error)
    }
    if model._$state.side?.missing == nil { noteRead(of: model, missing) }
    return model._$state.side?.missing == nil
  }

  private func incompleteNeighbours(
    of model: any PersistentModel, _ table: IdentityTable
  ) -> [any PersistentModel] {
    let limit = 1_024
    var found: [any PersistentModel] = []
    let definition = type(of: model)._$definition
    table.group(of: model._$identifier)?.visitNeighbours(
      of: model._$identifier, reach: 4 * limit
    ) { identifier in
      if let other = table.model(identifier), other._$state.side?.missing != nil,
        type(of: other)._$definition === definition
      {
        found.append(other)
      }
      return found.count < limit
    }
    return found
  }

  private func complete(_ models: [any PersistentModel], _ table: IdentityTable) throws {
    guard let first = models.first else { return }
    let definition = type(of: first)._$definition
    let rows = definition.codec.makeBuffer(capacity: models.count)
    try core.withScope {
      try table.store.read(models.map(\.persistentModelID), definition, editingState, into: rows)
    }
    for index in 0..<rows.count {
      guard let model = table.model(rows.identifier(index)), model.phase == .clean,
        model._$state.side?.missing != nil
      else { continue }
      rows.restore(index, model)
      model._$state.side?.missing = nil
    }
  }
}
