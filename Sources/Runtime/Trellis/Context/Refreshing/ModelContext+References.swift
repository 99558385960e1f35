/// Pending models whose related rows other contexts have deleted or related to another row.
extension ModelContext {
  /// A pending model loses its optional references to rows that are gone: it reads nil there, and
  /// what it reads is what it saves. One that it needs is for the save to refuse.
  func releaseReferences(
    of models: [any PersistentModel], to gone: Set<PersistentIdentifier>
  ) {
    guard !gone.isEmpty else { return }
    for model in models {
      let definition = type(of: model)._$definition
      for relation in definition.relations.references where relation.property.isOptional {
        let slot = relation.property.slot
        guard let reference = definition.codec.reference(slot, of: model), gone.contains(reference)
        else { continue }
        PropertyNotification.will(model, relation.property)
        definition.codec.setReference(slot, of: model, to: nil)
        model.side.links.setTarget(slot, nil)
        model.side.changed.insert(slot)
        PropertyNotification.did(model, relation.property)
      }
    }
  }

  /// The rows that models refer to and that are neither registered nor in a store.
  func missingReferences(of models: [any PersistentModel]) throws -> Set<PersistentIdentifier> {
    var asked: [ObjectIdentifier: (ModelDefinition, Set<PersistentIdentifier>)] = [:]
    for model in models {
      let definition = type(of: model)._$definition
      for relation in definition.relations.references {
        guard let reference = definition.codec.reference(relation.property.slot, of: model),
          !reference.isTemporary, registered(reference, relation.destination) == nil
        else { continue }
        let root = relation.destination.root
        asked[ObjectIdentifier(root), default: (root, [])].1.insert(reference)
      }
    }
    var missing = Set<PersistentIdentifier>()
    for (root, references) in asked.values {
      let found = try load(Array(references), root)
      missing.formUnion(references.subtracting(found.lazy.map(\.persistentModelID)))
    }
    return missing
  }

  /// Brings the other ends of edits up to date whose models could not be read at the time of the edit.
  ///
  /// - Throws: what the store throws when they still cannot be: with one end only, the save would write
  ///   a relationship that is another one from its other side.
  func settleUnreadEnds() throws {
    // To leave one may show another one that cannot be read.
    while let (identifier, definition) = unreadEnds.first {
      let found = try load([identifier], definition).first
      unreadEnds[identifier] = nil
      guard let end = found else { continue }
      for model in pending.changed {
        guard let side = model._$state.side, let row = side.committed else { continue }
        let own = type(of: model)._$definition
        for relation in own.relations.references {
          let slot = relation.property.slot
          guard side.changed.contains(slot), row.reference(slot) == identifier,
            own.codec.reference(slot, of: model) != identifier
          else { continue }
          RelationshipEditor.detach(model, from: end, relation)
        }
      }
    }
  }

  /// Where another context has given a model with a pending one-to-one change a partner, that
  /// partner loses it again: no model is ever named by two.
  func releaseReplacedPartners() {
    for model in pending.changed {
      guard let side = model._$state.side, let row = side.committed else { continue }
      let definition = type(of: model)._$definition
      for relation in definition.relations.references {
        let slot = relation.property.slot
        guard let inverse = relation.inverse, !inverse.kind.isToMany, side.changed.contains(slot),
          let stored = row.reference(slot),
          stored != definition.codec.reference(slot, of: model),
          let partner = resolve(stored, relation.destination), partner.phase != .deleting
        else { continue }
        RelationshipEditor.unlink(partner, from: model, inverse)
      }
    }
  }
}
