/// Delete rules where objects would be made only to be deleted.
extension DeleteRules {
  /// What is to be judged of deleted rows when every cascade is known.
  struct OpenQuestions {
    /// The other ends of `.deny` relationships.
    var denied: [(owner: PersistentIdentifier, relation: Relation, other: RelatedRow)] = []
    /// Rows that refer to a deleted one by a property that cannot be nil.
    var needing: [(row: RelatedRow, target: PersistentIdentifier, relation: Relation)] = []
    /// Rows whose reference the store clears.
    var cleared: [(row: RelatedRow, relation: Relation)] = []
    /// Owners of lists with a bound that a deleted row was in.
    var shortened: [(owner: RelatedRow, relation: Relation)] = []
  }

  /// Applies a rule to the lists that nobody has loaded, without loading them.
  ///
  /// - Returns: the models this cannot be done for.
  mutating func applyToRows(
    _ relation: Relation, _ definition: ModelDefinition, of models: [any PersistentModel],
    _ next: inout Wave
  ) throws -> [any PersistentModel] {
    guard rows != nil, relation.isToMany, let first = models.first,
      first._$state.table?._withUnsafeGuaranteedRef({ $0.store.deletesRows }) == true
    else { return models }
    var keys: [Int64] = []
    var rest: [any PersistentModel] = []
    var observed: [any PersistentModel] = []
    keys.reserveCapacity(models.count)
    for model in models {
      let identifier = model._$identifier
      let side = model._$state.side
      guard !identifier.isTemporary, let key = identifier.row,
        side?.links.list(relation.slot)?.isLoaded != true,
        side?.changedLists.contains(relation.slot) != true,
        context.pending.lists.isEmpty
          || context.pending.lists[.init(owner: identifier, slot: relation.slot)] == nil
      else {
        rest.append(model)
        continue
      }
      keys.append(key)
      if side?.registrar != nil { observed.append(model) }
    }
    let owners = DeletedRows.Group(
      definition: definition, token: first._$identifier.token, path: relation, keys: keys)
    let found = try follow(relation, from: owners, &next)
    for model in observed {
      guard let key = model._$identifier.row, found.contains(key) else { continue }
      PropertyNotification.will(model, relation.property)
      PropertyNotification.did(model, relation.property)
    }
    return rest
  }

  /// Applies a rule of deleted rows.
  mutating func apply(
    _ relation: Relation, to group: DeletedRows.Group, _ next: inout Wave
  ) throws {
    // The owners that led here are deleted, and were told.
    if relation.isToMany == group.path.inverseIsToMany, relation.slot == group.path.inverseSlot,
      !relation.isToMany
    {
      return
    }
    let isNeeded =
      switch relation.deleteRule {
      case .cascade, .deny: true
      case .nullify: relation.inverse != nil && !relation.inverseIsToMany
      case .noAction: false
      }
    let table = context.tables[ObjectIdentifier(relation.destination.root)]
    let mayBeObserved = relation.inverse != nil && (table?.count ?? 0) > 0
    guard isNeeded || relation.endsInBoundedList || mayBeObserved else { return }
    _ = try follow(relation, from: group, &next)
  }

  /// Does what a rule says with what is at the other end of deleted rows.
  ///
  /// - Returns: the keys of observed owners, as far as something was found for them.
  private mutating func follow(
    _ relation: Relation, from group: DeletedRows.Group, _ next: inout Wave
  ) throws -> Set<Int64> {
    guard let rows, !group.keys.isEmpty else { return [] }
    let others = try context.table(for: relation.destination)
    let isAnybodyThere = others.count > 0
    // A row has one owner by one reference: it cannot be found twice unless another way leads to it.
    let root = relation.destination.root
    let mayComeTwice =
      relation.inverse == nil || relation.inverseIsToMany || !relation.isToMany
      || rows.hasRows(of: root) || next.rows.contains { $0.definition.root === root }
    var seen = Set<Int64>()
    for group in next.rows where mayComeTwice && group.definition.root === root {
      seen.formUnion(group.keys)
    }
    var found: [RelatedRow] = []
    var registered: [(RelatedRow, any PersistentModel)] = []
    var current = -1
    let isCascade = relation.deleteRule == .cascade
    var owners = Set<Int64>()
    try context.core.withScope {
      try others.store.visitRelatedRows(of: group.keys, group.definition, relation) { row in
        if isAnybodyThere, let object = others.object(row: row.row) {
          registered.append((row, others.definition.codec.model(from: object)))
          return
        }
        guard isCascade else { return found.append(row) }
        if mayComeTwice {
          guard !rows.contains(row.row, of: root), seen.insert(row.row).inserted else { return }
        }
        if current < 0 || next.rows[current].definition !== row.definition {
          current = next.rows.firstIndex {
            $0.definition === row.definition && $0.path === relation
          } ?? next.rows.count
          if current == next.rows.count {
            next.rows.append(
              DeletedRows.Group(
                definition: row.definition, token: others.token, path: relation, keys: []))
          }
        }
        next.rows[current].keys.append(row.row)
        owners.insert(row.owner)
      }
    }
    for row in found { noteUnregistered(row, relation, group.token) }
    for (row, model) in registered {
      let owner = PersistentIdentifier(token: group.token, row: row.owner)
      guard model.isUsableTarget, !context.hasLeft(model, owner, relation) else { continue }
      owners.insert(row.owner)
      apply(relation, from: owner, to: model, row, &next)
    }
    return owners
  }

  /// A row at the other end that nobody has an object of and that no cascade leads to.
  private mutating func noteUnregistered(
    _ row: RelatedRow, _ relation: Relation, _ token: IdentifierToken
  ) {
    let owner = PersistentIdentifier(token: token, row: row.owner)
    if relation.deleteRule == .deny { open.denied.append((owner, relation, row)) }
    if relation.endsInBoundedList { open.shortened.append((row, relation)) }
    guard relation.deleteRule == .nullify, let inverse = relation.inverse, !inverse.kind.isToMany
    else { return }
    if inverse.isOptional {
      open.cleared.append((row, relation))
    } else {
      open.needing.append((row, owner, relation))
    }
  }

  /// A registered model at the other end of a deleted row.
  private mutating func apply(
    _ relation: Relation, from owner: PersistentIdentifier, to model: any PersistentModel,
    _ row: RelatedRow, _ next: inout Wave
  ) {
    switch relation.deleteRule {
    case .cascade:
      context.remove(model)
      next.models.append(model)
      return
    case .deny: open.denied.append((owner, relation, row))
    case .nullify:
      if let inverse = relation.inverse, !inverse.kind.isToMany {
        RelationshipEditor.unlink(model, from: owner, inverse)
      }
    case .noAction: break
    }
    if relation.endsInBoundedList { open.shortened.append((row, relation)) }
    guard model._$state.side?.registrar != nil, let inverse = relation.inverse else { return }
    PropertyNotification.will(model, inverse)
    PropertyNotification.did(model, inverse)
  }
}
