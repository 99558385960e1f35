extension ModelContext {
  /// Brings registered models up to date with what other contexts of the container have saved.
  ///
  /// A model with pending changes keeps them; the last save wins, column by column and, in lists,
  /// member by member. One whose row is gone keeps them for the program to decide, see
  /// ``takeLeave(of:isErased:)``.
  ///
  /// - Parameter looks: false if the store looks for the commits of others later.
  func readMailbox(looks: Bool = true) throws {
    autosave?.safePoint()
    if looks { core.readExternalCommits() }
    guard !mailbox.isQuiet else { return }
    try occupancy.occupy(.refresh) { try TracedStatement.scope(.refresh) { try readCommit() } }
  }

  /// Applies what is in the mailbox.
  func readCommit() throws {
    guard let commit = mailbox.take() else { return }
    pending.index = nil
    pending.cascade = nil
    state.ahead.removeAll()
    do {
      try holdingNotifications { try apply(commit) }
    } catch {
      mailbox.putBack(commit)
      throw error
    }
    if state.transactionDepth > 0 {
      if state.readInTransaction == nil {
        state.readInTransaction = commit
      } else {
        state.readInTransaction?.formUnion(commit)
      }
    }
    watchers?.note(commit, isOwn: false)
  }

  /// A transaction was taken back, and with it what had been read of other contexts' saves.
  func takeAgainWhatWasRead() {
    guard let commit = state.readInTransaction else { return }
    state.readInTransaction = nil
    mailbox.putBack(commit)
    // Commits that cannot be read now are read by the next fetch or save, which throws the error.
    try? occupancy.occupy(.refresh) { try readCommit() }
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
    // A commit that names no rows may have erased some that only pending models know of.
    if commit.isWholesale { gone.formUnion(try missingReferences(of: waiting)) }
    releaseReferences(of: waiting, to: gone)
    releaseReplacedPartners()
    let schema = core.schema
    unloadLists { commit.mayAffect($0, of: $1, schema) }
    try rebaseLists { commit.mayAffect($0, of: $1, schema) }
  }

  /// Reads the registered ones of these rows again; those that are gone count as deleted, but for models
  /// that have something to lose.
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
        if takeLeave(of: model, isErased: commit.isErasure) {
          gone.insert(identifier)
        } else {
          gone.remove(identifier)
        }
      }
      for list in lists { list.removeGone() }
    }
  }

  /// Gives a model the values of its row, but for those with pending changes.
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

  /// Lets go of the lists of a model that are as they are stored.
  func forgetLists(of model: any PersistentModel) {
    guard let side = model._$state.side, model.phase != .inserted else { return }
    side.links.setLists(side.links.allLists.filter { side.changedLists.contains($0.slot) })
  }

  /// Lets go of the lists without pending changes that may have other members now.
  func unloadLists(where mayDiffer: (Relation, ModelDefinition) -> Bool) {
    forEachList(where: mayDiffer) { owner, relation, list in
      let side = owner.side
      guard !side.changedLists.contains(relation.property.slot) else { return }
      // Observers of the list are notified only if its members differ.
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

  /// Repeats pending changes of lists on what is stored now.
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

  /// Visits the lists of saved models.
  private func forEachList(
    where isWanted: (Relation, ModelDefinition) -> Bool,
    _ body: (any PersistentModel, Relation, ModelList) throws -> Void
  ) rethrows {
    for table in tables.values {
      // Judged once a relationship, not once a list.
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
  /// True if a to-many list may have other members. It is what the store derives from its members' references, or what was
  /// written for its owner.
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
  /// Reads a changed list again and repeats the change on what is stored now.
  ///
  /// Members are merged one by one. Where only one of the two has moved members, their order is
  /// its; where both have, it is that of this context, and what the other has added stays behind the
  /// member it was put behind.
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
    /// Whether neither of the two has taken the member out.
    func stays(_ member: any PersistentModel) -> Bool {
      let identifier = member._$identifier
      let isThere = ownIdentifiers.contains(identifier) && storedIdentifiers.contains(identifier)
      return (isThere || !known.contains(identifier)) && !hasLeft(member, owner._$identifier, relation)
    }
    let (first, second) = isMoved ? (own, stored) : (stored, own)
    list.setMembers(Self.merge(first.filter(stays), second.filter(stays)))
    list.committed = stored.map(\.persistentModelID)
  }

  /// The members of the first list in their order; each of the others behind the member it follows
  /// in the second list.
  private static func merge(
    _ first: [any PersistentModel], _ second: [any PersistentModel]
  ) -> [any PersistentModel] {
    let places = Dictionary(
      first.enumerated().map { (ObjectIdentifier($1), $0) }, uniquingKeysWith: { old, _ in old })
    // By the place in the first list of the member before them; -1 for those at the beginning.
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
