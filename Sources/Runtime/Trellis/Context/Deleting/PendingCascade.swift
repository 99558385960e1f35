import SchemaFacts

/// The models that the next save deletes because cascades lead to them from pending deletions.
///
/// Until the save nothing happens to them: they may still be given to an owner that stays. Fetches that
/// include pending changes leave them out. More deletions add models; after any other change that may lead to
/// other models ``PendingChanges/cascade`` is computed again.
final class PendingCascade {
  private var models: [ObjectIdentifier: any PersistentModel] = [:]
  /// The roots of their classes.
  private var tables: Set<ObjectIdentifier> = []
  /// Deleted models that were not followed yet.
  private var waiting: [any PersistentModel] = []
  private var classes: Set<ObjectIdentifier> = []
  /// The roots of the classes that cascades may lead to.
  private var reach: Set<ObjectIdentifier> = []

  init(_ deleted: [any PersistentModel]) {
    for model in deleted { add(model) }
  }

  /// Adds a deleted model.
  func add(_ model: any PersistentModel) { waiting.append(model) }

  func contains(_ model: any PersistentModel) -> Bool { models[ObjectIdentifier(model)] != nil }

  /// Whether a model of a table is among them. Asks the store only where the classes of the deleted models
  /// have cascades that lead there.
  fileprivate func leads(to table: IdentityTable, in context: ModelContext) throws -> Bool {
    for model in waiting {
      let definition = type(of: model)._$definition
      guard classes.insert(ObjectIdentifier(definition)).inserted else { continue }
      reach.formUnion(context.cascadeTargets(of: definition).map { ObjectIdentifier($0.root) })
    }
    guard reach.contains(ObjectIdentifier(table.definition.root)) else { return false }
    try follow(waiting.filter { !$0.isUsableTarget }, in: context)
    waiting = []
    return tables.contains(ObjectIdentifier(table.definition.root))
  }

  private func follow(_ deleted: [any PersistentModel], in context: ModelContext) throws {
    // The models are kept here instead.
    let kept = context.state.keepAlive
    defer { context.state.keepAlive = kept }
    var rules = DeleteRules(context: context) { [self] model in
      tables.insert(ObjectIdentifier(type(of: model)._$definition.root))
      return models.updateValue(model, forKey: ObjectIdentifier(model)) == nil
    }
    try rules.preview(of: deleted)
  }
}

extension ModelContext {
  /// What cascades of pending deletions lead to; nil where that is no model of a table.
  func cascade(into table: IdentityTable) throws -> PendingCascade? {
    guard pending.hasDeletions else { return nil }
    let cascade = pending.cascade ?? PendingCascade(pending.deleted + pending.dropped)
    // It retains the models.
    if !pending.isLoose { pending.cascade = cascade }
    do {
      return try cascade.leads(to: table, in: self) ? cascade : nil
    } catch {
      pending.cascade = nil
      throw error
    }
  }

  /// The classes that cascades of a deleted model may lead to, with those that inherit from them.
  func cascadeTargets(of definition: ModelDefinition) -> [ModelDefinition] {
    var found: [ModelDefinition] = []
    var seen: Set<ObjectIdentifier> = []
    var waiting = [definition]
    while let next = waiting.popLast() {
      for relation in next.relations.all where relation.consequence == .deletion {
        for target in core.schema.classes(of: relation.destination.root)
        where seen.insert(ObjectIdentifier(target)).inserted {
          found.append(target)
          waiting.append(target)
        }
      }
    }
    return found
  }
}
