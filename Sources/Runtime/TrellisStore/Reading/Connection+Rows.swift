extension Connection {
  /// Calls `row` for every row of a statement that selects the columns of a plan, and gives the statement back.
  func run(
    _ statement: Statement, _ plan: EntityStatements, _ row: (inout StatementRow) throws -> Void
  ) throws {
    defer { giveBack(statement) }
    guard try statement.step() else { return }
    try Self.visit(statement, plan, row)
  }

  /// The first key that a statement returns and that satisfies a condition.
  func firstKey(_ statement: Statement, where isWanted: (Int64) -> Bool) throws -> Int64? {
    defer { giveBack(statement) }
    while try statement.step() {
      let key = statement.integer(0)
      if isWanted(key) { return key }
    }
    return nil
  }

  /// Calls `row` for the current row of a running statement and all that follow.
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

  /// Runs a query. Calls `body` at the first row, if there is one.
  func run(
    _ fetch: FetchQuery, _ kind: CachedStatement.Purpose.Kind, _ body: (Statement) throws -> Void
  ) throws {
    try run(
      fetch, purpose: fetch.purpose(kind), dependsOnMarks: fetch.dependsOnMarks,
      statement: { try fetch.fragment(for: kind) }, body)
  }

  /// Runs a query with a shared statement, or with one of its own. Makes the statement again if another connection has
  /// meanwhile stored values that the statement does not account for.
  ///
  /// - Parameters:
  ///   - purpose: the purpose of the statement that the query's predicate shares; nil for a query without such a statement.
  ///   - fragment: makes the query's own statement.
  ///   - body: called at the first row, if there is one.
  /// - Throws: ``DataStoreError/preferInMemoryFilter`` if SQL has no answer for the values of a row.
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
        defer { giveBack(statement) }
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

  /// Reads the column flags again if another connection has committed.
  ///
  /// Called while a statement is running, so that the flags belong to the rows that it reads.
  private func refreshMarks(_ marks: ColumnFlags) throws {
    let version = currentDataVersion
    guard version != dataVersion else { return }
    dataVersion = version
    marks.formUnion(try StoreMetadata.marks(self))
  }
}

extension EntityStatements {
  /// The meaning of the columns in a row of a shared table.
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
