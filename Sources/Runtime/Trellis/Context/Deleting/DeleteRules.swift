import SchemaFacts

/// Applies the delete rules of pending deletions, wave by wave, before a save.
///
/// The rule of the deleted model's own property applies. Nothing is written here: cascaded models join the pending
/// deletions, and nullified references become pending changes. A save deletes rows without objects by their keys, see
/// ``DeletedRows``.
struct DeleteRules {
  let context: ModelContext
  /// The rows that are deleted without objects; nil when all that is deleted becomes an object.
  let rows: DeletedRows?
  /// Denied relationships, judged when every cascade is known.
  private var denied: [(model: any PersistentModel, relation: Relation)] = []
  /// Lists with a bound that a deleted model was in.
  var shortened: [(owner: any PersistentModel, list: Relation)] = []
  /// What is to be judged of deleted rows when every cascade is known.
  var open = OpenQuestions()

  /// - Parameter rows: where to put rows that are deleted without objects.
  init(context: ModelContext, rows: DeletedRows? = nil) {
    self.context = context
    self.rows = rows
  }

  /// Returns a violation with all blockers for every `.deny` rule that prevents the deletion.
  ///
  /// - Throws: what the store throws when it is asked for related models.
  mutating func apply() throws -> [SwiftDataError.Violation] {
    try propagate()
    return try denials() + denialsOfRows()
  }

  /// What deletions of one wave have led to.
  struct Wave {
    var models: [any PersistentModel] = []
    var rows: [DeletedRows.Group] = []
    var isEmpty: Bool { models.isEmpty && rows.isEmpty }
  }

  /// Cascades and nullifies; denials are left to be judged.
  mutating func propagate() throws {
    var wave = Wave(models: context.pending.deleted + context.pending.dropped, rows: context.pending.rows)
    rows?.add(wave.rows)
    while !wave.isEmpty {
      var next = Wave()
      for (definition, models) in Self.grouped(wave.models) {
        for relation in definition.relations.all {
          try apply(relation, definition, to: models, next: &next)
        }
        for relation in definition.relations.bounding { try noteShortened(relation, by: models) }
      }
      for group in wave.rows {
        for relation in group.definition.relations.all { try apply(relation, to: group, &next) }
      }
      rows?.add(next.rows)
      wave = next
    }
    try settleRows()
  }

  private mutating func noteShortened(
    _ relation: Relation, by models: [any PersistentModel]
  ) throws {
    try preload(relation, of: models)
    for model in models {
      for owner in try Self.related(to: model, relation) {
        guard let inverse = relation.inverse,
          let list = type(of: owner)._$definition.relations.relation(for: inverse)
        else { continue }
        shortened.append((owner, list))
      }
    }
  }

  static func grouped(
    _ models: [any PersistentModel]
  ) -> [(ModelDefinition, [any PersistentModel])] {
    guard let first = models.first else { return [] }
    let definition = type(of: first)._$definition
    if models.allSatisfy({ type(of: $0)._$definition === definition }) {
      return [(definition, models)]
    }
    var order: [ModelDefinition] = []
    var groups: [ObjectIdentifier: [any PersistentModel]] = [:]
    for model in models {
      let definition = type(of: model)._$definition
      if groups[ObjectIdentifier(definition)] == nil { order.append(definition) }
      groups[ObjectIdentifier(definition), default: []].append(model)
    }
    return order.map { ($0, groups[ObjectIdentifier($0)] ?? []) }
  }

  private mutating func apply(
    _ relation: Relation, _ definition: ModelDefinition, to models: [any PersistentModel],
    next: inout Wave
  ) throws {
    switch relation.consequence {
    // A list stops showing a deleted model by itself.
    case .nothing, .shorterList, .danglingReference: return
    case .refusal:
      try preload(relation, of: models)
      denied += models.map { ($0, relation) }
    case .deletion, .clearedReference, .missingReference:
      let rest = try applyToRows(relation, definition, of: models, &next)
      try preload(relation, of: rest)
      for model in rest {
        for related in try Self.related(to: model, relation) {
          guard relation.consequence == .deletion else {
            RelationshipEditor.part(related, from: model, relation)
            continue
          }
          context.remove(related)
          next.models.append(related)
        }
      }
    }
  }

  private func denials() throws -> [SwiftDataError.Violation] {
    try denied.compactMap { model, relation in
      let related = try Self.related(to: model, relation)
      guard !related.isEmpty else { return nil }
      return relation.denial(of: model._$identifier, by: related.map(\.persistentModelID))
    }
  }

  /// Loads the other ends of many models in one question.
  func preload(_ relation: Relation, of models: [any PersistentModel]) throws {
    if relation.property.kind.isToMany {
      // Lists that hold identifiers find their members until the save is over.
      let codec = relation.destination.codec
      var members: [any PersistentModel] = []
      try context.loadLists(of: models, relation) { members += $1.map(codec.model(from:)) }
      context.keepAlive += members
    } else {
      let codec = { (model: any PersistentModel) in type(of: model)._$definition.codec }
      let missing = models.compactMap { model -> PersistentIdentifier? in
        guard let target = codec(model).reference(relation.property.slot, of: model),
          !target.isTemporary, context.registered(target, relation.destination) == nil
        else { return nil }
        return target
      }
      // `pending` keeps the models alive as soon as a rule changes them. An unreadable model is an error here; the
      // getter would return nil, as if there were none.
      if !missing.isEmpty { context.keepAlive += try context.load(missing, relation.destination) }
    }
  }

  /// The models at the other end that are not deleted themselves.
  ///
  /// To be asked after `preload`, which throws where this would find nothing.
  static func related(
    to model: any PersistentModel, _ relation: Relation
  ) throws -> [any PersistentModel] {
    if relation.property.kind.isToMany {
      return model.loadedList(relation.property.slot)?.models.filter(\.isUsableTarget) ?? []
    }
    return model.target(relation.property.slot).map { [$0] } ?? []
  }
}

extension ModelContext {
  /// Applies delete rules to pending deletions. Only a save decides about denials.
  func propagateDeletions() {
    guard pending.hasDeletions, (try? loadPendingRows()) != nil else { return }
    defer { keepAlive = [] }
    var rules = DeleteRules(context: self)
    try? rules.propagate()
  }
}
