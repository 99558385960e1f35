import Foundation

/// The state of a context that saves snapshots.
struct BatchSave {
  /// True if new models overwrite rows with equal unique values.
  let isUpsert: Bool
  /// The store's result; `nil` before the save.
  var result: SaveResult?
}

/// A batch of snapshots saved as models in a separate context. Used for stores that have no tables, and for classes
/// whose rows depend on other rows.
final class ModelBatch<S: ModelSnapshot> {
  private let parent: ModelContext
  private let store: StoreHandle
  private let definition = S.Model._$definition
  private let isUpsert: Bool
  private let progress: BatchProgress
  private(set) var outcome = BatchOutcome()
  private var chunk: [S] = []
  private let size: Int
  /// Validation errors in the current chunk.
  private var violations: [SwiftDataError.Violation] = []

  init(_ parent: ModelContext, _ store: StoreHandle, isUpsert: Bool, _ progress: BatchProgress) {
    self.parent = parent
    self.store = store
    self.isUpsert = isUpsert
    self.progress = progress
    outcome.isTold = true
    // Snapshots that may refer to each other are saved together.
    size = definition.refersToItself || progress.isRepeatable ? .max : progress.interval
  }

  func add(_ snapshots: UnsafeBufferPointer<S>) throws {
    for snapshot in snapshots {
      chunk.append(snapshot)
      if chunk.count == size { try save() }
    }
  }

  func complete() throws { try save() }

  private func save() throws {
    guard !chunk.isEmpty else { return }
    let context = ModelContext(beside: parent)
    context.author = parent.author
    context.recordsHistory = parent.recordsHistory
    // Discards an unsaved chunk. No issue is reported because the caller receives the error.
    defer { context.rollback() }
    context.state.batch = BatchSave(isUpsert: isUpsert)
    violations = []
    var known: [PersistentIdentifier: S.Model] = [:]
    var models: [S.Model] = []
    models.reserveCapacity(chunk.count)
    var overwritten: [PersistentIdentifier] = []
    for snapshot in chunk {
      let identifier = snapshot.persistentIdentifier
      let model: S.Model
      if identifier.storeIdentifier == store.identifier {
        guard let saved = saved(identifier, context) else { continue }
        try overwrite(saved, with: snapshot, context)
        overwritten.append(identifier)
        model = saved
      } else {
        model = insert(snapshot, as: known[identifier] == nil ? identifier : nil, context)
      }
      known[identifier] = model
      models.append(model)
    }
    if violations.isEmpty, !definition.relations.all.isEmpty {
      // References are cleared first, so that a partner is free before another row refers to it.
      for relation in definition.relations.references {
        for index in models.indices where chunk[index].reference(relation.slot) == nil {
          RelationshipEditor.assign([], to: models[index], relation)
        }
      }
      for index in models.indices { try link(models[index], chunk[index], known, context) }
    }
    guard violations.isEmpty else {
      throw SwiftDataError.modelValidationFailure.listing(violations)
    }
    try context.save()
    chunk.removeAll(keepingCapacity: true)
    let result = context.state.batch?.result
    let ignored = result?.ignored.count ?? 0
    let updates = overwritten.count + (result?.merged.count ?? 0) - ignored
    outcome.result.updatedCount += updates
    outcome.result.insertedCount += models.count - updates - ignored
    for identifier in Set(overwritten).union(result?.overwrittenIdentifiers ?? []).sorted() {
      outcome.recordUpdate(identifier)
    }
    for model in models { outcome.result.identifiers.append(model._$identifier) }
    try progress.update(outcome.result.count, isSaved: true)
  }

  private func saved(_ identifier: PersistentIdentifier, _ context: ModelContext) -> S.Model? {
    if isUpsert, isOne(identifier, of: definition),
      let model = context.resolve(identifier, definition) as? S.Model
    {
      let own = type(of: model)._$definition
      if own === definition { return model }
      violations.append(.overwriting(identifier, own.entityName, with: definition.entityName))
      return nil
    }
    violations.append(
      !isUpsert
        ? .savedAlready(identifier)
        : SwiftDataError.Violation(
          model: identifier, properties: [], rule: .deletedElsewhere,
          reason: "was deleted by a concurrent save before this change was saved; give the snapshot a new identifier"))
    return nil
  }

  /// Returns true if an identifier may belong to a model of the class or a subclass.
  private func isOne(_ identifier: PersistentIdentifier, of definition: ModelDefinition) -> Bool {
    parent.core.schema.entitiesByName[identifier.entityName]?.definition?.root === definition.root
  }

  private func insert(
    _ snapshot: S, as identifier: PersistentIdentifier?, _ context: ModelContext
  ) -> S.Model {
    var values = snapshot
    let isNew = identifier.map { $0.isTemporary && isOne($0, of: definition) } ?? false
    values.persistentIdentifier = (isNew ? identifier : nil) ?? definition.temporaryIdentifier()
    // Relationships are set after all models have been created, together with their inverses.
    for relation in definition.relations.references { values.setReference(relation.slot, to: nil) }
    for relation in definition.relations.toMany { values.setReferences(relation.slot, to: []) }
    let model = values.makeModel()
    context.insert(model)
    return model
  }

  private func overwrite(_ model: S.Model, with snapshot: S, _ context: ModelContext) throws {
    context.complete(model)
    let (old, new) = (TypedBuffer<S>(capacity: 1), TypedBuffer<S>(capacity: 1))
    old.append(S(of: model))
    new.append(snapshot)
    var slots = try new.differing(0, from: old, 0)
    for relation in definition.relations.references { slots.remove(relation.slot) }
    guard !slots.isEmpty, model.prepareChange(\S.Model.persistentBackingData) else { return }
    model.side.changed.formUnion(slots)
    try old.replacing(0, slots, from: new, 0)?.restore(0, model)
  }

  private func link(
    _ model: S.Model, _ snapshot: S, _ known: [PersistentIdentifier: S.Model], _ context: ModelContext
  ) throws {
    func target(_ identifier: PersistentIdentifier, _ relation: Relation) throws -> (any PersistentModel)? {
      var target: (any PersistentModel)? = known[identifier]
      if target == nil {
        guard isOne(identifier, of: relation.destination), !identifier.isTemporary else {
          throw SwiftDataError.modelValidationFailure.explained(
            "'\(definition.entityName).\(relation.property.name)' refers to \(identifier), which is neither saved nor "
              + "in the batch: put its snapshot into the same batch, or save its model first")
        }
        target = context.resolve(identifier, relation.destination)
        if target == nil {
          violations.append(
            SwiftDataError.Violation(
              model: snapshot.persistentIdentifier, properties: [relation.property.name], rule: .required,
              reason: "refers to a '\(relation.destination.entityName)' that does not exist", others: [identifier]))
        }
      }
      return target.flatMap { type(of: $0)._$definition.isOrInherits(from: relation.destination.entityName) ? $0 : nil }
    }
    for relation in definition.relations.all {
      let others =
        relation.isToMany
        ? snapshot.references(relation.slot) ?? [] : [snapshot.reference(relation.slot)].compactMap(\.self)
      guard !others.isEmpty else { continue }
      if relation.isToMany, relation.inverse?.kind.isToMany == false {
        violations.append(.derivedList(relation, of: snapshot.persistentIdentifier, definition))
        continue
      }
      let present = relation.isToMany ? model.loadedList(relation.slot)?.models ?? [] : []
      var seen = Set<ObjectIdentifier>()
      let all = try present + others.compactMap { try target($0, relation) }
      RelationshipEditor.assign(all.filter { seen.insert(ObjectIdentifier($0)).inserted }, to: model, relation)
    }
  }
}

extension ModelContext {
  /// Writes a batch to tables or as models, and posts the result.
  ///
  /// - Parameter body: Calls its argument with portions of the snapshots.
  @usableFromInline func write<S: ModelSnapshot>(
    isUpsert: Bool, _ progress: BatchProgress,
    _ body: ((UnsafeBufferPointer<S>) throws -> Void) throws -> Void
  ) throws -> BatchResult {
    let definition = S.Model._$definition
    let outcome = try occupancy.performExclusively(.batch) {
      let store = try core.store(of: definition)
      try store.requireSaving()
      do {
        let outcome = try store.sqlStore?.write(definition, isUpsert: isUpsert, progress, editingState) { batch in
          try body { try batch.add(TypedBuffer(borrowing: $0)) }
        }
        if let outcome { return outcome }
      } catch {
        // In a store with a single connection, concurrent contexts may have read uncommitted rows.
        if store.sqlStore?.streams != true { core.hub.post(Commit(isWholesale: true)) }
        throw error
      }
      let batch = ModelBatch<S>(self, store, isUpsert: isUpsert, progress)
      do {
        try body(batch.add)
        try batch.complete()
      } catch {
        // Chunks saved before the error remain saved.
        tell(of: batch.outcome, definition)
        throw error
      }
      return batch.outcome
    }
    tell(of: outcome, definition)
    return outcome.result
  }

  private func tell(of outcome: BatchOutcome, _ definition: ModelDefinition) {
    guard outcome.result.count > 0 else { return }
    if !outcome.isTold { core.hub.post(outcome.commit(of: definition, core.schema)) }
    // The next fetch or save reports unreadable rows.
    try? occupancy.performExclusively(.refresh) { try readCommit() }
    let tokens = outcome.historyToken.map { [$0.storeIdentifier: $0] } ?? [:]
    var info = NotificationKey.info(updated: outcome.updated ?? [], tokens)
    info[BatchNotificationKey.batchResult] = outcome.result
    info[BatchNotificationKey.batchResult.rawValue] = outcome.result
    NotificationCenter.default.post(name: Self.didSave, object: self, userInfo: info)
  }
}
