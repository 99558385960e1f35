import Foundation

extension FetchPass {
  /// Explains how ``models()`` would run.
  func explanation() throws -> FetchExplanation {
    var result = FetchExplanation(
      entityName: T._$definition.entityName, storeName: table.store.configurationName)
    result.mergeReason = mergeReason
    if query.wantedIdentifier != nil {
      result.shortcut = "the predicate selects a single model by identifier; a registered model is returned from memory"
    }
    let answer = try table.store.sqlStore?.explain(query)
    let other = answer == nil ? otherStore : nil
    let filter = other ?? answer?.filter
    let sort = other ?? answer?.sort
    let asked = mustMerge || filter != nil || sort != nil ? try explainReduced(filter) : answer
    result.record(
      .filter, query.descriptor.predicate != nil, filter, else: filterMergeReason,
      isBegun: asked?.isNarrowed == true)
    result.record(
      .sort, !query.descriptor.sortBy.isEmpty, sort,
      else: filter.map { _ in "the filter runs in memory" } ?? mergeReason)
    let isInMemory = mustMerge || result.parts.contains { $0.place != .store }
    result.record(
      .page, query.isPaged, isInMemory ? nil : other, else: isInMemory ? "an earlier part runs in memory" : nil,
      isBegun: !isInMemory)
    result.sql = asked?.sql?.text
    result.parameters = asked?.sql?.values.map(\.description) ?? []
    result.queryPlan = asked?.plan ?? []
    return result
  }

  /// Explains the reduced store query if the context finishes the work.
  private func explainReduced(_ filter: Untranslatable?) throws -> StoreExplanation? {
    guard filterMergeReason == nil else { return try table.store.sqlStore?.explain(query.withoutPredicate) }
    guard filter != nil else { return try table.store.sqlStore?.explain(query.withoutOrder) }
    var answer = try table.store.sqlStore?.explain(query.withoutOrder.narrowed)
    guard answer?.sql != nil else { return try table.store.sqlStore?.explain(query.withoutPredicate) }
    answer?.isNarrowed = true
    return answer
  }

  private var otherStore: Untranslatable {
    Untranslatable(
      "the store '\(table.store.configurationName)' cannot explain its queries: the context does "
        + "any work that the store declines")
  }

  private var mergeReason: String? {
    guard mustMerge else { return nil }
    let name = T._$definition.entityName
    return predicateCrossesRelationships || query.sortCrossesRelationships
      ? "the result depends on related models, and some models have unsaved changes"
      : "some models of \(name) have unsaved changes"
  }

  /// The reason why the store cannot preselect rows.
  private var filterMergeReason: String? {
    mustMerge && predicateCrossesRelationships ? mergeReason : nil
  }
}

extension FetchExplanation {
  /// Adds a part of the fetch if the descriptor uses it.
  fileprivate mutating func record(
    _ kind: Part.Kind, _ isAsked: Bool, _ refusal: Untranslatable?, else reason: String?,
    isBegun: Bool = false
  ) {
    guard isAsked else { return }
    let reason = refusal?.reason ?? reason
    let place: Place = reason == nil ? .store : isBegun ? .both : .memory
    parts.append(Part(kind: kind, place: place, reason: reason, node: refusal?.node))
  }
}

extension FetchDescriptor {
  /// Explains how a context would run the fetch. Not in SwiftData.
  ///
  /// ```swift
  /// let descriptor = FetchDescriptor<Trip>(
  ///   predicate: #Predicate { $0.destination == "Oslo" }, sortBy: [SortDescriptor(\.startDate)])
  /// let explanation = try descriptor.explain(in: context)
  /// print(explanation.runsInStore, explanation.indexes)
  /// print(explanation)  // the statement, parameter values and query plan
  /// ```
  ///
  /// The explanation reflects the current state. It can differ if changes are pending or if the store contains values
  /// that SQL cannot compare directly (NaN, or text that is not in normalization form C). Identifier
  /// fetches and counts run the same way; counts are not sorted.
  ///
  /// - Parameter context: The context that would fetch.
  /// - Returns: The parts that run in the store or in memory, the SQL statement and the query plan.
  /// - Throws: ``SwiftDataError`` if the context does not know the entity; errors from the store while it computes the
  ///   query plan.
  public func explain(in context: ModelContext) throws -> FetchExplanation {
    try FetchPass(context: context, descriptor: self).explanation()
  }
}
