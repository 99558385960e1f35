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
    let refusal = answer == nil ? otherStore : nil
    let filter = answer?.filter ?? refusal
    let sort = answer?.sort ?? refusal
    result.note(.filter, descriptor.predicate != nil, filter, else: filterMergeReason)
    result.note(
      .sort, !descriptor.sortBy.isEmpty, sort,
      else: filter.map { _ in "the filter runs in memory" } ?? mergeReason)
    let isPaged = descriptor.fetchLimit != nil || (descriptor.fetchOffset ?? 0) > 0
    let isInMemory = result.parts.contains { $0.place == .memory } || mustMerge
    result.note(
      .page, isPaged, nil, else: isInMemory ? "it comes after what runs in memory" : nil)
    let asked = try isInMemory ? table.store.explain(request(rest(filter))) : answer
    result.sql = asked?.sql?.text
    result.parameters = asked?.sql?.values.map(\.description) ?? []
    result.queryPlan = asked?.plan ?? []
    return result
  }

  /// What is asked of the store when the context finishes the work.
  private func rest(_ filter: Untranslatable?) -> FetchDescriptor<T> {
    let isFiltered = filter == nil && filterMergeReason == nil
    return FetchDescriptor(predicate: isFiltered ? descriptor.predicate : nil)
  }

  private var otherStore: Untranslatable {
    Untranslatable(
      "the store '\(table.store.configurationName)' does not explain itself: what it declines to "
        + "do the context does")
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
    _ kind: Part.Kind, _ isAsked: Bool, _ refusal: Untranslatable?, else reason: String?
  ) {
    guard isAsked else { return }
    let reason = refusal?.reason ?? reason
    parts.append(
      Part(
        kind: kind, place: reason == nil ? .store : .memory, reason: reason, node: refusal?.node))
  }
}
