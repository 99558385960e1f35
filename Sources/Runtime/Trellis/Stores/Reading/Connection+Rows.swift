extension Connection {
  /// Calls `row` for every row of a statement that selects what a plan selects.
  func run(
    _ statement: Statement, _ plan: EntityStatements, _ row: (inout StatementRow) throws -> Void
  ) throws {
    statement.isInUse = true
    defer { giveBack(statement) }
    guard try statement.step() else { return }
    try Self.visit(statement, plan, row)
  }

  /// The first key that a statement returns and that satisfies a condition.
  func firstKey(_ statement: Statement, where isWanted: (Int64) -> Bool) throws -> Int64? {
    statement.isInUse = true
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
        try current.become(plan.shape(ofRow: statement))
      }
      try row(&current)
    } while try statement.step()
  }

  /// Runs a query with the statement that its predicate shares, if it shares one.
  ///
  /// - Parameter body: takes the statement at its first row; not called without rows.
  func run(
    _ fetch: FetchQuery, _ kind: CachedStatement.Purpose.Kind, _ body: (Statement) throws -> Void
  ) throws {
    let purpose = fetch.purpose(kind)
    try start(fetch.marks, dependsOnMarks: fetch.dependsOnMarks) { generation in
      if let purpose, let text = fetch.shared(purpose, generation) {
        return try bound(take(text.sql)) { try fetch.bind(text, to: $0) }
      }
      return try bound(fetch.fragment(for: kind))
    } body: {
      try body($0)
    }
  }

  /// Runs a query for computed columns.
  func run(
    _ fetch: FetchQuery, selecting fragment: () throws -> SQLFragment,
    _ row: (Statement) throws -> Void
  ) throws {
    try start(fetch.marks, dependsOnMarks: true) { _ in
      try bound(fragment())
    } body: { statement in
      repeat { try row(statement) } while try statement.step()
    }
  }

  /// Steps to the first row; asks for the statement again if another connection has meanwhile stored
  /// values that it does not account for.
  ///
  /// - Parameters:
  ///   - statement: makes a statement that is ready to run, for a generation of the column flags.
  ///   - body: called when there is a row.
  /// - Throws: ``DataStoreError/preferInMemoryFilter`` where a row has values SQL has no answer for.
  private func start(
    _ marks: ColumnFlags, dependsOnMarks: Bool, statement: (Int) throws -> Statement,
    body: (Statement) throws -> Void
  ) throws {
    do {
      while true {
        let generation = marks.generation
        let statement = try statement(generation)
        defer { giveBack(statement) }
        let hasRow = try statement.step()
        if dependsOnMarks {
          try refreshMarks(marks)
          if marks.generation != generation { continue }
        }
        if hasRow { try body(statement) }
        return
      }
    } catch let error as SQLiteError where PredicateFunctions.isDeclined(error) {
      throw DataStoreError.preferInMemoryFilter
    }
  }

  private func bound(_ fragment: SQLFragment) throws -> Statement {
    try bound(take(fragment.text)) { try $0.bind(fragment.values) }
  }

  private func bound(
    _ statement: Statement, _ bind: (Statement) throws -> Void
  ) throws -> Statement {
    do {
      try bind(statement)
      return statement
    } catch {
      giveBack(statement)
      throw error
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
  /// The meaning of the columns in the current row of a statement over a shared table.
  package func shape(ofRow statement: Statement) throws -> RowShape {
    let name = statement.text(1) ?? ""
    guard let shape = shapes[name] else {
      throw StoredValueError(
        entity: entity.name, property: entity.entityColumn,
        identifier: PersistentIdentifier(token: token, row: statement.integer(0)),
        value: "'\(name)'", type: "model of this schema")
    }
    return shape
  }
}
