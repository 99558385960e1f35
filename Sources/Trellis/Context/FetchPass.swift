import Foundation

/// One fetch: asks the store for what it can do and finishes the rest over models in memory.
struct FetchPass<T: PersistentModel> {
  let context: ModelContext
  let descriptor: FetchDescriptor<T>
  let table: IdentityTable

  init(context: ModelContext, descriptor: FetchDescriptor<T>) throws {
    self.context = context
    self.descriptor = descriptor
    self.table = try context.table(for: T._$definition)
  }

  // MARK: results

  func models() throws -> [T] {
    if mustMerge { return page(try sorted(merged())) }
    if let models = try ask(descriptor) { return models }
    if judgesStoredValues { return try asStored() }
    return page(try sorted(filteredInMemory()))
  }

  func count() throws -> Int {
    if mustMerge { return page(try merged()).count }
    do {
      return try context.container.withScope { try table.store.fetchCount(request(descriptor)) }
    } catch let error as DataStoreError where error.isPreference {
      if judgesStoredValues { return try asStored().count }
      return page(try filteredInMemory()).count
    }
  }

  func identifiers() throws -> [PersistentIdentifier] {
    if mustMerge { return try models().map(\.persistentModelID) }
    do {
      return try context.container.withScope {
        try table.store.fetchIdentifiers(request(descriptor))
      }
    } catch let error as DataStoreError where error.isPreference {
      return try models().map(\.persistentModelID)
    }
  }

  // MARK: the store

  private func request(_ descriptor: FetchDescriptor<T>) -> DataStoreFetchRequest<T> {
    DataStoreFetchRequest(descriptor: descriptor, editingState: context.editingState)
  }

  /// What the store answers; nil when it would rather have this done in memory.
  private func ask(_ descriptor: FetchDescriptor<T>) throws -> [T]? {
    do {
      let receiver = ModelReceiver(table: table)
      try context.container.withScope {
        try table.store.fetch(request(descriptor), into: receiver)
      }
      return receiver.typed(as: T.self)
    } catch let error as DataStoreError where error.isPreference {
      return nil
    }
  }

  /// Every saved model that matches, unsorted and without a page.
  private func filteredInMemory() throws -> [T] {
    var unsorted = FetchDescriptor<T>(predicate: descriptor.predicate)
    unsorted.includePendingChanges = false
    if descriptor.predicate != nil, let models = try ask(unsorted) { return models }
    let all = try everything()
    guard let predicate = descriptor.predicate else { return all }
    return try all.filter { try predicate.evaluate($0) }
  }

  /// Whether pending changes are not to count although models that have some are judged in memory.
  private var judgesStoredValues: Bool {
    !descriptor.includePendingChanges && context.pending.hasChanges
  }

  /// The matches by stored values: found in a context without changes.
  private func asStored() throws -> [T] {
    let other = ModelContext(context.container)
    let matches = try other.fetch(descriptor)
    return try matches.compactMap { match in
      if let own = context.registered(match._$identifier, T._$definition) { return own as? T }
      return try context.load([match._$identifier], T._$definition).first as? T
    }
  }

  private func everything() throws -> [T] {
    guard let all = try ask(FetchDescriptor<T>()) else {
      throw DataStoreError.unsupportedFeature
    }
    return all
  }

  // MARK: pending changes

  /// Whether pending changes may alter the result.
  private var mustMerge: Bool {
    guard context.pending.hasChanges else { return false }
    guard descriptor.includePendingChanges else { return false }
    if predicateCrossesRelationships || sortCrossesRelationships { return true }
    return context.pending.touches(T.self)
  }

  /// Whether the values of other models decide the order.
  private var sortCrossesRelationships: Bool {
    descriptor.sortBy.contains { sort in
      sort.keyPath.map { T._$definition.layout.property(for: $0) == nil } ?? false
    }
  }

  private var predicateCrossesRelationships: Bool {
    guard let predicate = descriptor.predicate else { return false }
    let shape = PredicateShape(predicate)
    return shape.crossesRelationships || (context.pending.hasDeletions && shape.readsReferences)
  }

  /// The saved matches, without deleted models, with changed and inserted ones judged as they are now.
  private func merged() throws -> [T] {
    guard !predicateCrossesRelationships else {
      let all = try everything().filter(\.isUsableTarget) + pendingModels(context.pending.inserted)
      guard let predicate = descriptor.predicate else { return all }
      return try all.filter { try predicate.evaluate($0) }
    }
    var seen = Set<ObjectIdentifier>()
    var result: [T] = []
    for model in try filteredInMemory() {
      switch model.phase {
      case .clean: result.append(model)
      case .changed:
        seen.insert(ObjectIdentifier(model))
        if try matches(model) { result.append(model) }
      case .inserted, .deleting, .gone: break
      }
    }
    for model in pendingModels(context.pending.changed)
    where !seen.contains(ObjectIdentifier(model)) {
      if try matches(model) { result.append(model) }
    }
    for model in pendingModels(context.pending.inserted) {
      if try matches(model) { result.append(model) }
    }
    return result
  }

  private func matches(_ model: T) throws -> Bool {
    try descriptor.predicate?.evaluate(model) ?? true
  }

  private func pendingModels(_ models: [any PersistentModel]) -> [T] {
    models.compactMap { $0 as? T }
  }

  // MARK: in memory

  /// Sorted by the descriptor, by identity where it leaves the order open.
  private func sorted(_ models: [T]) throws -> [T] {
    let comparators = descriptor.sortBy.map(\.settled)
    return models.sorted { lhs, rhs in
      for comparator in comparators {
        switch comparator.compare(lhs, rhs) {
        case .orderedAscending: return true
        case .orderedDescending: return false
        case .orderedSame: continue
        }
      }
      return PersistentIdentifier.isStoredBefore(lhs._$identifier, rhs._$identifier)
    }
  }

  private func page(_ models: [T]) -> [T] {
    let offset = max(0, descriptor.fetchOffset ?? 0)
    guard offset < models.count else { return [] }
    let rest = models[offset...]
    guard let limit = descriptor.fetchLimit else { return Array(rest) }
    return Array(rest.prefix(max(0, limit)))
  }
}

extension DataStoreError {
  /// Whether the error asks the context to do the work itself.
  var isPreference: Bool { self == .preferInMemoryFilter || self == .preferInMemorySort }
}

extension PersistentIdentifier {
  /// Saved rows before pending ones, each by key.
  static func isStoredBefore(_ lhs: Self, _ rhs: Self) -> Bool {
    if lhs.isTemporary != rhs.isTemporary { return rhs.isTemporary }
    if let lhs = lhs.row, let rhs = rhs.row { return lhs < rhs }
    return lhs < rhs
  }
}

extension PendingChanges {
  /// Whether a model of the type, or of a subclass, waits to be saved.
  func touches<T: PersistentModel>(_ type: T.Type) -> Bool {
    inserted.contains { $0 is T } || changed.contains { $0 is T } || deleted.contains { $0 is T }
  }
}
