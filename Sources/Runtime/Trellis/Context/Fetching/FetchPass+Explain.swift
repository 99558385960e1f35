import Foundation

extension FetchPass {
  /// What ``models()`` would do.
  func explanation() throws -> FetchExplanation {
    var result = FetchExplanation(
      entityName: T._$definition.entityName, storeName: table.store.configurationName)
    result.mergeReason = mergeReason
    if let predicate = descriptor.predicate, PredicateLookup.identifier(of: predicate) != nil {
      result.shortcut = "the predicate names one model; it is taken from the context when it is there"
    }
    let answer = try table.store.explain(request(descriptor))
    let filter = answer == nil ? otherStore : answer?.filter
    let sort = answer == nil ? otherStore : answer?.sort
    let needsMemory = mustMerge || filter != nil || sort != nil
    let asked = needsMemory ? try rest(filter) : answer
    result.note(
      .filter, descriptor.predicate != nil, filter, else: filterMergeReason,
      isBegun: asked?.isNarrowed == true)
    result.note(
      .sort, !descriptor.sortBy.isEmpty, sort,
      else: filter.map { _ in "the filter runs in memory" } ?? mergeReason)
    let isPaged = descriptor.fetchLimit != nil || (descriptor.fetchOffset ?? 0) > 0
    let isInMemory = mustMerge || result.parts.contains { $0.place != .store }
    if !isInMemory, answer == nil {
      // The context takes the store's word for the offset, and counts up to the limit itself.
      let isLimited = descriptor.fetchLimit != nil
      result.note(.page, isLimited, nil, else: otherStorePage, isBegun: true)
      result.note(.page, isPaged && !isLimited, nil, else: nil)
    } else {
      result.note(
        .page, isPaged, nil, else: isInMemory ? "it comes after what runs in memory" : nil)
    }
    result.sql = asked?.sql?.text
    result.parameters = asked?.sql?.values.map(\.description) ?? []
    result.queryPlan = asked?.plan ?? []
    return result
  }

  /// What is asked of the store when the context finishes the work.
  private func rest(_ filter: Untranslatable?) throws -> StoreExplanation? {
    let everything = FetchDescriptor<T>()
    guard filterMergeReason == nil else { return try table.store.explain(request(everything)) }
    let unsorted = FetchDescriptor(predicate: descriptor.predicate)
    guard filter != nil else { return try table.store.explain(request(unsorted)) }
    var narrowed = try table.store.explain(request(unsorted, isNarrowing: true))
    guard narrowed?.sql != nil else { return try table.store.explain(request(everything)) }
    narrowed?.isNarrowed = true
    return narrowed
  }

  private var otherStore: Untranslatable {
    Untranslatable(
      "the store '\(table.store.configurationName)' does not explain itself: what it declines to "
        + "do the context does")
  }

  /// What becomes of a page that is all a store without SQL is asked for.
  private var otherStorePage: String {
    "the store '\(table.store.configurationName)' does not explain itself: it is asked for the page, "
      + "and what it sends beyond the limit the context leaves out"
  }

  private var mergeReason: String? {
    guard mustMerge else { return nil }
    let name = T._$definition.entityName
    return predicateCrossesRelationships || sortCrossesRelationships
      ? "values of other models decide, and some models have changes that are not saved"
      : "some models of \(name) have changes that are not saved"
  }

  /// Why the store's own filter cannot be used for a first choice.
  private var filterMergeReason: String? {
    mustMerge && predicateCrossesRelationships ? mergeReason : nil
  }
}

extension FetchExplanation {
  /// Adds a part that the descriptor asks for.
  fileprivate mutating func note(
    _ kind: Part.Kind, _ isAsked: Bool, _ refusal: Untranslatable?, else reason: String?,
    isBegun: Bool = false
  ) {
    guard isAsked else { return }
    let reason = refusal?.reason ?? reason
    let place: Place = reason == nil ? .store : isBegun ? .both : .memory
    parts.append(Part(kind: kind, place: place, reason: reason, node: refusal?.node))
  }
}
