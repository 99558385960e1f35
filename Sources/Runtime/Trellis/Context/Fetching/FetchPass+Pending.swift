import Foundation

/// What pending changes do to the result of a fetch.
extension FetchPass {
  /// Whether pending changes may alter the result.
  var mustMerge: Bool {
    guard context.pending.hasChanges else { return false }
    guard query.descriptor.includePendingChanges else { return false }
    if cascade != nil { return true }
    if predicateCrossesRelationships || query.sortCrossesRelationships { return true }
    return context.pending.touches(T.self, table)
  }

  /// Whether a cascade of the next save deletes the model.
  func isDoomed(_ model: any PersistentModel) -> Bool { cascade?.contains(model) == true }

  var predicateCrossesRelationships: Bool {
    query.crossesRelationships(hasDeletions: context.pending.hasDeletions)
  }

  /// The saved matches, without deleted models, with changed and inserted ones judged as they are now.
  func merged() throws -> [T] {
    guard !predicateCrossesRelationships else {
      let all =
        try everything().filter { $0.isUsableTarget && !isDoomed($0) }
        + context.pending.inserted.compactMap { $0 as? T }.filter { !isDoomed($0) }
      guard let filter else { return all }
      return try all.filter(filter.matches)
    }
    let filter = filter
    var seen = Set<ObjectIdentifier>()
    var result: [T] = []
    for model in try filteredInMemory() where !isDoomed(model) {
      switch model.phase {
      case .clean: result.append(model)
      case .changed:
        seen.insert(ObjectIdentifier(model))
        if try filter?.matches(model) ?? true { result.append(model) }
      case .inserted, .deleting, .gone: break
      }
    }
    return result + (try pendingMatches(besides: seen))
  }

  /// The identifiers of ``merged()`` in the order of identity, without making models of rows; nil
  /// where that takes the models.
  func mergedIdentifiers() throws -> [PersistentIdentifier]? {
    guard !predicateCrossesRelationships else { return nil }
    let stored = query.withoutOrder
    guard var result = try context.ask(table.store, { try table.store.keys(stored) }) else { return nil }
    result.removeAll { identifier in
      table.model(identifier).map { $0.phase != .clean || isDoomed($0) } ?? false
    }
    result += try pendingMatches(besides: []).map(\.persistentModelID)
    return result.sorted(by: PersistentIdentifier.isStoredBefore)
  }

  /// The changed and inserted models that match as they are now.
  private func pendingMatches(besides known: Set<ObjectIdentifier>) throws -> [T] {
    let filter = filter
    var seen = known
    var result: [T] = []
    for candidate in pendingCandidates {
      guard let model = candidate as? T, model.phase == .changed || model.phase == .inserted,
        !isDoomed(model),
        seen.insert(ObjectIdentifier(model)).inserted
      else { continue }
      if try filter?.matches(model) ?? true { result.append(model) }
    }
    return result
  }

  /// Pending models among which every match is.
  private var pendingCandidates: [any PersistentModel] {
    let pending = context.pending
    guard let index = pending.index else { return pending.changed + pending.inserted }
    guard let group = index.group(table, pending) else { return [] }
    guard let predicate = query.descriptor.predicate else { return group.models }
    for equality in PredicateLookup(predicate).equalities {
      guard let property = T._$definition.layout.property(for: equality.keyPath),
        !property.kind.isRelationship,
        let candidates = group.candidates(equality.keyPath, equality.value)
      else { continue }
      return candidates
    }
    return group.models
  }
}

/// Fetches by identity.
extension FetchPass {
  /// The match of a predicate that asks for an identity and nothing else; nil for other predicates
  /// and where only the store can tell.
  ///
  /// A registered model is found without the store.
  ///
  /// - Parameter elsewhere: whether to read the row of a model that is not registered.
  func identified(elsewhere: Bool) throws -> [T]? {
    guard let identifier = query.wantedIdentifier.map(context.current) else { return nil }
    if let model = table.model(identifier), model._$identifier == identifier {
      guard let model = model as? T, !isDoomed(model) else { return [] }
      let counts = query.descriptor.includePendingChanges
      switch model.phase {
      case .clean, .changed: return [model]
      case .inserted: return counts ? [model] : []
      case .deleting: return counts || identifier.isTemporary ? [] : [model]
      case .gone: return nil
      }
    }
    if identifier.token != table.token {
      // A row of the same number in another table is another one.
      let entity = context.core.schema.entitiesByName[identifier.entityName]
      guard !identifier.isTemporary, entity?.definition?.root === table.definition else { return [] }
    }
    guard elsewhere, !query.descriptor.loadsParts, table.store.isRelational, table.mayHold(identifier) else {
      return nil
    }
    guard let model = try context.load([identifier], T._$definition).first, model._$identifier == identifier else {
      return []
    }
    return (model as? T).map { [$0] } ?? []
  }
}

extension FetchDescriptor {
  /// Whether more or less than the matching rows is to be loaded.
  var loadsParts: Bool {
    !propertiesToFetch.isEmpty || !relationshipKeyPathsForPrefetching.isEmpty
  }
}

extension PendingChanges {
  /// Looking through so many pending models is as fast as keeping an index of them.
  private static let fewModels = 16

  /// Whether a model of the type, or of a subclass, waits to be saved.
  mutating func touches<T: PersistentModel>(_ type: T.Type, _ table: IdentityTable) -> Bool {
    let count = insertions.count + updates.count + deletions.count
    guard loose == nil, count > Self.fewModels || index != nil else {
      return [insertions, updates, deletions].contains { $0.models.contains { $0 is T } }
    }
    let index = index ?? PendingIndex()
    self.index = index
    table.probe.hasListeners = true
    guard let group = index.group(table, self) else { return false }
    return group.hasDeletions || type == table.definition.modelType
      || group.models.contains { $0 is T }
  }
}
