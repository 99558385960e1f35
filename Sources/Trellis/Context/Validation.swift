/// Checks what a save is about to write: required relationships and member counts.
struct Validation {
  let context: ModelContext

  /// - Throws: ``SwiftDataError/modelValidationFailure`` with every violation at once.
  func check() throws {
    var violations: [SwiftDataError.Violation] = []
    check(context.pending.inserted, areNew: true, &violations)
    check(context.pending.changed, areNew: false, &violations)
    guard violations.isEmpty else {
      throw SwiftDataError.modelValidationFailure.listing(violations)
    }
  }

  private func check(
    _ models: [any PersistentModel], areNew: Bool, _ violations: inout [SwiftDataError.Violation]
  ) {
    var definition: ModelDefinition?
    var needsCheck = false
    for model in models {
      let own = type(of: model)._$definition
      if own !== definition {
        definition = own
        needsCheck = !own.relations.checked.isEmpty
      }
      if needsCheck { check(model, isNew: areNew, &violations) }
    }
  }

  private func check(
    _ model: any PersistentModel, isNew: Bool, _ violations: inout [SwiftDataError.Violation]
  ) {
    let definition = type(of: model)._$definition
    for relation in definition.relations.checked {
      if relation.property.kind.isToMany {
        checkCount(model, relation, isNew, &violations)
      } else if !relation.property.isOptional, !hasTarget(model, relation) {
        violations.append(
          SwiftDataError.Violation(
            model: model._$identifier, properties: [relation.property.name], rule: .required,
            reason: "required, but there is no \(relation.destination.entityName)"))
      }
    }
  }

  private func hasTarget(_ model: any PersistentModel, _ relation: Relation) -> Bool {
    let slot = relation.property.slot
    guard let reference = type(of: model)._$definition.codec.reference(slot, of: model) else {
      return false
    }
    guard let target = context.registered(reference, relation.destination) else {
      return !reference.isTemporary
    }
    return target.isUsableTarget
  }

  /// Counts are judged where the list was touched, so that no list is loaded only to be counted.
  private func checkCount(
    _ model: any PersistentModel, _ relation: Relation, _ isNew: Bool,
    _ violations: inout [SwiftDataError.Violation]
  ) {
    let minimum = relation.property.relationship?.minimumModelCount ?? 0
    let maximum = relation.property.relationship?.maximumModelCount ?? 0
    let slot = relation.property.slot
    guard minimum > 0 || maximum > 0 else { return }
    guard isNew || model._$state.side?.changedLists.contains(slot) == true else { return }
    let count = model.loadedList(slot)?.models.count(where: \.isUsableTarget) ?? 0
    // On an optional relationship an empty list may mean nil, which counts leave alone.
    if relation.property.isOptional, count == 0 { return }
    let name = relation.property.name
    if count < minimum {
      violations.append(
        SwiftDataError.Violation(
          model: model._$identifier, properties: [name], rule: .minimumModelCount,
          reason: "holds \(count) models, at least \(minimum) are required"))
    }
    if maximum > 0, count > maximum {
      violations.append(
        SwiftDataError.Violation(
          model: model._$identifier, properties: [name], rule: .maximumModelCount,
          reason: "holds \(count) models, at most \(maximum) are allowed"))
    }
  }
}
