extension ModelContext {
  /// One value of each model that a fetch returns, in its order, without creating models.
  ///
  ///     let names = try context.values(of: \Trip.name)
  ///
  /// Not in SwiftData.
  ///
  /// - Throws: as ``fetch(_:)``.
  public func values<T: PersistentModel, Value>(
    of keyPath: KeyPath<T, Value>, fetching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> [Value] {
    try rows(of: keyPath, fetching: descriptor)
  }

  /// The different values the models of a descriptor have, in ascending order, nil first.
  ///
  ///     let places = try context.distinctValues(of: \Trip.destination)
  ///     // SELECT "t0"."destination" FROM "Trip" AS "t0" GROUP BY "t0"."destination" ORDER BY …
  ///
  /// Values are different as in ``Aggregate/countDistinct(_:)``. For the different pairs of several
  /// values use ``groups(of:by:computing:having:orderedBy:limit:)`` without aggregates. Not in
  /// SwiftData.
  ///
  /// - Throws: as ``fetch(_:)``.
  public func distinctValues<T: PersistentModel, Value>(
    of keyPath: KeyPath<T, Value>, fetching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> [Value] {
    try groups(of: descriptor, by: keyPath)
  }

  /// Values of the models a fetch would return, in its order, without making models of them.
  ///
  ///     for (name, start) in try context.values(
  ///       of: \.name, \.startDate, fetching: FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)]))
  ///     // SELECT "t0"."name", "t0"."startDate" FROM "Trip" AS "t0" ORDER BY "t0"."name", "t0"."id"
  ///
  /// A key path leads to an attribute, to the identifier or, through to-one relationships, to one of
  /// another model (`\.trip?.name`). Models are fetched where changes that are not saved count, and
  /// for values that are not stored as they are: computed and transformable properties. The result
  /// is the same. Not in SwiftData.
  ///
  /// - Throws: as ``fetch(_:)``.
  public func values<T: PersistentModel, each Value>(
    of keyPaths: repeat KeyPath<T, each Value>,
    fetching descriptor: FetchDescriptor<T> = FetchDescriptor()
  ) throws -> [(repeat each Value)] {
    try querying(.fetch) { try rows(of: repeat each keyPaths, fetching: descriptor) }
  }

  private func rows<T: PersistentModel, each Value>(
    of keyPaths: repeat KeyPath<T, each Value>, fetching descriptor: FetchDescriptor<T>
  ) throws -> [(repeat each Value)] {
    let crosses = crossesRelationships(repeat each keyPaths)
    if pending.hasChanges, descriptor.includePendingChanges,
      try crosses || FetchPass(context: self, descriptor: descriptor).mustMerge
    {
      return try fetch(descriptor).map { model in (repeat model[keyPath: each keyPaths]) }
    }
    if let rows = try storedValues(descriptor, repeat each keyPaths) { return rows }
    guard pending.hasChanges, !descriptor.includePendingChanges else {
      return try fetch(descriptor).map { model in (repeat model[keyPath: each keyPaths]) }
    }
    return try withStoredValues { stored in
      try stored.refusingUnreadValues {
        try stored.fetch(descriptor).map { model in (repeat model[keyPath: each keyPaths]) }
      }
    }
  }

  /// Whether values of other models are read.
  private func crossesRelationships<T: PersistentModel, each Value>(
    _ keyPaths: repeat KeyPath<T, each Value>
  ) -> Bool {
    for keyPath in repeat each keyPaths {
      guard let route = KeyPathRoute.of(keyPath, T._$definition), route.references.isEmpty else {
        return true
      }
    }
    return false
  }

  /// Nil when models are needed.
  private func storedValues<T: PersistentModel, each Value>(
    _ descriptor: FetchDescriptor<T>, _ keyPaths: repeat KeyPath<T, each Value>
  ) throws -> [(repeat each Value)]? {
    let definition = T._$definition
    let found = (repeat ColumnReader<each Value>(each keyPaths, definition))
    for reader in repeat each found {
      guard reader != nil else { return nil }
    }
    let readers = (repeat try Self.present(each found))
    let table = try table(for: definition)
    let query = Query(descriptor, editingState)
    var rows: [(repeat each Value)] = []
    let isAnswered = try ask(table.store) {
      do {
        return try table.store.summarize(query, isWide: false) { sql in
          var select = AggregateSelect(columns: [])
          for keyPath in repeat each keyPaths {
            select.columns.append(try sql.term(keyPath).sql)
          }
          select.isProjection = true
          return select
        } row: { row in
          var column: Int32 = -1
          func next() -> Int32 {
            column += 1
            return column
          }
          rows.append((repeat try (each readers)(&row, next())))
        }
      } catch let error as UnreadableColumn {
        try error.throwLocated(among: query, in: table.store)
        return false
      }
    }
    return isAnswered == true ? rows : nil
  }

  private static func present<V>(_ reader: ColumnReader<V>?) throws -> ColumnReader<V> {
    guard let reader else { throw SwiftDataError.unsupportedKeyPath }
    return reader
  }
}
