extension FetchDescriptor {
  /// Says how a context would do the fetch, without doing it.
  ///
  /// The answer is about now: pending changes, and values in the store that SQL needs care with (text
  /// that is not in normalization form C, NaN), may change it. A count and a fetch of identifiers go
  /// the same way without the sort.
  ///
  /// - Throws: ``SwiftDataError`` when the entity is unknown to the context, and what the store
  ///   throws when its plan is requested.
  public func explain(in context: ModelContext) throws -> FetchExplanation {
    try FetchPass(context: context, descriptor: self).explanation()
  }
}
