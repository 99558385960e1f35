extension Connection {
  /// Calls `row` for every row of a statement that selects what a plan selects.
  func run(
    _ statement: Statement, _ plan: EntityPlan, _ row: (inout StatementRow) throws -> Void
  ) throws {
    statement.isInUse = true
    defer { giveBack(statement) }
    guard try statement.step() else { return }
    try Self.visit(statement, plan, row)
  }

  /// The first number a statement gives that satisfies a condition.
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

  /// Runs a query for whole rows of its entity.
  func run<T>(_ query: FetchQuery<T>, _ row: (inout StatementRow) throws -> Void) throws {
    let fragment = { try query.fragment(selecting: query.plan.selection) }
    try start(query, shared: query.purpose(.rows), fragment) { statement in
      try Self.visit(statement, query.plan, row)
    }
  }

  /// Runs a query for parts of the rows of its entity.
  func run<T>(
    _ query: FetchQuery<T>, selecting columns: SQLFragment,
    _ row: (inout StatementRow) throws -> Void
  ) throws {
    try start(query, { try query.fragment(selecting: columns) }) { statement in
      try Self.visit(statement, query.plan, row)
    }
  }

  /// Runs a query for columns of its own.
  ///
  /// - Parameters:
  ///   - readsValues: whether it selects values, so that it matters what their marks say.
  ///   - shared: what the statement is for, where it may be one that others have used.
  func runRaw<T>(
    _ query: FetchQuery<T>, readsValues: Bool = false, shared: PredicateStatement.Purpose? = nil,
    _ fragment: () throws -> SQLFragment, _ row: (Statement) throws -> Void
  ) throws {
    try start(query, readsValues: readsValues, shared: shared, fragment) { statement in
      repeat { try row(statement) } while try statement.step()
    }
  }

  private func start<T>(
    _ query: FetchQuery<T>, readsValues: Bool = false, shared: PredicateStatement.Purpose? = nil,
    _ fragment: () throws -> SQLFragment, _ body: (Statement) throws -> Void
  ) throws {
    _ = try start(query.store.marks, dependsOnMarks: readsValues || query.dependsOnMarks) {
      generation in
      if let shared, let text = query.shared(shared, generation) {
        return try take(text) { try query.bind(text, to: $0) }
      }
      let fragment = try fragment()
      return try bound(take(fragment.text)) { try $0.bind(fragment.values) }
    } body: { try body($0) }
  }

  /// Steps to the first row; asks for the statement again if meanwhile someone has stored what it does
  /// not reckon with.
  ///
  /// - Parameters:
  ///   - statement: makes one that is ready to run, for a generation of the marks.
  ///   - body: called when there is a row.
  /// - Returns: false when there is no statement.
  func start(
    _ marks: ColumnFlags, dependsOnMarks: Bool, statement: (Int) throws -> Statement?,
    body: (Statement) throws -> Void
  ) throws -> Bool {
    do {
      while true {
        let generation = marks.generation
        guard let statement = try statement(generation) else { return false }
        defer { giveBack(statement) }
        let hasRow = try statement.step()
        if dependsOnMarks {
          try refreshMarks(marks)
          if marks.generation != generation { continue }
        }
        if hasRow { try body(statement) }
        return true
      }
    } catch let error as SQLiteError where PredicateFunctions.isDeclined(error) {
      throw DataStoreError.preferInMemoryFilter
    }
  }

  /// A shared statement with its values.
  func take(
    _ text: PredicateStatement.Text, _ bind: (Statement) throws -> Void
  ) throws -> Statement {
    try bound(take(text), bind)
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

  /// Reads the marks again if others have committed.
  ///
  /// Called while a statement is running, so that the marks are those of the rows it reads.
  private func refreshMarks(_ marks: ColumnFlags) throws {
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
