import Observation

/// Updates both sides of a relationship, before and after insertion and with or without a context. To-many lists that
/// the app has not read are not loaded.
enum RelationshipEditor {
  /// Assigns a to-one relationship.
  static func setTarget<M: PersistentModel, D: PersistentModel, Value>(
    of model: M, slot: Int, to newValue: D?, keyPath: KeyPath<M, Value>
  ) {
    guard let relation = type(of: model)._$definition.relations.toOne[slot] else { return }
    assign(keyPath, of: model) { () -> (old: (any PersistentModel)?, target: (any PersistentModel)?)? in
      let target = newValue.flatMap { adopt($0, for: model, relation) }
      if newValue != nil, target == nil { return nil }
      let old = currentTarget(of: model, slot, relation)
      if let old, let target, old === target { return nil }
      return (old, target)
    } apply: {
      move(model, from: $0.old, to: $0.target, relation)
    }
  }

  /// Runs an assignment between observer notifications.
  ///
  /// - Parameters:
  ///   - plan: Determines the changes; `nil` if there are none. Called again after observers were notified, because
  ///     they may have changed the relationship, saved, or deleted models.
  ///   - apply: Changes both sides.
  static func assign<M: PersistentModel, Value, Plan>(
    _ keyPath: KeyPath<M, Value>, of model: M, plan: () -> Plan?, apply: (Plan) -> Void
  ) {
    guard model.isUsableTarget || model.prepareChange(keyPath), var planned = plan(), model.prepareChange(keyPath)
    else { return }
    let registrar = model._$state.side?.registrar
    if let registrar {
      registrar.willSet(model, keyPath: keyPath)
      guard model.remainsPrepared(keyPath) else { return }
      guard let again = plan() else { return registrar.didSet(model, keyPath: keyPath) }
      planned = again
    }
    asAWhole(model) { apply(planned) }
    registrar?.didSet(model, keyPath: keyPath)
  }

  /// Changes a to-one target and updates the inverse relationships.
  static func move(
    _ model: any PersistentModel, from old: (any PersistentModel)?, to target: (any PersistentModel)?,
    _ relation: Relation
  ) {
    if let old { detach(model, from: old, relation) } else { forget(model, relation.slot, relation) }
    point(model, relation.slot, at: target)
    if let target { attach(model, to: target, relation) }
  }

  /// Changes both sides before notifying observers of related models, which could otherwise save or roll back half an
  /// edit.
  static func asAWhole(_ model: any PersistentModel, _ edit: () -> Void) {
    guard let context = model.ownerContext else { return edit() }
    context.deferringNotifications(edit)
  }

  // MARK: inverse relationships

  /// Updates the inverse after `target` was related to `model` through `relation`.
  static func attach(
    _ model: any PersistentModel, to target: any PersistentModel, _ relation: Relation
  ) {
    guard let inverse = relation.inverse else { return }
    if inverse.kind.isToMany { return edit(target, inverse, model, isAddition: true) }
    guard let back = type(of: target)._$definition.relations.relation(for: inverse) else { return }
    let previous = currentTarget(of: target, inverse.slot, back)
    if let previous, previous === model { return }
    guard change(target, inverse) else { return }
    if let previous {
      edit(previous, relation.property, target, isAddition: false)
    } else {
      forget(target, inverse.slot, back)
    }
    point(target, inverse.slot, at: model)
    PropertyNotification.did(target, inverse)
  }

  /// Updates the inverse after `target` was removed from `model`'s `relation`.
  static func detach(
    _ model: any PersistentModel, from target: any PersistentModel, _ relation: Relation
  ) {
    guard let inverse = relation.inverse else { return }
    if !inverse.kind.isToMany {
      guard let back = type(of: target)._$definition.relations.relation(for: inverse),
        let current = currentTarget(of: target, inverse.slot, back), current === model
      else { return }
    }
    edit(target, inverse, model, isAddition: false)
  }

  /// Adds `member` to a property of `owner` or removes it. The property may be a loaded list, an unloaded list or a
  /// to-one reference.
  static func edit(
    _ owner: any PersistentModel, _ property: ModelProperty, _ member: any PersistentModel, isAddition: Bool
  ) {
    guard change(owner, property) else { return }
    if property.kind.isToMany {
      changeList(of: owner, property, member, isAddition: isAddition)
    } else {
      point(owner, property.slot, at: isAddition ? member : nil)
    }
    PropertyNotification.did(owner, property)
  }

  private static func changeList(
    of owner: any PersistentModel, _ property: ModelProperty, _ member: any PersistentModel, isAddition: Bool
  ) {
    owner.side.changedLists.insert(property.slot)
    guard let list = knownList(of: owner, property) else {
      owner.ownerContext?.pending.change(
        list: ListKey(owner: owner._$identifier, slot: property.slot), member: member, isAddition: isAddition)
      return
    }
    if isAddition { list.append(member) } else { list.remove(member) }
  }

  /// Records a removal if the old to-one target is not in memory, so that the target's list omits `model` once loaded.
  private static func forget(_ model: any PersistentModel, _ slot: Int, _ relation: Relation) {
    guard let inverse = relation.inverse, inverse.kind.isToMany,
      let context = model.ownerContext,
      let identifier = type(of: model)._$definition.codec.reference(slot, of: model)
    else { return }
    context.pending.change(list: ListKey(owner: identifier, slot: inverse.slot), member: model, isAddition: false)
  }

  /// Restores inverse relationships of a model that reappears after a rollback, and removes related models that are
  /// unusable.
  static func relink(_ model: any PersistentModel) {
    let definition = type(of: model)._$definition
    for relation in definition.relations.all {
      let slot = relation.property.slot
      if relation.property.kind.isToMany {
        guard let list = model._$state.side?.links.list(slot) else { continue }
        for member in list.models where !member.isUsableTarget { list.remove(member) }
        for member in list.models { attach(model, to: member, relation) }
      } else if definition.codec.reference(slot, of: model) != nil {
        if let target = model.target(slot) {
          attach(model, to: target, relation)
        } else {
          point(model, slot, at: nil)
        }
      }
    }
  }

  // MARK: basic operations

  /// Writes a to-one reference. Also stores the object while either model has no context, or if the app holds no
  /// context and nothing else retains a new target.
  static func point(
    _ model: any PersistentModel, _ slot: Int, at target: (any PersistentModel)?
  ) {
    type(of: model)._$definition.codec.setReference(slot, of: model, to: target?._$identifier)
    let needsLink =
      target.map { target in
        model._$state.table == nil || target._$state.table == nil
          || (target._$identifier.isTemporary && model.ownerContext?.state.isHeld == false)
      } ?? false
    if needsLink || model._$state.side != nil {
      model.side.links.setTarget(slot, needsLink ? target : nil)
      model.side.changed.insert(slot)
    }
  }

  /// Returns the current target. Does not query the store if the inverse is a list that the store derives.
  static func currentTarget(
    of model: any PersistentModel, _ slot: Int, _ relation: Relation
  ) -> (any PersistentModel)? {
    if let linked = model._$state.side?.links.target(slot) { return linked }
    guard let identifier = type(of: model)._$definition.codec.reference(slot, of: model),
      let context = model.ownerContext
    else { return nil }
    let isRelational = (try? context.table(for: relation.destination))?.store.isRelational ?? true
    let isNeeded =
      relation.inverse?.kind.isToMany == false || (relation.inverse != nil && !isRelational)
      // A list with a minimum count is validated even if it is not loaded.
      || relation.endsInBoundedList
    if isNeeded {
      let target = context.resolve(identifier, relation.destination)
      if target == nil, !identifier.isTemporary {
        context.state.unreadEnds[identifier] = relation.destination
      }
      return target
    }
    return context.registered(identifier, relation.destination)
  }

  /// Returns the list of a to-many relationship if all members are known in memory.
  private static func knownList(
    of owner: any PersistentModel, _ property: ModelProperty
  ) -> ModelList? {
    if let list = owner._$state.side?.links.list(property.slot), list.isLoaded { return list }
    guard owner._$state.table == nil || owner.phase == .inserted,
      let type = property.kind.destination
    else { return nil }
    let list = type._$definition.codec.makeList(isLoaded: true)
    owner.side.links.setList(property.slot, list)
    return list
  }

  /// Returns the complete list, which the owner then retains, or `nil` if it cannot be read.
  static func completeList(
    of owner: any PersistentModel, _ slot: Int, _ relation: Relation
  ) -> ModelList? {
    if let list = knownList(of: owner, relation.property) { return list }
    let list = owner.loadedList(slot) ?? relation.destination.codec.makeList(isLoaded: true)
    guard owner._$state.table == nil || list.committed != nil else { return nil }
    owner.side.links.setList(slot, list)
    return list
  }

  /// Adds the related model to the pending changes and notifies observers.
  ///
  /// Models with a pending deletion are also updated, so that the current state is visible to delete rules and after
  /// the deletion is reverted.
  private static func change(_ model: any PersistentModel, _ property: ModelProperty) -> Bool {
    switch model.phase {
    case .gone: return false
    case .deleting: break
    case .clean, .inserted, .changed:
      guard model.prepareChange(property.keyPath) else { return false }
    }
    PropertyNotification.will(model, property)
    return model.phase == .clean ? model.prepareChange(property.keyPath) : true
  }

  // MARK: contexts

  /// Moves `target` into the context of `model`, or vice versa. Returns `nil` if this is impossible.
  static func adopt(
    _ target: any PersistentModel, for model: any PersistentModel, _ relation: Relation
  ) -> (any PersistentModel)? {
    let context = model.ownerContext
    let other = target.ownerContext
    if !target.isUsableTarget {
      // A deleted model that was never saved can be inserted again; all other deleted models are rejected.
      guard target.phase == .gone, target._$identifier.isTemporary, !target.side.isPlaceholder else {
        ModelIssue.deletedMember(target._$identifier, property: relation.property.name).report()
        return nil
      }
      if context == nil { target.side.becomeNew() }
    }
    // A placeholder for an unreadable row is replaced by the row's model if the row is readable now.
    if target._$state.side?.isUnreadable == true {
      if let own = context?.resolve(target._$identifier, relation.destination) { return own }
      ModelIssue.writeToUnreadableModel(target._$identifier, property: relation.property.name).report()
      return nil
    }
    if context === other { return target }
    if let context, other == nil {
      context.adopt(target)
      return target._$state.table == nil ? nil : target
    }
    if context == nil, let other {
      if model._$state.side?.isDeleted == true { return target }
      guard !other.state.isInStore else {
        ModelIssue.changeDuringSave(target._$identifier, property: relation.property.name).report()
        return nil
      }
      other.adopt(model)
      return target
    }
    if let context, !target._$identifier.isTemporary,
      let own = context.resolve(target._$identifier, relation.destination)
    {
      return own
    }
    ModelIssue.foreignModel(target._$identifier, property: relation.property.name).report()
    return nil
  }
}

/// Effects of deletions on related models.
extension RelationshipEditor {
  /// Clears a related model's to-one reference to a deleted model.
  static func unlink(
    _ related: any PersistentModel, from deleted: PersistentIdentifier, _ property: ModelProperty
  ) {
    guard type(of: related)._$definition.codec.reference(property.slot, of: related) == deleted,
      change(related, property)
    else { return }
    point(related, property.slot, at: nil)
    PropertyNotification.did(related, property)
  }

  /// Returns the loaded lists that contain deleted models. May be called before or after the models are marked as
  /// deleted.
  ///
  /// ``ModelList/removeGone()`` removes all of a list's deleted members together, because separate searches would take
  /// quadratic time.
  static func lists(with deleted: [any PersistentModel]) -> [ModelList] {
    var lists: [ObjectIdentifier: ModelList] = [:]
    for model in deleted {
      forEachOther(of: model) { other, relation in
        guard relation.inverseIsToMany, other.isUsableTarget,
          let list = other._$state.side?.links.list(relation.inverseSlot), list.isLoaded
        else { return }
        lists[ObjectIdentifier(list)] = list
      }
    }
    return Array(lists.values)
  }

  /// Notifies observers of related models that a model appears or disappears.
  static func notifyOthers(of model: any PersistentModel) {
    forEachOther(of: model) { other, relation in
      if let inverse = relation.inverse { PropertyNotification.changed(other, inverse) }
    }
  }

  /// Visits related models in memory, for each of the model's relationships that has an inverse.
  private static func forEachOther(
    of model: any PersistentModel,
    _ body: (_ other: any PersistentModel, _ relation: Relation) -> Void
  ) {
    let definition = type(of: model)._$definition
    let relations = definition.relations
    let state = model._$state
    // Unloaded lists need no change.
    guard relations.hasMirroredReferences || state.side?.links.isEmpty == false,
      let context = state.table?._withUnsafeGuaranteedRef({ $0.context })
    else { return }
    for relation in relations.mirrored {
      let slot = relation.slot
      if !relation.isToMany {
        guard let identifier = definition.codec.reference(slot, of: model),
          let other = context.registered(identifier, relation.destination)
        else { continue }
        body(other, relation)
      } else if let list = state.side?.links.list(slot) {
        let others =
          list.isLoaded
          ? list.models
          : (list.committed ?? []).compactMap { context.registered($0, relation.destination) }
        for other in others { body(other, relation) }
      }
    }
  }

  /// Unlinks a related model and a deleted model from each other, so that both sides are consistent if the deletion is
  /// reverted.
  static func part(
    _ related: any PersistentModel, from deleted: any PersistentModel, _ relation: Relation
  ) {
    guard let inverse = relation.inverse else { return }
    unlink(related, from: deleted._$identifier, inverse)
    if relation.isToMany {
      changeList(of: deleted, relation.property, related, isAddition: false)
    } else if type(of: deleted)._$definition.codec.reference(relation.slot, of: deleted) == related._$identifier {
      point(deleted, relation.slot, at: nil)
    }
  }
}
