import Foundation

/// A single fetch: queries the store for the parts that SQL supports and finishes the rest in memory.
struct FetchPass<T: PersistentModel> {
  let context: ModelContext
  let query: Query<T>
  let table: IdentityTable
  /// The cascades of pending deletions, if they affect the fetch.
  let cascade: PendingCascade?

  /// - Parameter includesCascade: True to also match models to which a pending deletion will cascade.
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

  // MARK: reading the store

  /// Fetches the matching models from the store, or returns `nil` if the store leaves the work to the context.
  private func stored(_ query: Query<T>) throws -> [T]? {
    query.parts = try FetchParts(query.descriptor)
    let materializer = ModelMaterializer(table: table, isRemembered: true)
    materializer.parts = query.parts
    guard try context.ask(table.store, { try materializer.read(query) }) != nil else { return nil }
    materializer.remember()
    // Caches related snapshots for later reads of the matches' relationships.
    if !materializer.related.isEmpty,
      let group = context.group(of: materializer.models.map(table.definition.codec.model(from:)))
    {
      context.keep(materializer.related, as: group, in: group)
    }
    return materializer.typed(as: T.self)
  }

  /// Returns all saved matches, unsorted and unlimited.
  func filteredInMemory() throws -> [T] {
    guard let filter else { return try everything() }
    if let models = try stored(query.withoutOrder) { return models }
    // Rows that fail the predicate's translatable prefix need not be loaded.
    let candidates = table.store.isRelational ? try stored(query.withoutOrder.narrowed) : nil
    return try (candidates ?? everything()).filter(filter.matches)
  }

  /// The predicate for evaluation in memory.
  var filter: MemoryFilter<T>? { query.descriptor.predicate.map { MemoryFilter($0, context.capturedIdentifiers) } }

  /// True if pending changes are excluded but models with changes would be evaluated in memory.
  private var judgesStoredValues: Bool {
    !query.descriptor.includePendingChanges && context.pending.hasChanges
  }

  /// Returns the models whose stored values match. Uses a second context because this context's models have pending
  /// changes.
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

  // MARK: evaluation in memory

  /// Sorts by the descriptor, then by identifier.
  private func sorted(_ models: [T]) throws -> [T] {
    let orders = query.descriptor.sortBy.map(RowOrder.init)
    return models.sorted { lhs, rhs in
      RowOrder.isBefore(lhs, rhs, orders)
        ?? PersistentIdentifier.isStoredBefore(lhs._$identifier, rhs._$identifier)
    }
  }
}

extension ModelContext {
  /// Calls a closure with a second context that has no pending changes and therefore reads stored values.
  ///
  /// Needed only if a store leaves a predicate or computation to the context and the context has changed models.
  func withStoredValues<Result>(_ body: (ModelContext) throws -> Result) throws -> Result {
    let other = ModelContext(beside: self)
    other.state.hasSavedInsertions = state.hasSavedInsertions
    other.state.identifierSource = state.identifierSource ?? self
    return try withExtendedLifetime(other) { try body(other) }
  }

  /// Queries a store. Returns `nil` if the store leaves the work to the context.
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

/// Merging of pending changes into fetch results.
extension FetchPass {
  /// True if pending changes may alter the result.
  var mustMerge: Bool {
    guard context.pending.hasChanges else { return false }
    guard query.descriptor.includePendingChanges else { return false }
    if cascade != nil { return true }
    if predicateCrossesRelationships || query.sortCrossesRelationships { return true }
    return context.pending.touches(T.self, table)
  }

  /// Returns true if a cascade will delete the model in the next save.
  func isDoomed(_ model: any PersistentModel) -> Bool { cascade?.contains(model) == true }

  var predicateCrossesRelationships: Bool {
    query.crossesRelationships(hasDeletions: context.pending.hasDeletions)
  }

  /// Returns the saved matches minus deleted models, with changed and inserted models evaluated by current values.
  func merged() throws -> [T] {
    let isJudgedHere = predicateCrossesRelationships
    var stored = try isJudgedHere ? everything() : filteredInMemory()
    stored.removeAll { $0.phase != .clean || isDoomed($0) }
    if isJudgedHere, let filter { stored = try stored.filter(filter.matches) }
    return stored + (try pendingMatches())
  }

  /// Returns the identifiers of ``merged()``, sorted by identifier and read as keys, or `nil` if models are required.
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

  /// Returns the changed and inserted models whose current values match.
  private func pendingMatches() throws -> [T] {
    let filter = filter
    var seen = Set<ObjectIdentifier>()
    return try pendingCandidates.compactMap { $0 as? T }.filter { model in
      try (model.phase == .changed || model.phase == .inserted) && !isDoomed(model)
        && seen.insert(ObjectIdentifier(model)).inserted && (filter?.matches(model) ?? true)
    }
  }

  /// The pending models that may match; includes every match.
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

/// Fetches by identifier.
extension FetchPass {
  /// Returns the match of a predicate that compares only the identifier. Returns `nil` for other predicates and if a
  /// store query is required.
  ///
  /// A registered model is returned directly from memory.
  ///
  /// - Parameter elsewhere: True to read the row of an unregistered model.
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
      // The same key in a different table identifies a different row.
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
  /// Up to this number of pending models, a linear search is as fast as an index.
  private static let fewModels = 16

  /// Returns true if a model of the type or a subclass is pending.
  mutating func touches<T: PersistentModel>(_ type: T.Type, _ table: IdentityTable) -> Bool {
    guard !isLoose, entries.count > Self.fewModels || index != nil else { return models.contains { $0 is T } }
    let index = index ?? PendingIndex()
    self.index = index
    table.probe.hasListeners = true
    guard let group = index.group(table, self) else { return false }
    return type == table.definition.modelType || group.models.contains { $0 is T }
  }
}
