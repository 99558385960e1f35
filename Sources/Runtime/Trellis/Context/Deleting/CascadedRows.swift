import SchemaFacts

/// Delete rules for rows without objects: a save deletes them by their keys.
extension DeleteRules {
  /// Questions about deleted rows that have an answer only when every cascade is known.
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

  /// Applies a rule to lists that are not loaded, without loading them.
  ///
  /// - Returns: the models whose lists have to be loaded.
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
    // The owners at the other end are deleted, and their observers know.
    if let path = group.path, relation.isToMany == path.inverseIsToMany, relation.slot == path.inverseSlot,
      !relation.isToMany
    {
      return
    }
    let isNeeded =
      switch relation.consequence {
      case .deletion, .refusal, .clearedReference, .missingReference: true
      case .nothing, .shorterList, .danglingReference: false
      }
    let table = context.tables[ObjectIdentifier(relation.destination.root)]
    let mayBeObserved = relation.inverse != nil && (table?.count ?? 0) > 0
    guard isNeeded || relation.endsInBoundedList || mayBeObserved else { return }
    _ = try follow(relation, from: group, &next)
  }

  /// Applies a rule to the models and rows at the other end of deleted rows.
  ///
  /// - Returns: the keys of observed owners, as far as something was found for them.
  private mutating func follow(
    _ relation: Relation, from group: DeletedRows.Group, _ next: inout Wave
  ) throws -> Set<Int64> {
    guard let rows, !group.keys.isEmpty else { return [] }
    let others = try context.table(for: relation.destination)
    let isAnybodyThere = others.count > 0
    // One reference has one owner, so only another relationship can lead to a row again.
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
    let isCascade = relation.consequence == .deletion
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
          current =
            next.rows.firstIndex {
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

  /// Notes a row without an object that no cascade deletes.
  private mutating func noteUnregistered(
    _ row: RelatedRow, _ relation: Relation, _ token: IdentifierToken
  ) {
    let owner = PersistentIdentifier(token: token, row: row.owner)
    if relation.endsInBoundedList { open.shortened.append((row, relation)) }
    switch relation.consequence {
    case .refusal: open.denied.append((owner, relation, row))
    case .clearedReference: open.cleared.append((row, relation))
    case .missingReference: open.needing.append((row, owner, relation))
    case .deletion, .nothing, .shorterList, .danglingReference: break
    }
  }

  /// Applies a rule to a registered model at the other end of a deleted row.
  private mutating func apply(
    _ relation: Relation, from owner: PersistentIdentifier, to model: any PersistentModel,
    _ row: RelatedRow, _ next: inout Wave
  ) {
    switch relation.consequence {
    case .deletion:
      context.remove(model)
      next.models.append(model)
      return
    case .refusal: open.denied.append((owner, relation, row))
    case .clearedReference, .missingReference:
      if let inverse = relation.inverse { RelationshipEditor.unlink(model, from: owner, inverse) }
    case .nothing, .shorterList, .danglingReference: break
    }
    if relation.endsInBoundedList { open.shortened.append((row, relation)) }
    guard model._$state.side?.registrar != nil, let inverse = relation.inverse else { return }
    PropertyNotification.will(model, inverse)
    PropertyNotification.did(model, inverse)
  }
}
