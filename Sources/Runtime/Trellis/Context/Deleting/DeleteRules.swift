import SchemaFacts

/// Applies the delete rules of deleted models and rows to related models, wave by wave.
///
/// For each relationship, the rule declared in the deleted model's class applies. Nothing is written here: cascaded
/// models are added to the pending deletions, and nullified references become pending changes. When saving, rows that
/// have no objects are deleted by key, see ``DeletedRows``. A preview follows the cascades and changes nothing.
struct DeleteRules {
  private let context: ModelContext
  /// The rows to delete without objects; `nil` if every deleted row becomes an object.
  private let rows: DeletedRows?
  /// Deletes a model reached by a cascade. Returns false if the model was reached before.
  private let cascade: (any PersistentModel) -> Bool
  private let isPreview: Bool
  /// Checks that must wait until all cascades are known.
  private var questions: [Question] = []
  /// Lists with a minimum count that contained a deleted model.
  private(set) var shortened: [(owner: any PersistentModel, list: Relation)] = []

  /// A model or row related to a deleted one. A later wave may delete it.
  private struct Question {
    let relation: Relation
    let deleted: PersistentIdentifier
    let other: PersistentIdentifier
    /// The related model's class.
    let definition: ModelDefinition
  }

  /// Deleted models and rows whose relationships have not been followed yet.
  private struct Wave {
    var models: [any PersistentModel] = []
    var rows: [DeletedRows.Group] = []
    /// The index of the last added row's group.
    var current = 0

    var isEmpty: Bool { models.isEmpty && rows.isEmpty }

    mutating func add(_ row: RelatedRow, _ path: Relation, _ token: IdentifierToken) {
      func isGroup(_ group: DeletedRows.Group) -> Bool { group.definition === row.definition && group.path === path }
      if !(rows.indices.contains(current) && isGroup(rows[current])) {
        current = rows.firstIndex(where: isGroup) ?? rows.count
        if current == rows.count {
          rows.append(DeletedRows.Group(definition: row.definition, token: token, path: path, keys: []))
        }
      }
      rows[current].keys.append(row.row)
    }
  }

  /// - Parameters:
  ///   - rows: Receives the rows to delete without objects.
  ///   - preview: Called with models reached by cascades, which are then not deleted. Returns false if it was called
  ///     with the same model before.
  init(context: ModelContext, rows: DeletedRows? = nil, preview: ((any PersistentModel) -> Bool)? = nil) {
    self.context = context
    self.rows = rows
    isPreview = preview != nil
    cascade =
      preview ?? { model in
        context.remove(model)
        return true
      }
  }

  /// Visits the models reached by cascades.
  mutating func preview(of deleted: [any PersistentModel]) throws { try walk(from: Wave(models: deleted)) }

  /// Applies the delete rules to all pending deletions.
  ///
  /// - Returns: A violation with all blocking models for each `.deny` rule that prevents the deletion.
  /// - Throws: The store's error if related models cannot be read.
  mutating func apply() throws -> [SwiftDataError.Violation] {
    let pending = context.pending
    try walk(from: Wave(models: pending.deleted + pending.dropped, rows: pending.rows))
    if let rows { try resolve(rows) }
    return denials()
  }

  // MARK: traversal

  private mutating func walk(from start: Wave) throws {
    var wave = start
    rows?.add(wave.rows)
    while !wave.isEmpty {
      var next = Wave()
      for (definition, models) in wave.models.grouped() {
        for relation in definition.relations.all { try apply(relation, to: models, of: definition, &next) }
      }
      for group in wave.rows {
        for relation in group.definition.relations.all { try apply(relation, to: group, &next) }
      }
      rows?.add(next.rows)
      wave = next
    }
  }

  /// Applies a relationship's delete rule to deleted models.
  private mutating func apply(
    _ relation: Relation, to models: [any PersistentModel], of definition: ModelDefinition, _ next: inout Wave
  ) throws {
    guard isPreview ? relation.consequence == .deletion : relation.concernsRelatedModels else { return }
    let rest = try applyToRows(relation, of: models, definition, &next)
    try preload(relation, of: rest)
    for model in rest {
      for related in Self.related(to: model, relation) {
        apply(relation, to: related, deleted: model._$identifier, model, &next)
      }
    }
  }

  /// Applies a relationship's delete rule to deleted rows.
  private mutating func apply(_ relation: Relation, to group: DeletedRows.Group, _ next: inout Wave) throws {
    // The owners are already deleted, and their observers have been notified.
    if let path = group.path, relation.isToMany == path.inverseIsToMany, relation.slot == path.inverseSlot,
      !relation.isToMany
    {
      return
    }
    let table = context.tables[ObjectIdentifier(relation.destination.root)]
    let mayBeObserved = relation.inverse != nil && (table?.count ?? 0) > 0
    guard relation.concernsRelatedModels || mayBeObserved else { return }
    try follow(relation, from: group, &next)
  }

  /// Applies a rule to the rows of unloaded lists, by key.
  ///
  /// - Returns: The models whose lists must be loaded.
  private mutating func applyToRows(
    _ relation: Relation, of models: [any PersistentModel], _ definition: ModelDefinition, _ next: inout Wave
  ) throws -> [any PersistentModel] {
    guard rows != nil, relation.isToMany, let first = models.first,
      first._$state.table?._withUnsafeGuaranteedRef({ $0.store.isRelational }) == true
    else { return models }
    var owners = DeletedRows.Group(definition: definition, token: first._$identifier.token, path: relation, keys: [])
    var rest: [any PersistentModel] = []
    var observed: [any PersistentModel] = []
    owners.keys.reserveCapacity(models.count)
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
      owners.keys.append(key)
      if side?.registrar != nil { observed.append(model) }
    }
    try follow(relation, from: owners, &next)
    for model in observed { PropertyNotification.changed(model, relation.property) }
    return rest
  }

  /// Applies a rule to the models and rows related to deleted rows.
  private mutating func follow(
    _ relation: Relation, from group: DeletedRows.Group, _ next: inout Wave
  ) throws {
    guard let rows, !group.keys.isEmpty else { return }
    let others = try context.table(for: relation.destination)
    let hasObjects = others.count > 0
    let root = relation.destination.root
    // A row's reference has a single target, so only a different relationship can reach the row again.
    let mayComeTwice =
      relation.inverse == nil || relation.inverseIsToMany || !relation.isToMany
      || rows.hasRows(of: root) || next.rows.contains { $0.definition.root === root }
    var seen = Set<Int64>()
    for group in next.rows where mayComeTwice && group.definition.root === root { seen.formUnion(group.keys) }
    var found: [(row: RelatedRow, model: (any PersistentModel)?)] = []
    try others.store.sqlStore?.visitRelatedRows(of: group.keys, group.definition, relation) { row in
      let object = hasObjects ? others.object(row: row.row) : nil
      guard object == nil, relation.consequence == .deletion else {
        return found.append((row, object.map(others.definition.codec.model(from:))))
      }
      if mayComeTwice {
        guard !rows.contains(row.row, of: root), seen.insert(row.row).inserted else { return }
      }
      next.add(row, relation, others.token)
    }
    for (row, model) in found {
      let deleted = PersistentIdentifier(token: group.token, row: row.owner)
      guard let model else {
        guard relation.concernsRelatedModels else { continue }
        let other = PersistentIdentifier(token: others.token, row: row.row)
        questions.append(
          Question(relation: relation, deleted: deleted, other: other, definition: row.definition))
        continue
      }
      guard model.isUsableTarget, !context.hasLeft(model, deleted, relation) else { continue }
      apply(relation, to: model, deleted: deleted, nil, &next)
      guard relation.consequence != .deletion, let inverse = relation.inverse else { continue }
      PropertyNotification.changed(model, inverse)
    }
  }

  /// Applies a rule to a related model.
  ///
  /// - Parameter owner: The deleted model; `nil` if its list is not loaded or if it is a row that has no object.
  private mutating func apply(
    _ relation: Relation, to model: any PersistentModel, deleted: PersistentIdentifier,
    _ owner: (any PersistentModel)?, _ next: inout Wave
  ) {
    switch relation.consequence {
    case .deletion:
      if cascade(model) { next.models.append(model) }
      return
    case .refusal:
      questions.append(
        Question(
          relation: relation, deleted: deleted, other: model._$identifier,
          definition: type(of: model)._$definition))
    case .clearedReference, .missingReference:
      if let owner {
        RelationshipEditor.part(model, from: owner, relation)
      } else if let inverse = relation.inverse {
        RelationshipEditor.unlink(model, from: deleted, inverse)
      }
    // Lists omit deleted models automatically.
    case .nothing, .shorterList, .danglingReference: break
    }
    recordShortened(model, relation)
  }

  private mutating func recordShortened(_ owner: any PersistentModel, _ relation: Relation) {
    guard relation.endsInBoundedList, let inverse = relation.inverse,
      let list = type(of: owner)._$definition.relations.relation(for: inverse)
    else { return }
    shortened.append((owner, list))
  }

  /// Loads related models with a single query. Throws if a model is unreadable, whereas the getter would return `nil`.
  private func preload(_ relation: Relation, of models: [any PersistentModel]) throws {
    guard relation.isToMany else {
      context.state.keepAlive += try context.loadTargets(of: models, relation)
      return
    }
    // Keeps the members alive until the save ends, because lists may hold only identifiers.
    let codec = relation.destination.codec
    context.state.keepAlive += try context.loadLists(of: models, relation).joined().map(codec.model(from:))
  }

  /// Returns the related models that are not deleted. Unreadable models and lists are omitted.
  static func related(to model: any PersistentModel, _ relation: Relation) -> [any PersistentModel] {
    if relation.isToMany { return model.loadedList(relation.slot)?.models.filter(\.isUsableTarget) ?? [] }
    return model.target(relation.slot).map { [$0] } ?? []
  }

  // MARK: after all cascades

  /// Returns true if a related model is not deleted and has not been moved to a different owner.
  private func isStaying(_ question: Question) -> Bool {
    if let model = context.registered(question.other, question.definition) {
      return model.isUsableTarget && !context.hasLeft(model, question.deleted, question.relation)
    }
    return rows?.contains(question.other, of: question.definition) != true
  }

  private mutating func resolve(_ rows: DeletedRows) throws {
    for question in questions where !rows.contains(question.other, of: question.definition) {
      let relation = question.relation
      guard relation.consequence == .missingReference || relation.endsInBoundedList, let inverse = relation.inverse,
        let model = try context.storedModel(question.other, question.definition), model.isUsableTarget
      else { continue }
      context.state.keepAlive.append(model)
      // Validation reports missing required references.
      if relation.consequence == .missingReference {
        RelationshipEditor.unlink(model, from: question.deleted, inverse)
      }
      recordShortened(model, relation)
    }
    if !rows.isEmpty {
      // Validation and the save read these lists later. They must not find deleted rows there as undeleted models.
      for (owner, list) in shortened where owner.isUsableTarget {
        context.state.keepAlive += try context.readList(of: owner, slot: list.slot).models
      }
      for model in context.pending.changed {
        for slot in model.side.changedLists.slots { _ = try context.readList(of: model, slot: slot) }
      }
      promote(rows)
    }
    // The store's foreign keys clear these references. The changes are recorded here for observers and the history.
    for question in questions where question.relation.consequence == .clearedReference {
      guard let inverse = question.relation.inverse, !rows.contains(question.other, of: question.definition) else {
        continue
      }
      rows.recordCleared(question.other, of: question.definition, inverse)
    }
  }

  /// Deletes rows as models if observers or checks have created objects for them.
  private func promote(_ rows: DeletedRows) {
    var found: [any PersistentModel] = []
    let tables = context.tables.filter { $0.value.count > 0 }
    guard rows.groups.contains(where: { tables[ObjectIdentifier($0.definition.root)] != nil }) else { return }
    rows.remove { group, key in
      guard let table = tables[ObjectIdentifier(group.definition.root)], let object = table.object(row: key) else {
        return false
      }
      found.append(table.definition.codec.model(from: object))
      return true
    }
    for model in found { context.remove(model) }
  }

  private func denials() -> [SwiftDataError.Violation] {
    var denials: [(first: Question, others: [PersistentIdentifier])] = []
    var positions: [Denial: Int] = [:]
    for question in questions where question.relation.consequence == .refusal && isStaying(question) {
      let key = Denial(deleted: question.deleted, relation: ObjectIdentifier(question.relation))
      if let position = positions[key] {
        denials[position].others.append(question.other)
      } else {
        positions[key] = denials.count
        denials.append((question, [question.other]))
      }
    }
    return denials.map { first, others in first.relation.denial(of: first.deleted, by: others) }
  }

  private struct Denial: Hashable {
    let deleted: PersistentIdentifier
    let relation: ObjectIdentifier
  }
}

extension Relation {
  /// True if deleting a model changes, deletes or depends on related models.
  fileprivate var concernsRelatedModels: Bool {
    switch consequence {
    case .deletion, .refusal, .clearedReference, .missingReference: true
    case .nothing, .shorterList, .danglingReference: endsInBoundedList
    }
  }
}

extension ModelContext {
  /// Applies delete rules to pending deletions. Deny rules are only checked by a save.
  func propagateDeletions() {
    guard pending.hasDeletions, (try? loadPendingRows()) != nil else { return }
    defer { state.keepAlive = [] }
    var rules = DeleteRules(context: self)
    _ = try? rules.apply()
  }
}
