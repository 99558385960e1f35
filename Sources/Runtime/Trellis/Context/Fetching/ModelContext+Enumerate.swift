extension ModelContext {
  /// Calls a block for every model that matches a descriptor, in its order, batch after batch.
  ///
  /// The matches are determined at the start: a model that no longer matches because of an earlier call is visited, one
  /// that starts to match is not, and one that was deleted meanwhile is omitted. Between batches the context releases the
  /// models that the program does not hold, so memory grows only by sixteen bytes per match.
  ///
  ///     try context.enumerate(FetchDescriptor<Trip>(), batchSize: 1000) { trip in
  ///       try out.write(trip)
  ///     }
  ///
  /// Models with changes are held until they are saved. Therefore the context must have none, and
  /// the block must have saved its own when a batch ends, unless `allowEscapingMutations` is true.
  ///
  /// - Parameters:
  ///   - fetch: which models, in which order.
  ///   - batchSize: how many models to read at a time; 0 or less reads all of them in one batch.
  ///   - allowEscapingMutations: whether the context may have pending changes at the start and the
  ///     block may leave some, which then wait for the next save.
  ///   - block: called with each model.
  /// - Throws: ``SwiftDataError/includePendingChangesWithBatchSize`` when there are pending changes
  ///   that are not allowed; they stay as they are. What the block throws. Otherwise as ``fetch(_:)``.
  public func enumerate<T: PersistentModel>(
    _ fetch: FetchDescriptor<T>, batchSize: Int = 5000, allowEscapingMutations: Bool = false,
    block: (T) throws -> Void
  ) throws {
    func check(_ when: String) throws {
      guard hasChanges, !allowEscapingMutations else { return }
      throw SwiftDataError.includePendingChangesWithBatchSize.explained(
        "the context has changes that are not saved \(when) 'enumerate': save them, or pass "
          + "'allowEscapingMutations: true' and have them held in memory until the next save")
    }
    try check("before")
    let (pass, identifiers) = try querying(.fetch) {
      let pass = try FetchPass(context: self, descriptor: fetch)
      return (pass, try TracedStatement.scope(.fetch) { try pass.identifiers() })
    }
    let size = batchSize > 0 ? batchSize : max(1, identifiers.count)
    let inserted = pass.inserted(among: identifiers)
    var rest = identifiers[...]
    while !rest.isEmpty {
      // In a separate function, so that nothing of a batch is held when the next one is read.
      try visit(rest.prefix(size), inserted, pass, block)
      rest = rest.dropFirst(size)
      try check("after a batch of")
    }
  }

  private func visit<T: PersistentModel>(
    _ identifiers: ArraySlice<PersistentIdentifier>, _ inserted: [PersistentIdentifier: T],
    _ pass: FetchPass<T>, _ block: (T) throws -> Void
  ) throws {
    for case let model? in try pass.loadBatch(identifiers, besides: inserted)
    where model.isUsableTarget {
      try block(model)
    }
  }
}
