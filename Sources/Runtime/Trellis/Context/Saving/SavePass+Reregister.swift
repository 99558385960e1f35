extension SavePass {
  /// Gives a model the row that the store has changed beyond the request.
  ///
  /// If the row no longer refers to a partner, another context has separated them.
  func reregister(_ model: any PersistentModel, _ snapshot: DefaultSnapshot) {
    let definition = type(of: model)._$definition
    let pairs = definition.relations.references.filter { $0.inverse?.kind.isToMany == false }
    let before = pairs.map { definition.codec.reference($0.property.slot, of: model) }
    PropertyNotification.replacing(model, with: snapshot.buffer, snapshot.index) {
      snapshot.buffer.restore(snapshot.index, model)
    }
    model._$state.side?.missing = nil
    for (relation, old) in zip(pairs, before) {
      guard let old, old != definition.codec.reference(relation.property.slot, of: model),
        let inverse = relation.inverse, inverse.isOptional,
        let partner = context.registered(old, relation.destination), partner.phase == .clean
      else { continue }
      let codec = type(of: partner)._$definition.codec
      guard codec.reference(inverse.slot, of: partner) == model._$identifier else { continue }
      PropertyNotification.will(partner, inverse)
      codec.setReference(inverse.slot, of: partner, to: nil)
      PropertyNotification.did(partner, inverse)
    }
  }

  /// An upsert found a row that another object stands for: that object stays and takes the values; the
  /// new one is gone.
  func merge(_ model: any PersistentModel, into existing: any PersistentModel) {
    let codec = type(of: model)._$definition.codec
    let buffer = codec.makeBuffer(capacity: 1)
    codec.capture(model, into: buffer)
    context.monitor?.undo?.willMerge(model, buffer, into: existing)
    PropertyNotification.replacing(existing, with: buffer, 0) { buffer.restore(0, existing) }
    existing._$state.side?.missing = nil
    model._$state.owner = nil
    let side = model.side
    context.probe.hasUnusableModels = true
    side.phase = .gone
    side.isDeleted = true
    side.links = ModelLinks()
  }
}
