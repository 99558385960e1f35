import Foundation

/// Snapshots of other types, and the answers to saves.
extension SnapshotStoreHandle {
  /// The snapshot in the library's own form; a hand-written type says its values by encoding them.
  static func standard(_ snapshot: S.Snapshot) throws -> DefaultSnapshot {
    if let snapshot = snapshot as? DefaultSnapshot { return snapshot.resolved() }
    return try JSONColumn.value(
      DefaultSnapshot.self, from: Data(JSONColumn.text(of: snapshot).utf8))
  }

  /// Saves through snapshots of the store's own type, made from backing data.
  func bridged(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    func own(_ snapshots: [DefaultSnapshot]) -> [S.Snapshot] {
      snapshots.compactMap { snapshot in
        if let snapshot = snapshot as? S.Snapshot { return snapshot }
        guard let backing = snapshot.buffer.makeBackingData(snapshot.index) else { return nil }
        var related: [PersistentIdentifier: any BackingData] = [:]
        return S.Snapshot(from: backing, relatedBackingDatas: &related)
      }
    }
    let result = try store.save(
      DataStoreSaveChangesRequest(
        inserted: own(request.inserted), updated: own(request.updated),
        deleted: own(request.deleted), editingState: request.editingState))
    var refreshed: [PersistentIdentifier: DefaultSnapshot] = [:]
    for (identifier, snapshot) in result.snapshotsToReregister {
      let own = try Self.standard(snapshot)
      guard own.persistentIdentifier == identifier else {
        throw gate.misplaced(own, under: identifier)
      }
      guard let definition = known(own) else { continue }
      try gate.check(own, root: definition.root)
      refreshed[identifier] = own
    }
    // A store around another one may hand its answer on: it says which models were merged.
    if let own = result as? DataStoreSaveChangesResult<DefaultSnapshot> {
      return own.reregistering(refreshed)
    }
    return DataStoreSaveChangesResult(
      for: result.storeIdentifier, remappedIdentifiers: result.remappedIdentifiers,
      snapshotsToReregister: refreshed, historyToken: result.historyToken)
  }

  /// The schema's own class of the entity a snapshot is of; nil where the schema does not have it.
  func known(_ snapshot: DefaultSnapshot) -> ModelDefinition? {
    let name = snapshot.buffer.definition?.entityName ?? snapshot.persistentIdentifier.entityName
    return store.schema.entitiesByName[name]?.definition
  }
}

extension SnapshotGate {
  /// Whether the identifiers that inserted models have got can be theirs: before any model has one.
  ///
  /// - Parameters:
  ///   - mayMerge: whether the store may have found that a model is one it has.
  ///   - registered: the model that is known under an identifier.
  func check(
    _ permanent: [PersistentIdentifier], of models: [any PersistentModel], merged: Set<Int>,
    mayMerge: Bool, registered: (PersistentIdentifier, ModelDefinition) -> (any PersistentModel)?
  ) throws {
    var given: [PersistentIdentifier: any PersistentModel] = [:]
    for (position, model) in models.enumerated() {
      let identifier = permanent[position]
      try check(identifier)
      let definition = type(of: model)._$definition
      guard definition.isOrInherits(from: identifier.entityName) else {
        throw error(
          "gave \(model._$identifier) the identifier \(identifier) of another entity; it has saved it")
      }
      let other = given.updateValue(model, forKey: identifier) ?? registered(identifier, definition)
      guard let other, other !== model, !merged.contains(position) else { continue }
      guard mayMerge, type(of: other) == type(of: model) else {
        throw error(
          "gave \(model._$identifier) the identifier \(identifier), which is that of another "
            + "'\(type(of: other)._$definition.entityName)': each model needs one of its own, also "
            + "among those that inherit from one class; it has saved both")
      }
    }
  }
}
