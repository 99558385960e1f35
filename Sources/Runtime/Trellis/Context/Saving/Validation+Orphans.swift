extension Validation {
  /// Models that need one that is being deleted and of which that one knows nothing: a required
  /// to-one without inverse. Tables look after these by themselves.
  func orphans() throws -> [SwiftDataError.Violation] {
    guard context.core.stores.contains(where: { !$0.isRelational }) else { return [] }
    var deleted: [ObjectIdentifier: Set<PersistentIdentifier>] = [:]
    for model in context.pending.deleted {
      let root = type(of: model)._$definition.root
      deleted[ObjectIdentifier(root), default: []].insert(model._$identifier)
    }
    var violations: [SwiftDataError.Violation] = []
    for entity in context.core.schema.entities {
      guard let definition = entity.definition,
        context.core.store(for: entity.name)?.isRelational == false
      else { continue }
      for relation in definition.relations.references
      where relation.inverse == nil && !relation.property.isOptional {
        guard let gone = deleted[ObjectIdentifier(relation.destination.root)] else { continue }
        violations += try orphans(definition, relation, of: gone)
      }
    }
    return violations
  }

  private func orphans(
    _ definition: ModelDefinition, _ relation: Relation, of gone: Set<PersistentIdentifier>
  ) throws -> [SwiftDataError.Violation] {
    let models = try context.allModels(definition.modelType, context.table(for: definition))
    return models.compactMap { model in
      guard model.isUsableTarget, model.phase == .clean,
        type(of: model)._$definition === definition,
        let reference = definition.codec.reference(relation.property.slot, of: model),
        gone.contains(reference)
      else { return nil }
      return SwiftDataError.Violation(
        model: model._$identifier, properties: [relation.property.name], rule: .required,
        reason: "needs the \(relation.destination.entityName) that is deleted", others: [reference])
    }
  }
}
