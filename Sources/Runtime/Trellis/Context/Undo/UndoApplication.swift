/// Brings models back to an earlier state, or forward again, through the same doors as the program's
/// own changes: both ends of relationships follow, observers are notified, the next save writes it.
struct UndoApplication {
  let recorder: UndoRecorder
  let isUndo: Bool
  private var context: ModelContext { recorder.context }

  init(recorder: UndoRecorder, isUndo: Bool) {
    self.recorder = recorder
    self.isUndo = isUndo
  }

  func apply(_ step: UndoStep) {
    let changes = isUndo ? step.changes.reversed() : step.changes
    for change in changes where change.state(isUndo: isUndo) != nil { bringBack(change.model) }
    for change in changes { restoreAttributes(change) }
    for change in changes { restoreTargets(change) }
    for change in changes { restoreLists(change) }
    for change in changes where change.state(isUndo: isUndo) == nil { remove(change) }
    for change in changes { context.settle(change.model) }
  }

  // MARK: existence

  /// Makes a model that is gone part of the context again. One whose deletion was saved gets a new
  /// identity: no store uses a key twice.
  private func bringBack(_ model: any PersistentModel) {
    if model.ownerContext === context {
      if model.phase == .deleting { context.adopt(model) }
      return
    }
    guard model.ownerContext == nil, recorder.merges.standing(for: model) === model else { return }
    let definition = type(of: model)._$definition
    let old = model._$identifier
    if !old.isTemporary {
      model._$adopt(definition.temporaryIdentifier())
      recorder.returned[old] = model
    }
    for relation in definition.relations.references {
      definition.codec.setReference(relation.property.slot, of: model, to: nil)
    }
    let side = model.side
    side.becomeNew()
    side.links = ModelLinks()
    side.committed = nil
    side.changed = PropertySet()
    side.changedLists = PropertySet()
    context.adopt(model)
    if !old.isTemporary { returnToReferences(model, old) }
  }

  /// One-way references in memory that still name the identifier of before.
  private func returnToReferences(_ model: any PersistentModel, _ old: PersistentIdentifier) {
    let root = type(of: model)._$definition.root
    for table in Array(context.tables.values) {
      table.forEach { other in
        let definition = type(of: other)._$definition
        for relation in definition.relations.references
        where relation.inverse == nil && relation.destination.root === root {
          guard context.shows(other),
            definition.codec.reference(relation.property.slot, of: other) == old
          else { continue }
          assign(model, to: other, relation)
        }
      }
    }
  }

  /// A model that was inserted goes again. Its relationships are cleared first: delete rules must not
  /// reach what was there before it.
  private func remove(_ change: ObjectChange) {
    guard context.shows(change.model) else { return }
    if case .appeared = change.kind {
      guard !recorder.merges.contains(change.model) else { return }
      let relations = type(of: change.model)._$definition.relations
      for relation in relations.references { assign(nil, to: change.model, relation) }
      for relation in relations.toMany { assign([], to: change.model, relation) }
    }
    context.remove(change.model)
  }

  // MARK: values

  private func restoreAttributes(_ change: ObjectChange) {
    guard let state = change.state(isUndo: isUndo), context.shows(change.model),
      let values = state.values
    else { return }
    let model = change.model
    let properties: [ModelProperty]
    var columns = PropertySet()
    let all = type(of: model)._$definition.layout.columns
    switch change.kind {
    case .changed(let difference):
      columns = difference.attributes
      properties = all.filter { columns.contains($0.slot) }
    default:
      properties = all.filter { !$0.kind.isRelationship }
      for property in properties { columns.insert(property.slot) }
    }
    guard let first = properties.first else { return }
    // Before the change is noted: observers may save.
    for property in properties { PropertyNotification.will(model, property) }
    guard model.prepareChange(first.keyPath),
      let row = try? model.capturedRow().replacing(0, columns, from: values, 0)
    else { return }
    model._$state.side?.changed.formUnion(columns)
    row.restore(0, model)
    context.pending.index = nil
    context.watchers?.noteRevert(of: model)
    for property in properties { PropertyNotification.did(model, property) }
  }

  private func restoreTargets(_ change: ObjectChange) {
    guard let state = change.state(isUndo: isUndo), context.shows(change.model) else { return }
    let relations = type(of: change.model)._$definition.relations
    for relation in relations.references {
      let slot = relation.property.slot
      if case .changed(let difference) = change.kind, !difference.targets.contains(slot) { continue }
      let target = state.targets[slot].flatMap { find($0, relation) }
      assign(target, to: change.model, relation)
    }
  }

  private func find(
    _ target: ObjectState.Target, _ relation: Relation
  ) -> (any PersistentModel)? {
    let model =
      target.model.map(recorder.merges.standing) ?? recorder.returned[target.identifier]
      ?? context.resolve(target.identifier, relation.destination)
    guard let model, context.shows(model) else { return nil }
    return model
  }

  /// Puts members back and takes others out; what others have added or removed since stays so.
  private func restoreLists(_ change: ObjectChange) {
    guard let state = change.state(isUndo: isUndo), context.shows(change.model) else { return }
    let relations = type(of: change.model)._$definition.relations
    for (slot, members) in state.lists.sorted(by: { $0.key < $1.key }) {
      let wanted = members.map { recorder.merges.standing(for: $0.model) }
      var left: [ObjectState.Member] = []
      var isWhole = true
      if case .changed(let difference) = change.kind {
        guard difference.lists.contains(slot) else { continue }
        isWhole = false
        left = (isUndo ? difference.after : difference.before).lists[slot] ?? []
      }
      guard let list = try? context.readList(of: change.model, slot: slot) else { continue }
      let current = list.models
      let present = Set(current.map { ObjectIdentifier($0) })
      // A member that was deleted is in the list until a save: it was not taken out by others.
      let leaving = Set(left.lazy.filter(\.isShown).map { identity(of: $0) })
      let known = Set(left.map { identity(of: $0) } + wanted.map { ObjectIdentifier($0) })
      let kept = wanted.filter { member in
        let identity = ObjectIdentifier(member)
        return context.shows(member) && (present.contains(identity) || !leaving.contains(identity))
      }
      let others = current.filter { !known.contains(ObjectIdentifier($0)) && context.shows($0) }
      assign(isWhole ? kept : kept + others, to: change.model, relations.toMany[slot])
    }
  }

  private func identity(of member: ObjectState.Member) -> ObjectIdentifier {
    ObjectIdentifier(recorder.merges.standing(for: member.model))
  }

  private func assign(
    _ target: (any PersistentModel)?, to model: any PersistentModel, _ relation: Relation
  ) {
    (relation.property.keyPath as? any AssignableKeyPath)?
      .assign(target, to: model, slot: relation.property.slot)
  }

  private func assign(
    _ members: [any PersistentModel], to model: any PersistentModel, _ relation: Relation
  ) {
    (relation.property.keyPath as? any AssignableKeyPath)?
      .assign(members, of: relation.destination.modelType, to: model, slot: relation.property.slot)
  }
}
