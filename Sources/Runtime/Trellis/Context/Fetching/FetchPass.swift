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
    guard !query.descriptor.relationshipKeyPathsForPrefetching.isEmpty else { return try matches() }
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
    if judgesStoredValues { return try asStored().count }
    return query.page(try filteredInMemory().count)
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
    let query = query.reading(try FetchParts(query.descriptor))
    let materializer = ModelMaterializer(table: table, isRemembered: true)
    materializer.parts = query.parts
    let isAnswered: Void? = try context.ask(table.store) {
      try table.store.rows(query, into: materializer)
    }
    guard isAnswered != nil else { return nil }
    materializer.remember()
    keep(materializer.related, with: materializer)
    return materializer.typed(as: T.self)
  }

  /// Related snapshots answer for relationships of the matches later on.
  private func keep(_ related: [any PersistentModel], with materializer: ModelMaterializer) {
    guard !related.isEmpty else { return }
    let models = materializer.models.map(table.definition.codec.model(from:))
    guard let group = context.group(of: models) else { return }
    context.keep(related, as: group, in: group)
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

  /// The matches by stored values.
  private func asStored() throws -> [T] {
    let identifiers = try context.withStoredValues { try $0.fetch(query.descriptor).map(\._$identifier) }
    return try identifiers.compactMap { identifier in
      let own = try context.registered(identifier, T._$definition) ?? context.load([identifier], T._$definition).first
      return own as? T
    }
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
    other.hasSavedInsertions = hasSavedInsertions
    other.identifierSource = identifierSource ?? self
    return try withExtendedLifetime(other) { try body(other) }
  }

  /// The answer of a store; nil when the store leaves the work to the context.
  func ask<Answer>(_ store: StoreHandle, _ question: () throws -> Answer) throws -> Answer? {
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
