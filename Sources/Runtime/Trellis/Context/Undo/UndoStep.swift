/// The changes between two registrations: each touched model's states before and after.
final class UndoStep {
  /// The changes, in order of first capture. A model has a second change if a save or invisible change was added
  /// later.
  var changes: [ObjectChange] = []
  /// Each model's first change, by position.
  private var positions: [ObjectIdentifier: Int] = [:]
  /// The previous step, if any; `nil` if the undo manager has discarded it.
  weak var previous: UndoStep?

  func add(_ change: ObjectChange) {
    if position(of: change.model) == nil { positions[ObjectIdentifier(change.model)] = changes.count }
    changes.append(change)
  }

  func position(of model: any PersistentModel) -> Int? { positions[ObjectIdentifier(model)] }

  /// Returns the position of a model's insertion.
  func insertion(of model: any PersistentModel) -> Int? {
    position(of: model).flatMap { changes[$0].before == nil ? $0 : nil }
  }
}

/// A model's states before and after a step.
struct ObjectChange {
  let model: any PersistentModel
  /// `nil` if the model was deleted or not inserted.
  var before: ObjectState?
  var after: ObjectState?
  /// False if only references to deleted models differ. Undoing the deletions also requires these changes.
  private(set) var isVisible = true

  /// The change that reverts this change.
  var reversed: ObjectChange { ObjectChange(model: model, before: after, after: before) }

  /// Captures the current state and compares it with the state before the change.
  ///
  /// - Parameter open: The step that contains the change.
  /// - Returns: `nil` if the states are equal.
  func finished(in context: ModelContext, _ open: UndoStep) -> ObjectChange? {
    func wasShown(_ identifier: PersistentIdentifier, _ relation: Relation) -> Bool {
      guard let related = context.registered(identifier, relation.destination) else { return true }
      return open.position(of: related).map { open.changes[$0].before != nil } ?? related.isUsableTarget
    }
    let relations = type(of: model)._$definition.relations
    var change = self
    change.after = ObjectState(of: model, in: context)
    for list in relations.toMany where before == nil || before?.lists[list.slot] != nil {
      change.after?.lists[list.slot] = context.keptMembers(of: model, list)
    }
    guard let before, let after = change.after else { return before == nil && change.after == nil ? nil : change }
    var isChanged = !after.attributes(differingFrom: before).isEmpty
    change.isVisible = isChanged
    for relation in relations.all {
      guard let old = before.members(relation), let new = after.members(relation) else { continue }
      let seen = old.filter { wasShown($0, relation) }
      let seenNow = new.filter { context.registered($0, relation.destination)?.isUsableTarget ?? true }
      isChanged = isChanged || !relation.areSame(old, new)
      change.isVisible = change.isVisible || !relation.areSame(seen, seenNow)
    }
    return isChanged || change.isVisible ? change : nil
  }
}

/// A model's values and relationships. Related models are recorded by the identifiers current at that time.
struct ObjectState {
  var row: SnapshotBuffer
  /// The members of stored lists that the step changes, by slot.
  var lists: [Int: [PersistentIdentifier]] = [:]

  /// `nil` if the model is deleted or not inserted.
  init?(of model: any PersistentModel, in context: ModelContext) {
    guard context.shows(model) else { return nil }
    row = model.capturedRow()
  }

  /// Returns the attributes that differ from an earlier state; all attributes if that state is `nil`.
  func attributes(differingFrom earlier: ObjectState?) -> [ModelProperty] {
    let slots = earlier.flatMap { try? row.differing(0, from: $0.row, 0) }
    let attributes = row.definition?.layout.columns.filter { !$0.kind.isRelationship } ?? []
    return attributes.filter { slots?.contains($0.slot) ?? true }
  }

  /// Returns the related models, at most one for a to-one relationship, or `nil` for a list that the step does not
  /// change.
  func members(_ relation: Relation) -> [PersistentIdentifier]? {
    relation.isToMany ? lists[relation.slot] : row.reference(0, relation.slot).map { [$0] } ?? []
  }
}

extension ModelContext {
  /// Returns true if the model is registered here and not deleted.
  func shows(_ model: any PersistentModel) -> Bool {
    model.ownerContext === self && model.isUsableTarget
  }

  /// Returns a list's members, including deleted ones, or `nil` if the list is derived from to-one references or
  /// unreadable.
  func keptMembers(of model: any PersistentModel, _ list: Relation) -> [PersistentIdentifier]? {
    list.storesMembers ? (try? readList(of: model, slot: list.slot))?.identifiers : nil
  }
}
