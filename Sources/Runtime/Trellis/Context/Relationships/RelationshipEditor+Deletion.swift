/// What the deletion of a model does to the models around it.
extension RelationshipEditor {
  /// A related model loses its to-one reference to a model that is being deleted.
  static func unlink(
    _ related: any PersistentModel, from deleted: any PersistentModel, _ property: ModelProperty
  ) {
    unlink(related, from: deleted._$identifier, property)
  }

  static func unlink(
    _ related: any PersistentModel, from deleted: PersistentIdentifier, _ property: ModelProperty
  ) {
    let codec = type(of: related)._$definition.codec
    guard codec.reference(property.slot, of: related) == deleted,
      related.prepareChange(property.keyPath)
    else { return }
    PropertyNotification.will(related, property)
    codec.setReference(property.slot, of: related, to: nil)
    related.side.links.setTarget(property.slot, nil)
    related.side.changed.insert(property.slot)
    PropertyNotification.did(related, property)
  }

  /// Removes models from loaded lists after their deletion was saved.
  ///
  /// Removes all of them together, because a separate search for each of many members of one list would be quadratic.
  struct Departure {
    private var lists: [ObjectIdentifier: ModelList] = [:]

    /// Notes the lists of a model, before or after it is marked as deleted.
    mutating func add(_ deleted: any PersistentModel) {
      forEachOther(of: deleted) { other, relation in
        guard relation.inverseIsToMany,
          let list = other._$state.side?.links.list(relation.inverseSlot), list.isLoaded
        else { return }
        lists[ObjectIdentifier(list)] = list
      }
    }

    /// Takes every deleted model out of the lists that were noted.
    func finish() { for list in lists.values { list.removeDeleted() } }
  }

  /// Tells the observers of related models that a model appears or disappears there.
  static func notifyOthers(of model: any PersistentModel) {
    forEachOther(of: model) { other, relation in
      guard other._$state.side?.registrar != nil, let inverse = relation.inverse else { return }
      PropertyNotification.will(other, inverse)
      PropertyNotification.did(other, inverse)
    }
  }

  /// Visits the models in memory that are related to a model, with the relationship of the model that
  /// leads to them and has an inverse.
  private static func forEachOther(
    of model: any PersistentModel,
    _ body: (_ other: any PersistentModel, _ relation: Relation) -> Void
  ) {
    let definition = type(of: model)._$definition
    let relations = definition.relations
    let state = model._$state
    // Lists that are not loaded need no change.
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
}

extension RelationshipEditor {
  /// A related model and the one that is being deleted lose each other, so that taking the deletion
  /// back finds both ends alike.
  static func part(
    _ related: any PersistentModel, from deleted: any PersistentModel, _ relation: Relation
  ) {
    guard let inverse = relation.inverse else { return }
    unlink(related, from: deleted, inverse)
    let slot = relation.property.slot
    if !relation.property.kind.isToMany {
      let codec = type(of: deleted)._$definition.codec
      guard codec.reference(slot, of: deleted) == related._$identifier else { return }
      codec.setReference(slot, of: deleted, to: nil)
      deleted.side.links.setTarget(slot, nil)
      deleted.side.changed.insert(slot)
      return
    }
    deleted.side.changedLists.insert(slot)
    if let list = deleted.side.links.list(slot), list.isLoaded {
      list.remove(related)
    } else {
      deleted.ownerContext?.noteListChange(
        deleted._$identifier, relation.property, member: related, isAddition: false)
    }
  }
}
