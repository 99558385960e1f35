extension ModelContext {
  /// Runs an SQL query and decodes the rows.
  ///
  ///     struct Week: Decodable { let monday: String; let trips: Int }
  ///     let weeks = try context.rows(
  ///       """
  ///       SELECT date("startDate" + 978307200, 'unixepoch', 'weekday 0', '-6 days') AS monday, count(*) AS trips
  ///       FROM \(Trip.self) WHERE \(\Trip.startDate) >= \(start) GROUP BY monday ORDER BY monday
  ///       """, as: Week.self)
  ///
  /// The query sees the last saved state, as a fetch does. Unsaved changes of this context do not count, and the query
  /// cannot write. See <doc:YourOwnSQL>. Not in SwiftData.
  ///
  /// - Parameters:
  ///   - query: a single SELECT, WITH or VALUES statement in the store's SQL dialect.
  ///   - type: the row type. `Int`, `Date?`, an enum with raw values and similar types read the only column. Structs decode
  ///     each property from the column with the property's name.
  ///   - configuration: the store's configuration name; nil if the container has a single store or the query names models.
  ///   - isolation: where the context is used, for ``autosaveEnabled``.
  /// - Returns: the rows in the order of the result.
  /// - Throws: ``SQLQueryError`` for a refused statement, and for a column that is missing, NULL or of the wrong type;
  ///   ``SQLiteError`` or `PostgresError` for an error of the database.
  public func rows<Row: Decodable>(
    _ query: SQLQuery, as type: Row.Type = Row.self, configuration: String? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) throws -> [Row] {
    noteUse(on: isolation)
    return try querying(.fetch) {
      try TracedStatement.scope(.sql) {
        var rows: [Row] = []
        var decoder: ResultDecoder?
        try asking(query, configuration) { store, _ in
          try store.rows(query) { row, names in
            let current = decoder ?? ResultDecoder(row, names)
            decoder = current
            rows.append(try current.next(as: Row.self))
          }
        }
        return rows
      }
    }
  }

  /// Runs an SQL statement that writes, in a custom stage of a migration.
  ///
  ///     didMigrate: { context in
  ///       try context.execute("UPDATE \(V2.Trip.self) SET \(\V2.Trip.budget) = \(\V2.Trip.budget) * 100")
  ///     }
  ///
  /// The statement runs in the migration's transaction. Stages run in SQLite for every store, also for a server. Fetched models
  /// get the new values. See <doc:YourOwnSQL>. Not in SwiftData.
  ///
  /// - Parameter query: a single INSERT, UPDATE, DELETE, REPLACE or WITH statement that changes tables of models.
  /// - Returns: the number of inserted, changed or deleted rows.
  /// - Throws: ``SQLQueryError`` outside of a custom stage, for a refused statement, and while the context has unsaved
  ///   changes; ``SQLiteError``.
  @discardableResult
  public func execute(_ query: SQLQuery) throws -> Int { try execute(query, besides: []) }

  /// - Parameter others: contexts over the older rows, whose tables the statement may name.
  func execute(_ query: SQLQuery, besides others: [ModelContext]) throws -> Int {
    func store(_ context: ModelContext) -> DefaultStore? { context.core.stores.first?.sqlStore as? DefaultStore }
    guard let own = store(self) else { throw SQLQueryError.isReadOnly }
    guard !hasChanges else {
      throw SQLQueryError(.refusedStatement, "the context has unsaved changes, which SQL does not see: save them first")
    }
    let count = try occupancy.occupy(.batch) { try own.execute(query, besides: others.compactMap(store)) }
    core.hub.post(Commit(isWholesale: true))
    try occupancy.occupy(.refresh) { try readCommit() }
    return count
  }

  /// Calls `body` with the store for a query and the configuration name.
  fileprivate func asking(
    _ query: SQLQuery, _ configuration: String?, _ body: (any TableStore, String) throws -> Void
  ) throws {
    var stores = core.stores
    if let configuration {
      stores.removeAll { $0.configurationName != configuration }
    } else if stores.count > 1 {
      let named = query.models.compactMap { core.store(for: $0.entityName) }
      stores.removeAll { store in !named.contains { $0 === store } }
    }
    guard let handle = stores.first, stores.count == 1 else {
      let names = core.stores.map { "'\($0.configurationName)'" }.joined(separator: ", ")
      throw SQLQueryError(
        .unknownStore, "the container has the stores \(names): name a store with 'configuration'")
    }
    guard let store = handle.sqlStore else {
      throw SQLQueryError(
        .unsupportedStore,
        "the store '\(handle.configurationName)' has no SQL: fetch its models, or use aggregates and groups")
    }
    guard try ask(handle, { try body(store, handle.configurationName) }) != nil else {
      throw SQLQueryError(.refusedStatement, "the statement exceeds a limit of the database")
    }
  }
}

extension SQLQuery {
  /// Describes how a store would run a query, without running it.
  ///
  ///     print(try query.explain(in: context))
  ///
  /// - Parameters:
  ///   - context: a context of the container.
  ///   - configuration: as for ``ModelContext/rows(_:as:configuration:isolation:)``.
  /// - Returns: the statement, the values and the database's query plan.
  /// - Throws: as ``ModelContext/rows(_:as:configuration:isolation:)``.
  public func explain(in context: ModelContext, configuration: String? = nil) throws -> FetchExplanation {
    var result = FetchExplanation(entityName: "", storeName: "")
    try context.asking(self, configuration) { store, name in
      let (sql, plan) = try store.explain(self)
      result = FetchExplanation(
        entityName: "", storeName: name, sql: sql.text, parameters: sql.values.map(\.description), queryPlan: plan)
    }
    return result
  }
}
