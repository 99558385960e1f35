extension Connection {
  /// Calls `row` for every row of a statement that selects what a plan selects.
  func run(
    _ statement: Statement, _ plan: EntityPlan, _ row: (inout StatementRow) throws -> Void
  ) throws {
    statement.isInUse = true
    defer { giveBack(statement) }
    guard try statement.step() else { return }
    try visit(statement, plan, row)
  }

  /// Calls `row` for the current row of a running statement and all that follow.
  private func visit(
    _ statement: Statement, _ plan: EntityPlan, _ row: (inout StatementRow) throws -> Void
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

  /// Runs a query for rows of its entity.
  func run<T>(
    _ query: FetchQuery<T>, selecting columns: SQLFragment,
    _ row: (inout StatementRow) throws -> Void
  ) throws {
    try start(query, { try query.fragment(selecting: columns) }) { statement in
      try visit(statement, query.plan, row)
    }
  }

  /// Runs a query for columns of its own.
  ///
  /// - Parameter readsValues: whether it selects values, so that it matters what their marks say.
  func runRaw<T>(
    _ query: FetchQuery<T>, readsValues: Bool = false, _ fragment: () throws -> SQLFragment,
    _ row: (Statement) throws -> Void
  ) throws {
    try start(query, readsValues: readsValues, fragment) { statement in
      repeat { try row(statement) } while try statement.step()
    }
  }

  /// Steps to the first row; asks for the text again if meanwhile someone has stored what the text
  /// does not reckon with.
  private func start<T>(
    _ query: FetchQuery<T>, readsValues: Bool = false, _ fragment: () throws -> SQLFragment,
    _ body: (Statement) throws -> Void
  ) throws {
    let marks = query.store.marks
    do {
      while true {
        let generation = marks.generation
        let fragment = try fragment()
        let statement = try take(fragment.text)
        defer { giveBack(statement) }
        try statement.bind(fragment.values)
        let hasRow = try statement.step()
        if readsValues || query.dependsOnMarks {
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

  /// Reads the marks again if others have committed.
  ///
  /// Called while a statement is running, so that the marks are those of the rows it reads.
  private func refreshMarks(_ marks: StoreMarks) throws {
    let version = currentDataVersion
    guard version != dataVersion else { return }
    dataVersion = version
    marks.formUnion(try StoreMetadata.marks(self))
  }
}

extension EntityPlan {
  /// What the columns mean in the current row of a statement over a shared table.
  func shape(ofRow statement: Statement) throws -> RowShape {
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
