extension Connection {
  /// Calls `row` for every row of a statement that selects a plan's columns, then returns the statement to the cache.
  func run(
    _ statement: Statement, _ plan: EntityStatements, _ row: (inout StatementRow) throws -> Void
  ) throws {
    defer { checkIn(statement) }
    guard try statement.step() else { return }
    try Self.visit(statement, plan, row)
  }

  /// Returns the first selected key that satisfies a condition.
  func firstKey(_ statement: Statement, where isWanted: (Int64) -> Bool) throws -> Int64? {
    defer { checkIn(statement) }
    while try statement.step() {
      let key = statement.integer(0)
      if isWanted(key) { return key }
    }
    return nil
  }

  /// Calls `row` for a running statement's current row and all remaining rows.
  static func visit(
    _ statement: Statement, _ plan: EntityStatements, _ row: (inout StatementRow) throws -> Void
  ) throws {
    var current = StatementRow(statement: statement.handle, shape: plan.shape)
    let isMixed = !plan.shapes.isEmpty
    repeat {
      if isMixed, !statement.isText(1, current.shape.entity.name) {
        try current.become(plan.shape(ofClass: statement.text(1) ?? "", statement.integer(0)))
      }
      try row(&current)
    } while try statement.step()
  }

  /// Runs a query and calls `body` at the first row, if there is one.
  func run(
    _ fetch: FetchQuery, _ kind: CachedStatement.Purpose.Kind, _ body: (Statement) throws -> Void
  ) throws {
    try run(
      fetch, purpose: fetch.purpose(kind), dependsOnMarks: fetch.dependsOnMarks,
      statement: { try fetch.fragment(for: kind) }, body)
  }

  /// Runs a query with a shared or separate statement. Rebuilds the statement if a concurrent connection has stored
  /// values that the statement does not account for.
  ///
  /// - Parameters:
  ///   - purpose: The purpose of the shared statement for the query's predicate; `nil` if the query cannot share a
  ///     statement.
  ///   - fragment: Builds the query's separate statement.
  ///   - body: Called at the first row, if there is one.
  /// - Throws: ``DataStoreError/preferInMemoryFilter`` if SQL cannot evaluate a row's values.
  func run(
    _ fetch: FetchQuery, purpose: CachedStatement.Purpose? = nil, dependsOnMarks: Bool = true,
    statement fragment: () throws -> SQLFragment, _ body: (Statement) throws -> Void
  ) throws {
    do {
      while true {
        let generation = fetch.marks.generation
        let shared = purpose.flatMap { fetch.shared($0, generation) }
        let own = shared == nil ? try fragment() : nil
        let statement = try shared.map { try take($0.sql) } ?? take(own?.text ?? "")
        defer { checkIn(statement) }
        if let shared { try fetch.bind(shared, to: statement) } else { try statement.bind(own?.values ?? []) }
        let hasRow = try statement.step()
        if dependsOnMarks {
          try refreshMarks(fetch.marks)
          if fetch.marks.generation != generation { continue }
        }
        if hasRow { try body(statement) }
        return
      }
    } catch let error as SQLiteError where PredicateFunctions.isDeclined(error) {
      throw DataStoreError.preferInMemoryFilter
    }
  }

  /// Rereads the column flags if a concurrent connection has committed.
  ///
  /// Called while a statement is running, so that the flags match the rows it reads.
  private func refreshMarks(_ marks: ColumnFlags) throws {
    let version = currentDataVersion
    guard version != dataVersion else { return }
    dataVersion = version
    marks.formUnion(try StoreMetadata.marks(self))
  }
}

extension EntityStatements {
  /// Returns the column mapping for a row in a shared table.
  package func shape(ofClass name: String, _ row: Int64) throws -> RowShape {
    guard let shape = shapes[name] else {
      throw StoredValueError(
        entity: entity.name, property: entity.entityColumn,
        identifier: PersistentIdentifier(token: token, row: row),
        value: "'\(name)'", type: "model of this schema")
    }
    return shape
  }
}
