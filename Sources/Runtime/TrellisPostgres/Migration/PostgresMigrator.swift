import Foundation
import Trellis

/// Runs a migration of a store.
///
/// One transaction changes the tables, the rows and what the store says of itself. It waits a limited time for the locks
/// of others, and is repeated if it does not get them.
struct PostgresMigrator {
  let opener: PostgresOpener
  let pending: PendingMigration

  private var tables: InternalTables { opener.tables }
  private var commits: CommitOrder { opener.commits }
  private var options: PostgresConfiguration.MigrationOptions { opener.configuration.migration }
  private var place: String { opener.pool.place }

  /// - Parameter phase: nil for all changes in one transaction.
  /// - Returns: the metadata afterwards, which can be that of another program that has migrated the store meanwhile.
  /// - Throws: `SwiftDataError` with a `SwiftDataError.storeProblem`, and what the stages of the plan throw. The store
  ///   is unchanged then.
  func run(_ phase: PostgresMigration.Phase?, _ connection: PostgresConnection) throws -> PostgresMetadata {
    if phase != nil { try checkPhases() }
    try connection.waiting(for: opener.configuration.timeouts.migration) {
      // A program that has added them may have ended too early.
      if phase != .expand {
        try runGradually(pending.expanded.flatMap(\.steps).filter { $0.phase == .expand }, connection)
      }
      if phase == .contract { try runGradually(pending.statements(.contract), connection) }
      let isOwn = try runTransaction(phase, connection)
      // If another program has changed the tables, it builds the indexes, and a second build would disturb the first one.
      if phase == .expand, isOwn { try runGradually(pending.statements(.expand), connection) }
    }
    guard let metadata = try opener.read(connection) else { throw gone }
    // Another program may have migrated the store to another version.
    guard let rest = try opener.pending(metadata) else { return metadata }
    guard rest.metadata.version != pending.metadata.version || rest.metadata.fingerprint != pending.metadata.fingerprint
    else { throw failure("the store is as it was") }
    return try PostgresMigrator(opener: opener, pending: rest).run(phase, connection)
  }

  private var gone: SwiftDataError { PostgresMetadata.damaged("is gone", place) }

  func failure(_ explanation: String) -> SwiftDataError {
    guard !pending.isUnplanned else { return opener.refusal([explanation]) }
    return .opening(
      .migrationFailed,
      "the migration from \(pending.metadata.version) to \(opener.versions.number) cannot be done, and the store is as it "
        + "was: \(explanation)", path: place)
  }

  /// Fails if programs of both versions cannot use the store at the same time.
  private func checkPhases() throws {
    let reasons = pending.obstacles + pending.exclusions
    guard reasons.isEmpty else {
      throw failure(
        "programs of both versions cannot use the store at the same time:\n"
          + reasons.map { "  - \($0)" }.joined(separator: "\n")
          + "\nend the programs of the older version and open the store without phases")
    }
  }

  // MARK: the transaction

  /// Repeats a transaction that waits too long for a lock, or that the server has ended because of another one.
  ///
  /// - Returns: false if another program has migrated the store meanwhile.
  private func runTransaction(_ phase: PostgresMigration.Phase?, _ connection: PostgresConnection) throws -> Bool {
    let deadline = ContinuousClock.now + options.lockWait
    return try PostgresError.repeating {
      try connection.transaction(commits.begin) {
        try prepare(connection)
        guard let now = try opener.read(connection) else { throw gone }
        guard now.isOfSameMigration(as: pending.metadata) else { return false }
        try lockTables(phase, connection)
        try change(phase, connection)
        return true
      }
    } after: { error, attempt in
      guard error.isConflict || error.isLockTimeout else { throw explained(error) }
      guard ContinuousClock.now < deadline else {
        throw SwiftDataError.opening(
          .locked,
          "the migration has not got the locks of the tables within \(options.lockWait), because another program uses "
            + "them in a long transaction; the store is as it was: \(error)", path: place)
      }
      Thread.sleep(forTimeInterval: Double.random(in: 0.01...0.05) * Double(min(attempt, 20)))
      return true
    }
  }

  private func explained(_ error: PostgresError) -> any Error {
    guard !error.endsConnection else { return error }
    switch error.code {
    case .server where error.isUniqueViolation:
      return failure("the values of a new unique constraint are not unique: \(error)")
    case .server: return failure("the server refuses a statement: \(error)")
    case .writeSuppressed: return failure(error.message)
    default: return error
    }
  }

  /// Limits the waiting of the transaction, and waits for other programs that migrate the store.
  private func prepare(_ connection: PostgresConnection) throws {
    guard commits.hasSnapshots else {
      // An engine without snapshots ends one of two transactions that read this row for an update.
      let key: SQLFragment = "\"key\" = \(value: .text(PostgresMetadata.Key.fingerprint))"
      return try connection.execute(["SELECT \"value\" FROM \(name: tables.metadata) WHERE \(key) FOR UPDATE"])
    }
    let limit = "\(options.lockTimeout.pollTimeout)ms"
    try connection.execute([
      "SELECT set_config('lock_timeout', \(value: .text(limit)), true)",
      // Rows that a policy hides would be lost. The server reports an error instead.
      "SELECT set_config('row_security', 'off', true)",
    ])
    try opener.lock(connection)
  }

  /// Waits for the programs that use the tables to be changed, and keeps them from using them.
  private func lockTables(_ phase: PostgresMigration.Phase?, _ connection: PostgresConnection) throws {
    guard commits.hasSnapshots else { return }
    let existing = Set(try pending.metadata.tables.map(\.name))
    let changed = (pending.shapes + pending.expanded).flatMap(\.change.tables)
      .filter { $0.old != $0.new || pending.movesRows }.compactMap { $0.old?.name }
    // In the order of their names, so that two programs do not wait for each other.
    var names = existing.intersection(changed).sorted().map(tables.qualified)
    // The other phases keep programs of older versions from saving.
    if phase != .expand { names.append(tables.transactions) }
    guard !names.isEmpty else { return }
    let list = names.map { "\(name: $0)" as SQLFragment }.joined(separator: ", ")
    try connection.execute(["LOCK TABLE \(list) IN ACCESS EXCLUSIVE MODE"])
  }

  /// Fails if rows have values that would be lost without a plan.
  private func checkRows(_ connection: PostgresConnection) throws {
    let problems = try pending.shapes.flatMap(\.change.checks).compactMap { check -> String? in
      guard let rows = check.rows else { return nil }
      let keys = try connection.rows(rows.keys(in: tables.qualified(rows.table))) { $0.integer(0).map(String.init) }
      return keys.isEmpty ? nil : check.text(keys)
    }
    guard problems.isEmpty else { throw opener.refusal(problems) }
  }

  private func change(_ phase: PostgresMigration.Phase?, _ connection: PostgresConnection) throws {
    try checkRows(connection)
    func statements(_ steps: some Sequence<ShapeStatements.Step>) -> [SQLFragment] {
      steps.compactMap { step in
        guard phase != nil, let gradual = step.gradual else { return step.statement }
        guard case .foreignKey(let statement, _) = gradual else { return nil }
        return statement
      }
    }
    // The server changes no table with deferred checks of foreign keys, which a second change of a row in one transaction
    // causes.
    if commits.hasSnapshots { try connection.execute(["SET CONSTRAINTS ALL IMMEDIATE"]) }
    if pending.movesRows {
      // Tables of earlier versions may refer to the rows that are written anew.
      let earlier = pending.earlier
      try connection.execute(statements(earlier))
      if commits.hasSnapshots { try connection.execute(["SET CONSTRAINTS ALL DEFERRED"]) }
      let reload = try RowReload(opener: opener, pending: pending, connection: connection)
      try reload.run { try connection.execute(statements(pending.statements(phase).dropFirst(earlier.count))) }
    } else {
      try connection.execute(statements(pending.statements(phase)))
    }
    try describe(phase, connection)
  }

  // MARK: what the store says of itself

  private func describe(_ phase: PostgresMigration.Phase?, _ connection: PostgresConnection) throws {
    let isOpenToOlder = phase == .expand || (phase == nil && pending.onlyAdds)
    let former = isOpenToOlder ? pending.servedAfterwards : []
    let values = try PostgresMetadata.description(
      of: pending.catalogue, version: phase == .contract ? pending.metadata.version : opener.versions.number,
      former: former, oldest: isOpenToOlder ? pending.oldestAfterwards : nil)
    try connection.execute(values.map { PostgresMetadata.writing($0.key, $0.value, tables) })
    if !isOpenToOlder {
      try renameHistory(connection)
      try excludeOlder(connection)
    }
    report(.check)
  }

  /// Keeps running programs of older versions from using the store. See ``PostgresStore/checkGeneration(_:)``.
  private func excludeOlder(_ connection: PostgresConnection) throws {
    var generation: Int64 = 0
    try HistoryState.change(commits, connection) { state in
      state.generation += 1
      generation = state.generation
    }
    try connection.execute(commits.generationCheck(generation))
  }

  /// Gives the recorded changes of earlier versions the names of the new version. The program records its own names when
  /// it opens the store.
  private func renameHistory(_ connection: PostgresConnection) throws {
    let table: SQLFragment = "\(name: tables.names)"
    let recorded = try connection.rows("SELECT \"epoch\", \"names\" FROM \(table)") { row in
      HistoryNames(text: row.string(1) ?? "").map { (epoch: row.integer(0) ?? 0, names: $0) }
    }
    let steps = pending.expandedSteps + pending.steps
    // Programs of a version between the first one and the last one have recorded their own names.
    let versions = (pending.expanded + pending.shapes).map { HistoryNames($0.change.old.layout) }
    let own = HistoryNames(pending.catalogue.layout)
    for (epoch, names) in recorded where names != own {
      let start = versions.lastIndex(of: names) ?? versions.lastIndex { $0.hasSameNames(as: names) }
      let moved = steps.dropFirst(start ?? 0).reduce(names) {
        $0.following(from: $1.from.schema, to: $1.to.schema, filled: $1.fills)
      }
      guard moved != names else { continue }
      try connection.execute([
        "UPDATE \(table) SET \"names\" = \(value: .text(moved.text)) WHERE \"epoch\" = \(value: .integer(epoch))"
      ])
    }
    guard pending.steps.contains(where: { !$0.plan.isOnlyShape }), opener.configuration.history.isRecorded else {
      return
    }
    // Tells readers of the history that code of the program has changed rows.
    try connection.execute(
      commits.insertion(.unique(), HistoryLog.unknownChanges(epoch: 0), generation: pending.metadata.generation + 1))
  }

  func report(_ activity: MigrationProgress.Activity, _ completed: Int = 0, of expected: Int = 0) {
    options.observer?(
      MigrationProgress(
        from: pending.metadata.version, to: opener.versions.number, activity: activity, completedRows: completed,
        expectedRows: expected))
  }

  // MARK: outside of transactions

  /// Finishes an ``PostgresMigration/Phase/expand`` that was interrupted after its transaction.
  func finish(_ connection: PostgresConnection) throws {
    try connection.waiting(for: opener.configuration.timeouts.migration) {
      try runGradually(pending.statements(.expand), connection)
    }
  }

  /// Builds indexes and checks foreign keys while others write to the tables. All of it can be repeated.
  private func runGradually(_ steps: [ShapeStatements.Step], _ connection: PostgresConnection) throws {
    for step in steps {
      switch step.gradual {
      case .index(let build): try build.run(connection, commits, place: place)
      case .foreignKey(_, let validation): try connection.execute([validation])
      case nil: continue
      }
    }
  }
}
