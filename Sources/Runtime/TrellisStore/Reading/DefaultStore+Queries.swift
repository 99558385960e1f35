import Foundation

/// Query results: rows, keys, counts and query plans.
extension DefaultStore {
  /// Calls `row` for every match, in order.
  ///
  /// - Parameter known: Returns true if a key's row need not be read. A query for all rows then reads only keys up to
  ///   the first unknown key, and whole rows from there.
  /// - Throws: ``DataStoreError/preferInMemoryFilter`` or ``DataStoreError/preferInMemorySort`` if SQL and Swift would
  ///   give different results; an error if the store cannot be read.
  package func rows(
    _ query: StoreQuery, known: ((Int64) -> Bool)? = nil, row: (inout StatementRow) throws -> Void
  ) throws {
    let fetch = try FetchQuery(query, self)
    guard let known, fetch.isPlain else {
      return try pool.read(for: .fetch) { try rows(fetch, on: $0, row) }
    }
    let plan = fetch.plan
    try reading(for: .fetch, several: true) { connection in
      let keys = try connection.take(
        plan.number(.keys),
        ("SELECT \(plan.key) FROM \(plan.source) ORDER BY \(plan.key)" as SQLFragment).text)
      guard let first = try connection.firstKey(keys, where: { !known($0) }) else { return }
      let rest = try connection.take(
        plan.number(.fetchFrom),
        plan.rows(where: "\(plan.key) >= ?1 ORDER BY \(plan.key)").text)
      rest.bind(first, at: 1)
      try connection.run(rest, plan, row)
    }
  }

  private func rows(
    _ fetch: FetchQuery, on connection: Connection, _ row: (inout StatementRow) throws -> Void
  ) throws {
    guard fetch.isPlain else {
      return try connection.run(fetch, .rows) { try Connection.visit($0, fetch.plan, row) }
    }
    let statement = try connection.take(fetch.plan.number(.fetchAll), fetch.fragment(for: .rows).text)
    try connection.run(statement, fetch.plan, row)
  }

  /// Returns the matches' identifiers, in order.
  ///
  /// - Throws: The same errors as ``rows(_:known:row:)``.
  package func identifiers(_ query: StoreQuery) throws -> [PersistentIdentifier] {
    let fetch = try FetchQuery(query, self)
    var identifiers: [PersistentIdentifier] = []
    let token = fetch.plan.token
    try pool.read(for: .fetch) { connection in
      try connection.run(fetch, .keys) { statement in
        repeat {
          identifiers.append(PersistentIdentifier(token: token, row: statement.integer(0)))
        } while try statement.step()
      }
    }
    return identifiers
  }

  /// Returns the number of matches.
  ///
  /// - Throws: The same errors as ``rows(_:known:row:)``.
  package func count(_ query: StoreQuery) throws -> Int {
    let fetch = try FetchQuery(query, self)
    var count = 0
    try pool.read(for: .count) { connection in
      try connection.run(fetch, .count) { count = Int($0.integer(0)) }
    }
    return query.page(count)
  }

  /// Returns the query's statement and SQLite query plan, or the parts that cannot be translated.
  package func explain(_ query: StoreQuery) throws -> StoreExplanation {
    let fetch = try FetchQuery(query, self)
    var result = fetch.refusals()
    guard result.filter == nil, result.sort == nil else { return result }
    let sql = try fetch.fragment(for: .rows)
    do {
      result.plan = try pool.read { try $0.queryPlan(of: sql) }
    } catch let error as SQLiteError where error.exceedsLimit {
      result.filter = Untranslatable("the statement exceeds a limit of the database: \(error.message)")
      return result
    }
    result.sql = sql
    return result
  }
}

/// Queries for callers that use a store directly instead of through a context.
extension DefaultStore {
  /// Fetches models, including lists and the requested related models, in a single read transaction.
  ///
  /// - Throws: ``DataStoreError/preferInMemoryFilter`` or ``DataStoreError/preferInMemorySort`` if SQL and Swift would
  ///   give different results; ``SwiftDataError`` and ``SQLiteError`` if the store cannot be read.
  public func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    var collector = SnapshotCollector()
    var related: [PersistentIdentifier: DefaultSnapshot] = [:]
    let fetch = try FetchQuery(Query(request), self)
    // Rows, lists and related models are read from the same database state.
    try reading(for: .fetch, several: true) { connection in
      try rows(fetch, on: connection) { try collector.add(&$0) }
      let source = OneState(store: self, connection: connection)
      try source.fillLists(of: collector.filled)
      related = try source.relatedSnapshots(of: collector.snapshots, request)
    }
    return DataStoreFetchResult(
      descriptor: request.descriptor, fetchedSnapshots: collector.snapshots,
      relatedSnapshots: related)
  }

  /// Counts the models that match a request.
  ///
  /// - Throws: The same errors as ``fetch(_:)``.
  public func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    try count(Query(request))
  }

  /// Fetches the identifiers of models that match a request.
  ///
  /// - Throws: The same errors as ``fetch(_:)``.
  public func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier] {
    try identifiers(Query(request))
  }

  /// Returns the models' stored rows. The store has no cache, so it reads them from the database.
  ///
  /// - Throws: ``SwiftDataError`` and ``SQLiteError`` if the store cannot be read.
  public func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: DefaultSnapshot] {
    var collector = SnapshotCollector()
    try reading(for: .fetch, several: true) { connection in
      collector = try OneState(store: self, connection: connection).snapshots(of: persistentIdentifiers)
    }
    return collector.byIdentifier
  }
}
