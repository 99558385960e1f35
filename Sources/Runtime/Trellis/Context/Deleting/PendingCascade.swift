import SchemaFacts

/// Models that the next save will delete because a pending deletion cascades to them.
///
/// Until then the models are unchanged and can still be assigned to a remaining owner. Fetches that include pending
/// changes omit them. Further deletions add models; after any other relevant change, ``PendingChanges/cascade`` is
/// recomputed.
final class PendingCascade {
  private var models: [ObjectIdentifier: any PersistentModel] = [:]
  /// The models' root classes.
  private var tables: Set<ObjectIdentifier> = []
  /// Deleted models whose cascades have not been followed yet.
  private var waiting: [any PersistentModel] = []
  private var classes: Set<ObjectIdentifier> = []
  /// The root classes that cascades can reach.
  private var reach: Set<ObjectIdentifier> = []

  init(_ deleted: [any PersistentModel]) {
    for model in deleted { add(model) }
  }

  /// Adds a deleted model.
  func add(_ model: any PersistentModel) { waiting.append(model) }

  func contains(_ model: any PersistentModel) -> Bool { models[ObjectIdentifier(model)] != nil }

  /// Returns true if a cascade reaches a model in a table. Queries the store only if the deleted models' classes have
  /// cascades to that table's class.
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
    // This object retains the models instead.
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
  /// Returns the cascades of pending deletions, or `nil` if they reach no model in the table.
  func cascade(into table: IdentityTable) throws -> PendingCascade? {
    guard pending.hasDeletions else { return nil }
    let cascade = pending.cascade ?? PendingCascade(pending.deleted + pending.dropped)
    // The cascade retains the models.
    if !pending.isLoose { pending.cascade = cascade }
    do {
      return try cascade.leads(to: table, in: self) ? cascade : nil
    } catch {
      pending.cascade = nil
      throw error
    }
  }

  /// Returns the classes that can be reached by cascades from a deleted model, including subclasses.
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
