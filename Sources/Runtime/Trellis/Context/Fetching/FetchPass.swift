import Foundation

/// One fetch: asks the store for what it can do and finishes the rest over models in memory.
struct FetchPass<T: PersistentModel> {
  let context: ModelContext
  let descriptor: FetchDescriptor<T>
  let table: IdentityTable
  /// Nil where every question about the predicate looks at its nodes.
  let form: PredicateForm?
  /// What pending deletions will delete besides, where that concerns the fetch.
  let cascade: PendingCascade?

  /// - Parameter includesCascade: whether models count as matches that only a cascade of pending deletions deletes.
  init(context: ModelContext, descriptor: FetchDescriptor<T>, includesCascade: Bool = false) throws {
    self.context = context
    self.descriptor = descriptor
    self.table = try context.table(for: T._$definition)
    form = descriptor.predicate.flatMap { PredicateForm.of($0) }
    let hidesCascade = descriptor.includePendingChanges && !includesCascade
    cascade = hidesCascade ? try context.cascade(into: table) : nil
  }

  // MARK: results

  func models() throws -> [T] {
    guard !descriptor.relationshipKeyPathsForPrefetching.isEmpty else { return try matches() }
    let prefetch = try Prefetch(descriptor, context)
    let models = try matches()
    try prefetch.run(models)
    return models
  }

  private func matches() throws -> [T] {
    if let known = try identified(elsewhere: true) { return page(known) }
    if mustMerge { return page(try sorted(merged())) }
    if let models = try ask(descriptor) { return models }
    if judgesStoredValues { return try asStored() }
    return page(try sorted(filteredInMemory()))
  }

  func count() throws -> Int {
    if let known = try identified(elsewhere: false) { return page(known).count }
    if mustMerge { return page(try mergedIdentifiers() ?? merged().map(\.persistentModelID)).count }
    do {
      return try context.core.withScope(reading: table.store) {
        try table.store.fetchCount(request(descriptor))
      }
    } catch let error as DataStoreError where error.isPreference {
      if judgesStoredValues { return try asStored().count }
      return page(try filteredInMemory()).count
    }
  }

  func identifiers() throws -> [PersistentIdentifier] {
    if let known = try identified(elsewhere: false) { return page(known).map(\.persistentModelID) }
    guard mustMerge else { return try storedIdentifiers() }
    if descriptor.sortBy.isEmpty, let merged = try mergedIdentifiers() { return page(merged) }
    return try matches().map(\.persistentModelID)
  }

  private func storedIdentifiers() throws -> [PersistentIdentifier] {
    do {
      return try context.core.withScope(reading: table.store) {
        try table.store.fetchIdentifiers(request(descriptor))
      }
    } catch let error as DataStoreError where error.isPreference {
      return try matches().map(\.persistentModelID)
    }
  }

  // MARK: the store

  func request(
    _ descriptor: FetchDescriptor<T>, isNarrowing: Bool = false
  ) -> DataStoreFetchRequest<T> {
    var request = DataStoreFetchRequest(
      descriptor: descriptor, editingState: context.editingState)
    request.isNarrowing = isNarrowing
    if descriptor.predicate != nil { request.form = form }
    return request
  }

  /// What the store answers; nil when it would rather have this done in memory.
  private func ask(
    _ descriptor: FetchDescriptor<T>, isNarrowing: Bool = false
  ) throws -> [T]? {
    do {
      let receiver = ModelReceiver(table: table, isRemembered: true)
      receiver.parts = try FetchParts(descriptor)
      try context.core.withScope(reading: table.store) {
        try table.store.fetch(
          request(descriptor, isNarrowing: isNarrowing), into: receiver)
      }
      receiver.remember()
      keep(receiver.related, with: receiver)
      return receiver.typed(as: T.self)
    } catch let error as DataStoreError where error.isPreference {
      return nil
    }
  }

  /// Related snapshots answer for relationships of the matches later on.
  private func keep(_ related: [any PersistentModel], with receiver: ModelReceiver) {
    guard !related.isEmpty else { return }
    let models = receiver.models.map(table.definition.codec.model(from:))
    guard let group = context.group(of: models) else { return }
    context.keep(related, as: group, in: group)
  }

  /// Every saved model that matches, unsorted and without a page.
  func filteredInMemory() throws -> [T] {
    var unsorted = FetchDescriptor<T>(predicate: descriptor.predicate)
    unsorted.includePendingChanges = false
    guard let filter else { return try everything() }
    if let models = try ask(unsorted) { return models }
    // What the store can tell from the beginning of the predicate need not be loaded.
    let narrowed = table.store.isRelational ? try ask(unsorted, isNarrowing: true) : nil
    let candidates = try narrowed ?? everything()
    return try candidates.filter(filter.matches)
  }

  /// The predicate as models in memory are judged.
  var filter: MemoryFilter<T>? { descriptor.predicate.map(MemoryFilter.init) }

  /// Whether pending changes are not to count although models that have some are judged in memory.
  private var judgesStoredValues: Bool {
    !descriptor.includePendingChanges && context.pending.hasChanges
  }

  /// The matches by stored values: found in a context without changes.
  private func asStored() throws -> [T] {
    let other = ModelContext(beside: context)
    let matches = try other.fetch(descriptor)
    return try matches.compactMap { match in
      if let own = context.registered(match._$identifier, T._$definition) { return own as? T }
      return try context.load([match._$identifier], T._$definition).first as? T
    }
  }

  func everything() throws -> [T] {
    guard let all = try ask(FetchDescriptor<T>()) else {
      throw DataStoreError.unsupportedFeature
    }
    return all
  }

  // MARK: in memory

  /// Sorted by the descriptor, by identity where it leaves the order open.
  private func sorted(_ models: [T]) throws -> [T] {
    let orders = descriptor.sortBy.map(RowOrder.init)
    return models.sorted { lhs, rhs in
      for order in orders {
        switch order.compare(lhs, rhs) {
        case .orderedAscending: return true
        case .orderedDescending: return false
        case .orderedSame: continue
        }
      }
      return PersistentIdentifier.isStoredBefore(lhs._$identifier, rhs._$identifier)
    }
  }

  func page<Element>(_ all: [Element]) -> [Element] {
    let offset = max(0, descriptor.fetchOffset ?? 0)
    guard offset < all.count else { return [] }
    let rest = all[offset...]
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
