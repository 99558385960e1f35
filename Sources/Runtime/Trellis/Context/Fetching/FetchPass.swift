import Foundation

/// One fetch: asks the store for what it can do and finishes the rest over models in memory.
struct FetchPass<T: PersistentModel> {
  let context: ModelContext
  let query: Query<T>
  let table: IdentityTable
  /// What pending deletions will delete besides, where that concerns the fetch.
  let cascade: PendingCascade?

  /// - Parameter includesCascade: whether models count as matches that only a cascade of pending deletions deletes.
  init(context: ModelContext, descriptor: FetchDescriptor<T>, includesCascade: Bool = false) throws {
    self.context = context
    table = try context.table(for: T._$definition)
    query = Query(descriptor, context.editingState)
    let hidesCascade = descriptor.includePendingChanges && !includesCascade
    cascade = hidesCascade ? try context.cascade(into: table) : nil
  }

  // MARK: results

  func models() throws -> [T] {
    guard query.hasPrefetch else { return try matches() }
    let prefetch = try Prefetch(query.descriptor, context)
    return try table.store.readingOneState {
      let models = try matches()
      try prefetch.run(models)
      return models
    }
  }

  private func matches() throws -> [T] {
    if let known = try identified(elsewhere: true) { return query.page(known) }
    if mustMerge { return query.page(try sorted(merged())) }
    if let models = try stored(query) { return models }
    if judgesStoredValues { return try asStored() }
    return query.page(try sorted(filteredInMemory()))
  }

  func count() throws -> Int {
    if let known = try identified(elsewhere: false) { return query.page(known.count) }
    if mustMerge { return query.page(try mergedIdentifiers()?.count ?? merged().count) }
    if let count = try context.ask(table.store, { try table.store.count(query) }) { return count }
    return try matches().count
  }

  func identifiers() throws -> [PersistentIdentifier] {
    if let known = try identified(elsewhere: false) {
      return query.page(known.map(\.persistentModelID))
    }
    if !mustMerge {
      if let found = try context.ask(table.store, { try table.store.keys(query) }) { return found }
    } else if query.descriptor.sortBy.isEmpty, let merged = try mergedIdentifiers() {
      return query.page(merged)
    }
    return try matches().map(\.persistentModelID)
  }

  // MARK: the store

  /// The models of the rows that match; nil when the store leaves the work to the context.
  private func stored(_ query: Query<T>) throws -> [T]? {
    query.parts = try FetchParts(query.descriptor)
    let materializer = ModelMaterializer(table: table, isRemembered: true)
    materializer.parts = query.parts
    guard try context.ask(table.store, { try materializer.read(query) }) != nil else { return nil }
    materializer.remember()
    // Related snapshots answer for relationships of the matches later on.
    if !materializer.related.isEmpty,
      let group = context.group(of: materializer.models.map(table.definition.codec.model(from:)))
    {
      context.keep(materializer.related, as: group, in: group)
    }
    return materializer.typed(as: T.self)
  }

  /// Every saved model that matches, unsorted and without a page.
  func filteredInMemory() throws -> [T] {
    guard let filter else { return try everything() }
    if let models = try stored(query.withoutOrder) { return models }
    // The rows that do not satisfy the beginning of the predicate need not be loaded.
    let candidates = table.store.isRelational ? try stored(query.withoutOrder.narrowed) : nil
    return try (candidates ?? everything()).filter(filter.matches)
  }

  /// The predicate as models in memory are judged.
  var filter: MemoryFilter<T>? { query.descriptor.predicate.map { MemoryFilter($0, context.capturedIdentifiers) } }

  /// Whether pending changes are not to count although models that have some are judged in memory.
  private var judgesStoredValues: Bool {
    !query.descriptor.includePendingChanges && context.pending.hasChanges
  }

  /// The matches by stored values, found by a second context, because the models of this one have pending changes.
  private func asStored() throws -> [T] {
    let identifiers = try context.withStoredValues { try $0.fetch(query.descriptor).map(\._$identifier) }
    return try identifiers.compactMap { try context.storedModel($0, T._$definition) as? T }
  }

  func everything() throws -> [T] {
    guard let all = try stored(query.withoutPredicate) else {
      throw DataStoreError.unsupportedFeature
    }
    return all
  }

  // MARK: in memory

  /// Sorted by the descriptor, by identity where it leaves the order open.
  private func sorted(_ models: [T]) throws -> [T] {
    let orders = query.descriptor.sortBy.map(RowOrder.init)
    return models.sorted { lhs, rhs in
      RowOrder.isBefore(lhs, rhs, orders)
        ?? PersistentIdentifier.isStoredBefore(lhs._$identifier, rhs._$identifier)
    }
  }
}

extension ModelContext {
  /// Runs a block with a context of the same stores that has no pending changes: it reads the stored values.
  ///
  /// Needed only where a store leaves a predicate or a computation to the context, and the context has changed models.
  func withStoredValues<Result>(_ body: (ModelContext) throws -> Result) throws -> Result {
    let other = ModelContext(beside: self)
    other.state.hasSavedInsertions = state.hasSavedInsertions
    other.state.identifierSource = state.identifierSource ?? self
    return try withExtendedLifetime(other) { try body(other) }
  }

  /// The answer of a store; nil when the store leaves the work to the context.
  func ask<Answer>(_ store: StoreHandle, _ question: () throws -> Answer) throws -> Answer? {
    state.hasAskedStore = true
    do {
      guard let identifiers = capturedIdentifiers else { return try core.withScope(reading: store, question) }
      return try CapturedIdentifiers.$scope.withValue(identifiers) { try core.withScope(reading: store, question) }
    } catch let error as DataStoreError
      where error == .preferInMemoryFilter || error == .preferInMemorySort
    {
      return nil
    }
  }
}

/// What pending changes do to the result of a fetch.
extension FetchPass {
  /// Whether pending changes may alter the result.
  var mustMerge: Bool {
    guard context.pending.hasChanges else { return false }
    guard query.descriptor.includePendingChanges else { return false }
    if cascade != nil { return true }
    if predicateCrossesRelationships || query.sortCrossesRelationships { return true }
    return context.pending.touches(T.self, table)
  }

  /// Whether a cascade of the next save deletes the model.
  func isDoomed(_ model: any PersistentModel) -> Bool { cascade?.contains(model) == true }

  var predicateCrossesRelationships: Bool {
    query.crossesRelationships(hasDeletions: context.pending.hasDeletions)
  }

  /// The saved matches, without deleted models, with changed and inserted ones judged as they are now.
  func merged() throws -> [T] {
    let isJudgedHere = predicateCrossesRelationships
    var stored = try isJudgedHere ? everything() : filteredInMemory()
    stored.removeAll { $0.phase != .clean || isDoomed($0) }
    if isJudgedHere, let filter { stored = try stored.filter(filter.matches) }
    return stored + (try pendingMatches())
  }

  /// The identifiers of ``merged()`` in the order of identity, read as keys and not as models; nil
  /// where that takes the models.
  func mergedIdentifiers() throws -> [PersistentIdentifier]? {
    guard !predicateCrossesRelationships else { return nil }
    let stored = query.withoutOrder
    guard var result = try context.ask(table.store, { try table.store.keys(stored) }) else { return nil }
    result.removeAll { identifier in
      table.model(identifier).map { $0.phase != .clean || isDoomed($0) } ?? false
    }
    result += try pendingMatches().map(\.persistentModelID)
    return result.sorted(by: PersistentIdentifier.isStoredBefore)
  }

  /// The changed and inserted models that match as they are now.
  private func pendingMatches() throws -> [T] {
    let filter = filter
    var seen = Set<ObjectIdentifier>()
    return try pendingCandidates.compactMap { $0 as? T }.filter { model in
      try (model.phase == .changed || model.phase == .inserted) && !isDoomed(model)
        && seen.insert(ObjectIdentifier(model)).inserted && (filter?.matches(model) ?? true)
    }
  }

  /// Pending models among which every match is.
  private var pendingCandidates: [any PersistentModel] {
    let pending = context.pending
    guard let index = pending.index else { return pending.changed + pending.inserted }
    guard let group = index.group(table, pending) else { return [] }
    let equalities = query.descriptor.predicate.map { PredicateLookup($0).equalities } ?? []
    let candidates = equalities.lazy.compactMap { keyPath, value -> [any PersistentModel]? in
      guard let property = T._$definition.layout.property(for: keyPath), !property.kind.isRelationship
      else { return nil }
      return group.candidates(keyPath, value)
    }
    return candidates.first ?? group.models
  }
}

/// Fetches by identity.
extension FetchPass {
  /// The match of a predicate that asks for an identity and nothing else; nil for other predicates
  /// and where only the store can tell.
  ///
  /// A registered model is found without the store.
  ///
  /// - Parameter elsewhere: whether to read the row of a model that is not registered.
  func identified(elsewhere: Bool) throws -> [T]? {
    guard let identifier = query.wantedIdentifier.map({ context.current($0) }) else { return nil }
    if let model = table.model(identifier), model._$identifier == identifier {
      context.state.hasAskedStore = false
      guard let model = model as? T, !isDoomed(model) else { return [] }
      let counts = query.descriptor.includePendingChanges
      switch model.phase {
      case .clean, .changed: return [model]
      case .inserted: return counts ? [model] : []
      case .deleting: return counts || identifier.isTemporary ? [] : [model]
      case .gone: return nil
      }
    }
    if identifier.token != table.token {
      // A row of the same number in another table is another one.
      let entity = context.core.schema.entitiesByName[identifier.entityName]
      guard !identifier.isTemporary, entity?.definition?.root === table.definition else { return [] }
    }
    guard elsewhere, !query.hasParts, table.store.isRelational, table.mayHold(identifier) else { return nil }
    context.state.hasAskedStore = true
    let materializer = ModelMaterializer(table: table)
    try materializer.read([identifier], T._$definition, context.editingState)
    guard let object = materializer.models.first,
      table.definition.codec.model(from: object)._$identifier == identifier
    else { return [] }
    return materializer.typed(as: T.self)
  }
}

extension PendingChanges {
  /// Looking through so many pending models is as fast as keeping an index of them.
  private static let fewModels = 16

  /// Whether a model of the type, or of a subclass, waits to be saved.
  mutating func touches<T: PersistentModel>(_ type: T.Type, _ table: IdentityTable) -> Bool {
    guard !isLoose, entries.count > Self.fewModels || index != nil else { return models.contains { $0 is T } }
    let index = index ?? PendingIndex()
    self.index = index
    table.probe.hasListeners = true
    guard let group = index.group(table, self) else { return false }
    return type == table.definition.modelType || group.models.contains { $0 is T }
  }
}
