/// A batch of snapshots on its way into a store that takes whole saves: models of a separate context,
/// chunk by chunk, so that the store is asked for nothing but what it does for every caller.
final class ModelBatch<S: ModelSnapshot> {
  private let parent: ModelContext
  private let store: StoreHandle
  private let definition = S.Model._$definition
  private let isUpsert: Bool
  private let progress: BatchProgress
  var author: String?
  var recordsHistory = true
  private(set) var outcome = BatchOutcome()
  private var chunk: [S] = []
  private let size: Int

  init(_ parent: ModelContext, _ store: StoreHandle, isUpsert: Bool, _ progress: BatchProgress) {
    self.parent = parent
    self.store = store
    self.isUpsert = isUpsert
    self.progress = progress
    outcome.isTold = true
    // Snapshots that may refer to each other go together, and so do those that are looked for.
    let root = definition.root
    let isWhole = definition.relations.all.contains { $0.destination.root === root }
    size = isWhole || isUpsert ? .max : progress.interval
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
    context.author = author
    context.recordsHistory = recordsHistory
    // A chunk that is not saved is dropped without a report: the error says so.
    defer { context.rollback() }
    var violations: [SwiftDataError.Violation] = []
    var known: [PersistentIdentifier: S.Model] = [:]
    var models: [S.Model] = []
    models.reserveCapacity(chunk.count)
    var matches = isUpsert ? try UniqueMatches(context, S.Model.self) : nil
    var updates = 0
    for snapshot in chunk {
      let identifier = snapshot.persistentIdentifier
      let model: S.Model
      if identifier.storeIdentifier == store.identifier {
        guard let saved = saved(identifier, context, &violations) else { continue }
        model = saved
      } else if let match = try matches?.match(of: DefaultSnapshot(snapshot)) {
        model = match
      } else {
        model = insert(snapshot, as: known[identifier] == nil ? identifier : nil, context)
        known[identifier] = model
        models.append(model)
        try matches?.add(model)
        continue
      }
      updates += 1
      known[identifier] = model
      models.append(model)
      try overwrite(model, with: snapshot, context)
      try matches?.add(model)
    }
    if violations.isEmpty, !definition.relations.all.isEmpty {
      // A row without a partner leaves its former partner before other rows refer to that one.
      for relation in definition.relations.references {
        for index in models.indices where chunk[index].reference(relation.slot) == nil {
          RelationshipEditor.setTarget(of: models[index], relation, to: nil)
        }
      }
      for index in models.indices { try link(models[index], chunk[index], known, context, &violations) }
    }
    guard violations.isEmpty else {
      throw SwiftDataError.modelValidationFailure.listing(violations)
    }
    try context.save()
    chunk.removeAll(keepingCapacity: true)
    outcome.result.updatedCount += updates
    outcome.result.insertedCount += models.count - updates
    for model in models { outcome.result.identifiers.append(model._$identifier) }
    try progress.update(outcome.result.count, isSaved: true)
  }

  private func saved(
    _ identifier: PersistentIdentifier, _ context: ModelContext,
    _ violations: inout [SwiftDataError.Violation]
  ) -> S.Model? {
    if isUpsert, isOne(identifier, of: definition),
      let model = context.resolve(identifier, definition) as? S.Model
    {
      let own = type(of: model)._$definition
      if own === definition { return model }
      violations.append(.overwriting(identifier, own.entityName, with: definition.entityName))
      return nil
    }
    violations.append(
      SwiftDataError.Violation(
        model: identifier, properties: [], rule: isUpsert ? .deletedElsewhere : .unique,
        reason: isUpsert
          ? "was deleted by someone else before this change was saved; give the snapshot a new "
            + "identifier"
          : "is saved already: use 'upsert(contentsOf:)' to overwrite it, or give the snapshot a "
            + "new identifier"))
    return nil
  }

  /// Whether an identifier can be of a model of an entity, or of one that inherits from it.
  private func isOne(_ identifier: PersistentIdentifier, of definition: ModelDefinition) -> Bool {
    parent.core.schema.entitiesByName[identifier.entityName]?.definition?.root === definition.root
  }

  private func insert(
    _ snapshot: S, as identifier: PersistentIdentifier?, _ context: ModelContext
  ) -> S.Model {
    var values = snapshot
    let isNew = identifier.map { $0.isTemporary && isOne($0, of: definition) } ?? false
    values.persistentIdentifier = (isNew ? identifier : nil) ?? definition.temporaryIdentifier()
    // Relationships are set when all models are there, both sides at once.
    for relation in definition.relations.references { values.setReference(relation.slot, to: nil) }
    for relation in definition.relations.toMany { values.setReferences(relation.slot, to: []) }
    let model = values.makeModel()
    context.insert(model)
    return model
  }

  private func overwrite(_ model: S.Model, with snapshot: S, _ context: ModelContext) throws {
    context.complete(model)
    let old = DefaultSnapshot(S(of: model)).buffer
    let new = DefaultSnapshot(snapshot).buffer
    var slots = try new.differing(0, from: old, 0)
    for relation in definition.relations.references { slots.remove(relation.slot) }
    var begun: [Int] = []
    defer { for slot in begun { model._$didSet(slot) } }
    for slot in slots.slots {
      guard model._$willSet(slot) else { return }
      begun.append(slot)
    }
    try old.replacing(0, slots, from: new, 0)?.restore(0, model)
  }

  private func link(
    _ model: S.Model, _ snapshot: S, _ known: [PersistentIdentifier: S.Model],
    _ context: ModelContext, _ violations: inout [SwiftDataError.Violation]
  ) throws {
    func target(
      _ identifier: PersistentIdentifier, _ relation: Relation
    ) throws -> any PersistentModel {
      if let target = known[identifier] { return target }
      if isOne(identifier, of: relation.destination),
        let target = context.resolve(identifier, relation.destination)
      {
        return target
      }
      throw SwiftDataError.modelValidationFailure.explained(
        "'\(definition.entityName).\(relation.property.name)' refers to \(identifier), which is "
          + "neither in this store nor in the batch")
    }
    for relation in definition.relations.references {
      guard let reference = snapshot.reference(relation.slot) else { continue }
      try RelationshipEditor.setTarget(of: model, relation, to: target(reference, relation))
    }
    for relation in definition.relations.toMany {
      guard let members = snapshot.references(relation.slot), !members.isEmpty else { continue }
      guard relation.inverse?.kind.isToMany != false else {
        violations.append(.derivedList(relation, of: snapshot.persistentIdentifier, definition))
        continue
      }
      try RelationshipEditor.append(members.map { try target($0, relation) }, to: model, relation)
    }
  }
}

extension DefaultSnapshot {
  /// One typed snapshot in the form that stores take.
  fileprivate init<S: ModelSnapshot>(_ values: S) {
    let buffer = TypedBuffer<S>(capacity: 1)
    buffer.append(values)
    self.init(buffer: buffer, index: 0)
  }
}
