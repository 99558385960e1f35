public import Trellis

/// Query results: rows, keys, counts and query plans.
extension PostgresStore {
  /// Runs `body` with a connection.
  ///
  /// Retries `body` once if the connection is lost, for example after a server restart, and several times if a standby
  /// cancels the query because the primary has removed the rows. Does not retry if the caller has already received a
  /// row, or if `body` is part of a transaction, which is then lost as well.
  ///
  /// - Parameter hasRows: True once the caller has received a row.
  func reading<Result>(
    unless hasRows: () -> Bool = { false }, _ body: (PostgresConnection) throws -> Result
  ) throws -> Result {
    try checkExclusion()
    let isNested = pool.hasConnection
    return try PostgresError.repeating {
      try pool.withConnection(body)
    } after: { error, attempt in
      guard !isNested else { return false }
      if error.concernsMissingObject { try checkTables() }
      guard !hasRows() else { return false }
      if error.exceedsLimit { throw DataStoreError.preferInMemoryFilter }
      guard error.isConflict else { return attempt == 1 && (error.isInterruption || error.concernsPreparedStatement) }
      if attempt < commits.mostAttempts { pause(attempt) }
      return attempt < commits.mostAttempts
    }
  }

  package func readingOneState<Result>(_ body: () throws -> Result) throws -> Result {
    try reading { connection in
      guard !connection.isInTransaction else { return try body() }
      return try connection.transaction(.beginReading, body)
    }
  }

  /// Creates a statement from a fragment.
  ///
  /// - Throws: `DataStoreError.preferInMemoryFilter` if a captured string contains U+0000, which the server cannot
  ///   read, or if there are more parameters than the protocol allows.
  func statement(_ fragment: SQLFragment) throws -> PostgresStatement {
    guard fragment.values.count <= UInt16.max else { throw DataStoreError.preferInMemoryFilter }
    for case .text(let text) in fragment.values where text.utf8.contains(0) {
      throw DataStoreError.preferInMemoryFilter
    }
    return PostgresStatement(fragment)
  }

  /// Returns the columns for complete rows, followed by the column with the original strings if the table has it.
  package func selection(_ columns: SQLFragment, of entity: EntityLayout) -> SQLFragment {
    guard layout.hasExactColumn(entity.table) else { return columns }
    return "\(columns), \(column: PostgresLayout.exactColumn, of: PredicateTranslator.rootAlias)"
  }

  /// Calls `row` for each row. The statement must select the columns that ``selection(_:of:)`` returns.
  func visit(
    _ statement: PostgresStatement, _ plan: EntityStatements,
    _ row: (inout StatementRow, ResultRow) throws -> Void
  ) throws {
    let isMixed = !plan.shapes.isEmpty
    var current: StatementRow?
    try run(statement) { cells in
      // The row is moved, because a copy would retain the objects that it refers to.
      var own = current.take() ?? StatementRow(cells, plan.shape)
      if isMixed { try own.become(plan.shape(ofClass: cells.string(1) ?? "", cells.integer(0) ?? 0)) }
      try row(&own, cells)
      current = own
    }
  }

  /// Runs a query, and retries it after an error if no row has been returned yet.
  private func run(_ statement: PostgresStatement, _ row: (ResultRow) throws -> Void) throws {
    var hasRows = false
    try reading(unless: { hasRows }) { connection in
      try connection.run(statement) { cells in
        hasRows = true
        try row(cells)
      }
    }
  }

  package func rows(
    _ query: StoreQuery, known: ((Int64) -> Bool)?, row: (inout StatementRow) throws -> Void
  ) throws {
    let fetch = try FetchQuery(query, plans, flags)
    guard query.limit != 0 else { return }
    try visit(statement(fragment(of: fetch)), fetch.plan) { current, _ in try row(&current) }
  }

  private func fragment(of fetch: FetchQuery) throws -> SQLFragment {
    try fetch.fragment(selecting: selection(fetch.selection, of: fetch.plan.entity))
  }

  package func identifiers(_ query: StoreQuery) throws -> [PersistentIdentifier] {
    let fetch = try FetchQuery(query, plans, flags)
    guard query.limit != 0 else { return [] }
    let statement = try statement(fetch.fragment(selecting: fetch.plan.key))
    let keys = try reading { try $0.rows(statement) { $0.integer(0) } }
    let token = fetch.plan.token
    return keys.map { PersistentIdentifier(token: token, row: $0) }
  }

  package func count(_ query: StoreQuery) throws -> Int {
    let fetch = try FetchQuery(query, plans, flags)
    let statement = try statement(fetch.counting())
    return query.page(Int(try reading { try $0.rows(statement) { $0.integer(0) } }.first ?? 0))
  }

  package func explain(_ query: StoreQuery) throws -> StoreExplanation {
    let fetch = try FetchQuery(query, plans, flags)
    var result = fetch.refusals()
    guard result.filter == nil, result.sort == nil else { return result }
    let fragment = try fragment(of: fetch)
    guard (try? statement(fragment)) != nil else {
      let reason =
        fragment.values.count > UInt16.max
        ? "the predicate has more than \(UInt16.max) captured values"
        : "a captured string contains U+0000, which PostgreSQL cannot read"
      result.filter = Untranslatable(reason)
      return result
    }
    result.sql = fragment
    result.plan = try reading { try $0.rows("EXPLAIN \(fragment)") { $0.string(0) } }
    return result
  }

  /// Computes counts, minimums, maximums and integer sums, and returns columns.
  ///
  /// Returns false for sums of fractional numbers, for sums that exceed 64-bit integers, and if the result needs
  /// original strings, which may be in ``PostgresLayout/exactColumn``.
  package func summarize(
    _ query: StoreQuery, select: (inout Translation) throws -> AggregateSelect,
    row: (inout StatementRow) throws -> Void
  ) throws -> Bool {
    let fetch = try FetchQuery(query, plans, flags)
    var needsOriginals = false
    let fragment = try fetch.summary { sql in
      let wanted = try select(&sql)
      needsOriginals = wanted.needsOriginals
      return wanted
    }
    guard !needsOriginals else { return false }
    let statement = try statement(fragment)
    let shape = fetch.summaryShape
    do {
      try run(statement) { cells in
        var current = StatementRow(cells, shape)
        try row(&current)
      }
    } catch let error as PostgresError where error.isOutOfRange {
      return false
    }
    return true
  }
}

/// Queries for callers that use the store directly instead of through a context.
extension PostgresStore {
  /// Fetches models with their lists and the request's related models, from a single database state.
  ///
  /// - Throws: `DataStoreError.preferInMemoryFilter` or `DataStoreError.preferInMemorySort` if SQL cannot match
  ///   Swift's result; ``PostgresError`` if the server cannot be used.
  public func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    let fetch = try FetchQuery(Query(request), plans, flags)
    let statement = try statement(fragment(of: fetch))
    return try readingOneState {
      var collector = SnapshotCollector()
      if fetch.query.limit != 0 {
        try visit(statement, fetch.plan) { row, _ in try collector.add(&row) }
      }
      try fillLists(of: collector.filled)
      let related = try relatedSnapshots(of: collector.snapshots, request)
      return DataStoreFetchResult(
        descriptor: request.descriptor, fetchedSnapshots: collector.snapshots, relatedSnapshots: related)
    }
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

  /// Reads the models' rows from the server, because the store has no cache.
  ///
  /// - Throws: ``PostgresError`` if the server cannot be used.
  public func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: DefaultSnapshot] {
    try readingOneState { try snapshots(of: persistentIdentifiers).byIdentifier }
  }
}

/// Handwritten SQL.
extension PostgresStore {
  package func rows(_ query: SQLQuery, row: (inout StatementRow, [String]) throws -> Void) throws {
    var current: (row: StatementRow, names: [String])?
    try read(query.statement(.reading, plans)) { cells in
      cells.isOwn = true
      var (own, names) = current ?? (StatementRow(cells, .none), cells.names)
      try row(&own, names)
      current = (own, names)
    }
  }

  package func explain(_ query: SQLQuery) throws -> (sql: SQLFragment, plan: [String]) {
    let fragment = try query.statement(.reading, plans)
    var plan: [String] = []
    try read("EXPLAIN \(fragment)") { row in
      if let line = row.string(0) { plan.append(line) }
    }
    return (fragment, plan)
  }

  /// Runs a statement in a read-only transaction. The rollback also reverts settings such as the search path.
  private func read(_ fragment: SQLFragment, _ row: (ResultRow) throws -> Void) throws {
    guard fragment.values.count <= UInt16.max else {
      throw SQLQueryError(
        .refusedStatement, "the statement has \(fragment.values.count) values, but PostgreSQL accepts \(UInt16.max)")
    }
    var hasRows = false
    try reading(unless: { hasRows }) { connection in
      guard !connection.isInTransaction else {
        throw SwiftDataError.contextInUse.explained(
          "this thread is already saving to the store or reading from it: run the statement afterwards")
      }
      connection.begin([.beginReading])
      defer { connection.rollBack() }
      try connection.run([PostgresStatement(fragment, isVerbatim: true), .rollback]) { _, cells in
        hasRows = true
        try row(cells)
      }
    }
  }
}
