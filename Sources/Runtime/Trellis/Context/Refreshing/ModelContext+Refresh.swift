extension ModelContext {
  /// Updates registered models with commits from the container's other contexts.
  ///
  /// Models keep pending changes: the last save wins, per column and per list member. Models with deleted rows keep
  /// their changes until the app resolves the conflict, see ``detachLostRow(of:isErased:)``.
  ///
  /// - Parameter looks: False if the store checks for external commits later.
  func readMailbox(looks: Bool = true) throws {
    autosave?.safePoint()
    if looks { core.readExternalCommits() }
    guard !mailbox.isQuiet else { return }
    try occupancy.performExclusively(.refresh) { try TracedStatement.scope(.refresh) { try readCommit() } }
  }

  /// Applies the commits in the mailbox.
  func readCommit() throws {
    guard let commit = mailbox.take() else { return }
    pending.index = nil
    pending.cascade = nil
    state.ahead.removeAll()
    do {
      try deferringNotifications { try apply(commit) }
    } catch {
      mailbox.requeue(commit)
      throw error
    }
    if state.transactionDepth > 0 {
      if state.readInTransaction == nil {
        state.readInTransaction = commit
      } else {
        state.readInTransaction?.formUnion(commit)
      }
    }
    watchers?.record(commit, isOwn: false)
  }

  /// Reapplies the commits that were discarded when a transaction was rolled back.
  func reapplyDiscardedCommits() {
    guard let commit = state.readInTransaction else { return }
    state.readInTransaction = nil
    mailbox.requeue(commit)
    // The next fetch or save reads the remaining commits and throws the error.
    try? occupancy.performExclusively(.refresh) { try readCommit() }
  }

  private func apply(_ commit: Commit) throws {
    if !pending.rows.isEmpty {
      if commit.isWholesale { try loadPendingRows() } else { forgetPendingRows(Set(commit.deleted)) }
    }
    var stale: [ObjectIdentifier: Set<PersistentIdentifier>] = [:]
    if commit.isWholesale {
      for (root, table) in tables {
        table.forEach { stale[root, default: []].insert($0._$identifier) }
      }
    }
    for identifier in commit.updated + commit.deleted {
      guard let root = core.schema.entitiesByName[identifier.entityName]?.definition?.root else { continue }
      stale[ObjectIdentifier(root), default: []].insert(identifier)
    }
    var gone = Set(commit.deleted)
    for (root, identifiers) in stale {
      guard let table = tables[root] else { continue }
      try refresh(identifiers, table, commit, &gone)
    }
    let waiting = pending.inserted + pending.changed
    // A commit without row identifiers may have deleted rows that only pending models refer to.
    if commit.isWholesale { gone.formUnion(try missingReferences(of: waiting)) }
    releaseReferences(of: waiting, to: gone)
    releaseReplacedPartners()
    let schema = core.schema
    unloadLists { commit.mayAffect($0, of: $1, schema) }
    try rebaseLists { commit.mayAffect($0, of: $1, schema) }
  }

  /// Reads registered rows again. Missing rows count as deleted, except for models with pending changes.
  private func refresh(
    _ identifiers: Set<PersistentIdentifier>, _ table: IdentityTable, _ commit: Commit,
    _ gone: inout Set<PersistentIdentifier>
  ) throws {
    var groups: [ObjectIdentifier: [PersistentIdentifier: any PersistentModel]] = [:]
    for identifier in identifiers where !identifier.isTemporary {
      guard let model = table.model(identifier) else { continue }
      // Rows are read with the columns of the model's own class.
      groups[ObjectIdentifier(type(of: model)), default: [:]][identifier] = model
    }
    for known in groups.values {
      guard let definition = known.values.first.map({ type(of: $0)._$definition }) else { continue }
      let fresh = definition.codec.makeBuffer(capacity: known.count)
      try core.withScope {
        try table.store.read(Array(known.keys), definition, editingState, into: fresh)
      }
      var missing = known
      for index in 0..<fresh.count {
        guard let model = missing.removeValue(forKey: fresh.identifier(index)) else { continue }
        take(fresh, index, into: model, from: table.store)
      }
      let lists = RelationshipEditor.lists(with: Array(missing.values))
      for (identifier, model) in missing {
        if detachLostRow(of: model, isErased: commit.isErasure) {
          gone.insert(identifier)
        } else {
          gone.remove(identifier)
        }
      }
      for list in lists { list.removeGone() }
    }
  }

  /// Assigns a row's values to a model, except for pending changes.
  private func take(
    _ fresh: SnapshotBuffer, _ index: Int, into model: any PersistentModel, from store: StoreHandle
  ) {
    model._$state.side?.hasLostRow = false
    switch model.phase {
    case .clean:
      PropertyNotification.replacing(model, with: fresh, index) { fresh.restore(index, model) }
      model._$state.side?.missing = nil
    case .changed, .deleting:
      let side = model.side
      let lost = failsOnConflict(in: store) ? overtaken(side, by: fresh, index) : nil
      side.committed = FormerRow(fresh.copy(index))
      side.committed?.overtaken = lost
      undo?.refresh(model, fresh, index)
      guard let merged = try? fresh.replacing(index, side.changed, from: model.capturedRow(), 0) else { return }
      PropertyNotification.replacing(model, with: merged, 0) { merged.restore(0, model) }
    case .inserted, .gone: break
    }
  }

  /// Unloads a model's unchanged lists.
  func forgetLists(of model: any PersistentModel) {
    guard let side = model._$state.side, model.phase != .inserted else { return }
    side.links.setLists(side.links.allLists.filter { side.changedLists.contains($0.slot) })
  }

  /// Unloads lists that have no pending changes but whose members may have changed.
  func unloadLists(where mayDiffer: (Relation, ModelDefinition) -> Bool) {
    forEachList(where: mayDiffer) { owner, relation, list in
      let side = owner.side
      guard !side.changedLists.contains(relation.property.slot) else { return }
      // Observers of the list are notified only if the members differ.
      if side.registrar != nil, hasStoredMembers(list, of: owner, relation) { return }
      PropertyNotification.will(owner, relation.property)
      side.links.setList(relation.property.slot, nil)
      PropertyNotification.did(owner, relation.property)
    }
  }

  private func hasStoredMembers(
    _ list: ModelList, of owner: any PersistentModel, _ relation: Relation
  ) -> Bool {
    guard let known = list.committed, let stored = try? savedMembers(of: owner, relation) else { return false }
    return known == list.codec.identifiers(of: list.codec.own(stored))
  }

  /// Applies pending list changes to the stored lists again.
  private func rebaseLists(
    where mayDiffer: (Relation, ModelDefinition) -> Bool
  ) throws {
    try forEachList(where: mayDiffer) { owner, relation, list in
      guard owner.side.changedLists.contains(relation.property.slot), list.isLoaded else { return }
      PropertyNotification.will(owner, relation.property)
      try rebase(list, of: owner, relation)
      PropertyNotification.did(owner, relation.property)
    }
  }

  /// Visits saved models' lists.
  private func forEachList(
    where isWanted: (Relation, ModelDefinition) -> Bool,
    _ body: (any PersistentModel, Relation, ModelList) throws -> Void
  ) rethrows {
    for table in tables.values {
      // Computed for each relationship, not for each list.
      var wanted: [ObjectIdentifier: [Bool]] = [:]
      for definition in core.schema.classes(of: table.definition) {
        let judged = definition.relations.toMany.map { isWanted($0, definition) }
        if judged.contains(true) { wanted[ObjectIdentifier(definition)] = judged }
      }
      guard !wanted.isEmpty else { continue }
      var owners: [any PersistentModel] = []
      table.forEach { model in
        guard !model._$identifier.isTemporary, let side = model._$state.side else { return }
        if !side.links.allLists.isEmpty { owners.append(model) }
      }
      for owner in owners {
        let definition = type(of: owner)._$definition
        guard let judged = wanted[ObjectIdentifier(definition)] else { continue }
        for (slot, list) in owner.side.links.allLists where judged[slot] {
          try body(owner, definition.relations.toMany[slot], list)
        }
      }
    }
  }
}

extension Commit {
  /// Returns true if a to-many list may have changed, whether the store derives it from member references or writes it
  /// for the owner.
  fileprivate func mayAffect(_ relation: Relation, of owner: ModelDefinition, _ schema: Schema) -> Bool {
    if isWholesale { return true }
    if let change = changes[owner], change.isUnknown || change.lists.contains(relation.property.slot) { return true }
    return schema.classes(of: relation.destination.root).contains { definition in
      guard let change = changes[definition] else { return false }
      if change.comesOrGoes || change.isUnknown { return true }
      guard let inverse = relation.inverse, inverse.slot >= 0 else { return false }
      return (inverse.kind.isToMany ? change.lists : change.columns).contains(inverse.slot)
    }
  }
}

// MARK: lists

extension ModelContext {
  /// Reads a changed list again and applies the change to the stored members.
  ///
  /// Members are merged individually. If only one side moved members, the list has that side's order. If both sides
  /// did, the list has this context's order, and members that were added concurrently follow their former predecessor.
  func rebase(_ list: ModelList, of owner: any PersistentModel, _ relation: Relation) throws {
    let base = list.committed ?? []
    let stored = list.codec.own(try savedMembers(of: owner, relation)).map(list.codec.model(from:))
    let own = list.models
    let known = Set(base)
    let ownIdentifiers = Set(own.lazy.map { $0._$identifier })
    let storedIdentifiers = Set(stored.lazy.map { $0._$identifier })
    let isMoved =
      own.lazy.map { $0._$identifier }.filter { known.contains($0) }
      .elementsEqual(base.filter { ownIdentifiers.contains($0) }) == false
    /// True if neither side removed the member.
    func stays(_ member: any PersistentModel) -> Bool {
      let identifier = member._$identifier
      let isThere = ownIdentifiers.contains(identifier) && storedIdentifiers.contains(identifier)
      return (isThere || !known.contains(identifier)) && !hasLeft(member, owner._$identifier, relation)
    }
    let (first, second) = isMoved ? (own, stored) : (stored, own)
    list.setMembers(Self.merge(first.filter(stays), second.filter(stays)))
    list.committed = stored.map(\.persistentModelID)
  }

  /// Returns the first list's members in order, with each additional member after its predecessor in the second list.
  private static func merge(
    _ first: [any PersistentModel], _ second: [any PersistentModel]
  ) -> [any PersistentModel] {
    let places = Dictionary(
      first.enumerated().map { (ObjectIdentifier($1), $0) }, uniquingKeysWith: { old, _ in old })
    // By the predecessor's position in the first list; -1 for the beginning.
    var following: [Int: [any PersistentModel]] = [:]
    var last = -1
    for member in second {
      if let place = places[ObjectIdentifier(member)] {
        last = place
      } else {
        following[last, default: []].append(member)
      }
    }
    return (following[-1] ?? []) + first.enumerated().flatMap { [$1] + (following[$0] ?? []) }
  }
}
