/// Restores models to the states after the given changes. Inverse relationships are updated, and the next save writes
/// the changes.
struct UndoApplication {
  let recorder: UndoRecorder
  let changes: [ObjectChange]
  /// True if the changes are reversed.
  let isUndo: Bool
  private var context: ModelContext { recorder.context }

  func run() {
    let returning = restoreDeleted()
    for change in changes { restoreAttributes(of: change) }
    for isToMany in [false, true] {
      for change in changes {
        let relations = type(of: change.model)._$definition.relations.all.filter { $0.isToMany == isToMany }
        for relation in relations { restore(relation, of: change, returning) }
      }
    }
    for change in changes where change.after == nil && context.shows(change.model) {
      // Delete rules must not affect models that existed before an insertion.
      let relations = isUndo ? type(of: change.model)._$definition.relations.all : []
      for relation in relations { RelationshipEditor.assign([], to: change.model, relation) }
      context.remove(change.model)
    }
    for change in changes { context.resolve(change.model) }
  }

  /// Registers deleted models again, with the same objects. Returns the new identifiers.
  private func restoreDeleted() -> Set<PersistentIdentifier> {
    var returning = Set<PersistentIdentifier>()
    var former: [PersistentIdentifier: any PersistentModel] = [:]
    for change in changes where change.before == nil && change.after != nil {
      let model = change.model
      let definition = type(of: model)._$definition
      if model.ownerContext == nil, context.registered(recorder.current(model._$identifier), definition) == nil {
        if !model._$identifier.isTemporary {
          // The former identifier cannot be used again, because stores do not reuse keys.
          let new = definition.temporaryIdentifier()
          former[model._$identifier] = model
          recorder.returned[model._$identifier] = new
          model._$adopt(new)
        }
        for relation in definition.relations.references {
          definition.codec.setReference(relation.slot, of: model, to: nil)
        }
        model.side.becomeNew()
        model.side.links = ModelLinks()
      } else if model.ownerContext !== context {
        continue
      }
      context.adopt(model)
      returning.insert(model._$identifier)
    }
    if !former.isEmpty { replaceReferences(to: former) }
    return returning
  }

  /// Replaces the models' former identifiers in one-way references in memory.
  private func replaceReferences(to models: [PersistentIdentifier: any PersistentModel]) {
    for table in Array(context.tables.values) {
      table.forEach { other in
        let definition = type(of: other)._$definition
        for relation in definition.relations.references where relation.inverse == nil && context.shows(other) {
          let former = definition.codec.reference(relation.slot, of: other)
          if let model = former.flatMap({ models[$0] }) { RelationshipEditor.assign([model], to: other, relation) }
        }
      }
    }
  }

  private func restoreAttributes(of change: ObjectChange) {
    let model = change.model
    guard let state = change.after, context.shows(model) else { return }
    let attributes = state.attributes(differingFrom: change.before)
    guard let first = attributes.first, model.prepareChange(first.keyPath) else { return }
    let slots = attributes.reduce(into: PropertySet()) { $0.insert($1.slot) }
    guard let row = try? model.capturedRow().replacing(0, slots, from: state.row, 0) else { return }
    model.side.changed.formUnion(slots)
    PropertyNotification.replacing(model, with: row, 0) { row.restore(0, model) }
    context.pending.index = nil
    context.watchers?.recordRevert(of: model)
  }

  private func restore(_ relation: Relation, of change: ObjectChange, _ returning: Set<PersistentIdentifier>) {
    let model = change.model
    let former = change.before?.members(relation)?.map(recorder.current)
    guard context.shows(model), let wanted = change.after?.members(relation)?.map(recorder.current),
      former != wanted || !returning.isDisjoint(with: wanted),
      let found = context.readMembers(wanted, of: model._$identifier, relation)
    else { return }
    var members = found.map(relation.destination.codec.model(from:)).filter(context.shows)
    if relation.isToMany, let former {
      guard let list = RelationshipEditor.completeList(of: model, relation.slot, relation) else { return }
      // Members that were removed or added since then, including by other contexts, are not affected.
      let removed = Set(former).subtracting(returning).subtracting(list.identifiers)
      let known = Set(former + wanted)
      members.removeAll { removed.contains($0._$identifier) }
      members += list.models.filter { !known.contains($0._$identifier) && context.shows($0) }
    }
    RelationshipEditor.assign(members, to: model, relation)
  }
}
