extension SchemaMigrationPlan {
  public static func _$run<S: DataStore>(over store: S, _ body: (ModelContext) throws -> Void) throws {
    let context = ModelContext(ModelContainer(store))
    defer { context.rollback() }
    try body(context)
  }

  public static func _$run<S: DataStore>(
    from old: S, to new: S, report: @escaping () -> Void, _ body: (MigrationRows) throws -> Void
  ) throws {
    let rows = MigrationRows(
      old: ModelContext(ModelContainer(old)), new: ModelContext(ModelContainer(new)), report: report)
    defer {
      rows.new.rollback()
      rows.old.rollback()
    }
    try body(rows)
    if rows.new.hasChanges { try rows.new.save() }
  }
}

extension MigrationRows {
  /// Executes SQL that writes new rows and can read old ones.
  ///
  ///     try rows.execute(
  ///       """
  ///       INSERT INTO \(V2.Alias.self) (\(\V2.Alias.text), \(\V2.Alias.person))
  ///       SELECT \(\V1.Person.nickname), \(\V1.Person.persistentModelID) FROM \(V1.Person.self)
  ///       """)
  ///
  /// The old tables are renamed during the migration step, so interpolate their models: `\(V1.Person.self)`. The rules
  /// for ``ModelContext/execute(_:)`` apply.
  ///
  /// - Parameter query: A statement that changes the new models' tables.
  /// - Returns: The number of inserted, changed or deleted rows.
  /// - Throws: The same errors as ``ModelContext/execute(_:)``.
  @discardableResult
  public func execute(_ query: SQLQuery) throws -> Int { try new.execute(query, besides: [old]) }

  /// Calls a closure with batches of an old model's rows, in insertion order.
  ///
  /// At most `count` rows are in memory at a time, except for server stores, which read all rows of the model before
  /// the first call. Subclass rows are included with the inherited properties. To-many relationships are omitted.
  ///
  /// - Throws: Errors from reading the rows and from the closure.
  public func forEach<S: ModelSnapshot>(
    _ snapshot: S.Type, count: Int = 4096, _ body: ([S]) throws -> Void
  ) throws {
    var batch: [S] = []
    let size = max(1, count)
    batch.reserveCapacity(min(size, 16_384))
    try old.enumerateSnapshots(as: S.self) { values in
      batch.append(values)
      guard batch.count == size else { return }
      try body(batch)
      report()
      batch.removeAll(keepingCapacity: true)
    }
    guard !batch.isEmpty else { return }
    try body(batch)
    report()
  }
}
