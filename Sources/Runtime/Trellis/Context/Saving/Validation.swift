/// Validates required relationships and member counts before a save.
struct Validation {
  let context: ModelContext

  /// - Parameters:
  ///   - denials: Violations found by delete rules.
  ///   - shortened: Lists that contained deleted models.
  /// - Throws: ``SwiftDataError/modelValidationFailure`` with all violations.
  func check(
    _ denials: [SwiftDataError.Violation] = [],
    shortened: [(owner: any PersistentModel, list: Relation)] = []
  ) throws {
    var violations = denials + context.violationsOfLostRows()
    let common = context.pending.commonClass
    if common?.relations.checked.isEmpty != true {
      for group in context.pending.inserted.grouped(of: common) + context.pending.changed.grouped(of: common)
      where !group.definition.relations.checked.isEmpty {
        for model in group.models { check(model, &violations) }
      }
    }
    var seen = Set<ListKey>()
    for (owner, list) in shortened where !isChecked(owner, list) && owner.isUsableTarget {
      guard seen.insert(ListKey(owner: owner._$identifier, slot: list.slot)).inserted else { continue }
      checkCount(owner, list, &violations)
    }
    if context.pending.hasDeletions { violations += try orphanedModels() }
    guard violations.isEmpty else {
      throw SwiftDataError.modelValidationFailure.listing(violations)
    }
  }

  /// Returns true if a pending model's list must be validated because it was changed.
  private func isChecked(_ owner: any PersistentModel, _ list: Relation) -> Bool {
    switch owner.phase {
    case .inserted: true
    case .changed: owner._$state.side?.changedLists.contains(list.property.slot) == true
    case .clean, .deleting, .gone: false
    }
  }

  private func check(
    _ model: any PersistentModel, _ violations: inout [SwiftDataError.Violation]
  ) {
    let definition = type(of: model)._$definition
    for relation in definition.relations.checked {
      if relation.property.kind.isToMany {
        // Only changed lists are checked, so that no list is loaded only to be counted.
        guard isChecked(model, relation) else { continue }
        checkCount(model, relation, &violations)
      } else if !relation.property.isOptional, !hasTarget(model, relation) {
        violations.append(
          SwiftDataError.Violation(
            model: model._$identifier, properties: [relation.property.name], rule: .required,
            reason: "required, but there is no \(relation.destination.entityName)"))
      }
    }
  }

  private func hasTarget(_ model: any PersistentModel, _ relation: Relation) -> Bool {
    type(of: model)._$definition.codec.reference(relation.slot, of: model)
      .flatMap { context.savedReference($0, relation.destination) } != nil
  }

  private func checkCount(
    _ model: any PersistentModel, _ relation: Relation,
    _ violations: inout [SwiftDataError.Violation]
  ) {
    let minimum = relation.property.minimumCount
    let maximum = relation.property.maximumCount
    let count = model.loadedList(relation.property.slot)?.models.count(where: \.isUsableTarget) ?? 0
    // An empty optional relationship may mean `nil`, to which counts do not apply.
    if relation.property.isOptional, count == 0 { return }
    let isTooShort = count < minimum
    guard isTooShort || (maximum > 0 && count > maximum) else { return }
    let bound = isTooShort ? "at least \(minimum) are required" : "at most \(maximum) are allowed"
    violations.append(
      SwiftDataError.Violation(
        model: model._$identifier, properties: [relation.property.name],
        rule: isTooShort ? .minimumModelCount : .maximumModelCount, reason: "holds \(count) models, \(bound)"))
  }
}

extension Validation {
  /// Returns violations for models whose required to-one relationship has no inverse and refers to a deleted model.
  /// Table stores check these references themselves.
  func orphanedModels() throws -> [SwiftDataError.Violation] {
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
        for model in try context.allModels(definition.modelType, context.table(for: definition)) {
          guard model.isUsableTarget, model.phase == .clean,
            type(of: model)._$definition === definition,
            let reference = definition.codec.reference(relation.slot, of: model), gone.contains(reference)
          else { continue }
          violations.append(
            SwiftDataError.Violation(
              model: model._$identifier, properties: [relation.property.name], rule: .required,
              reason: "requires the \(relation.destination.entityName) that is being deleted", others: [reference]))
        }
      }
    }
    return violations
  }
}
