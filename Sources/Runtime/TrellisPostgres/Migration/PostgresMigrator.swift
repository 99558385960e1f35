import Foundation
import Trellis

/// Runs a store migration.
///
/// A single transaction changes the tables, the rows and the metadata. It waits for locks for a limited time, and is
/// retried if it does not get them.
struct PostgresMigrator {
  let opener: PostgresOpener
  let pending: PendingMigration

  private var tables: InternalTables { opener.tables }
  private var commits: CommitOrder { opener.commits }
  private var options: PostgresConfiguration.MigrationOptions { opener.configuration.migration }
  private var place: String { opener.pool.place }

  /// - Parameter phase: `nil` for all changes in one transaction.
  /// - Returns: The resulting metadata, which a concurrent process may have written if it migrated the store first.
  /// - Throws: `SwiftDataError` with a `SwiftDataError.storeProblem`, and errors thrown by the plan's stages. The
  ///   store is unchanged in that case.
  func run(_ phase: PostgresMigration.Phase?, _ connection: PostgresConnection) throws -> PostgresMetadata {
    if phase != nil { try checkPhases() }
    try connection.waiting(for: opener.configuration.timeouts.migration) {
      // Finish an earlier expansion: the process that ran it may have ended too early.
      if phase != .expand {
        try runGradually(pending.expanded.flatMap(\.steps).filter { $0.phase == .expand }, connection)
      }
      if phase == .contract { try runGradually(pending.statements(.contract), connection) }
      let isOwn = try runTransaction(phase, connection)
      // A concurrent process that changed the tables also builds the indexes; a second build would interfere with it.
      if phase == .expand, isOwn { try runGradually(pending.statements(.expand), connection) }
    }
    guard let metadata = try opener.read(connection) else { throw gone }
    // A concurrent process may have migrated the store to a different version.
    guard let rest = try opener.pending(metadata) else { return metadata }
    guard rest.metadata.version != pending.metadata.version || rest.metadata.fingerprint != pending.metadata.fingerprint
    else { throw failure("the store did not change") }
    return try PostgresMigrator(opener: opener, pending: rest).run(phase, connection)
  }

  private var gone: SwiftDataError { PostgresMetadata.damaged("is missing", place) }

  func failure(_ explanation: String) -> SwiftDataError {
    guard !pending.isUnplanned else { return opener.refusal([explanation]) }
    return .opening(
      .migrationFailed,
      "the migration from \(pending.metadata.version) to \(opener.versions.number) failed, and the store is unchanged: "
        + "\(explanation)", path: place)
  }

  /// Fails if the two app versions cannot use the store at the same time.
  private func checkPhases() throws {
    let reasons = pending.obstacles + pending.exclusions
    guard reasons.isEmpty else {
      throw failure(
        "the two app versions cannot use the store at the same time:\n"
          + reasons.map { "  - \($0)" }.joined(separator: "\n")
          + "\nstop the older app version and open the store without phases")
    }
  }

  // MARK: the transaction

  /// Runs the transaction, and repeats it after a lock timeout or a conflict.
  ///
  /// - Returns: False if a concurrent process has already migrated the store.
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
          "the migration could not lock the tables within \(options.lockWait), because a long transaction uses "
            + "them; the store is unchanged: \(error)", path: place)
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
    case .server: return failure("the server rejected a statement: \(error)")
    case .writeSuppressed: return failure(error.message)
    default: return error
    }
  }

  /// Sets the lock timeout, and waits for concurrent processes that are migrating the store.
  private func prepare(_ connection: PostgresConnection) throws {
    guard commits.hasSnapshots else {
      // An engine without snapshots aborts the second of two transactions that read this row for update.
      let key: SQLFragment = "\"key\" = \(value: .text(PostgresMetadata.Key.fingerprint))"
      return try connection.execute(["SELECT \"value\" FROM \(name: tables.metadata) WHERE \(key) FOR UPDATE"])
    }
    let limit = "\(options.lockTimeout.pollTimeout)ms"
    try connection.execute([
      "SELECT set_config('lock_timeout', \(value: .text(limit)), true)",
      // Makes the server report an error if a policy hides rows, which would otherwise be lost.
      "SELECT set_config('row_security', 'off', true)",
    ])
    try opener.lock(connection)
  }

  /// Waits until no transaction uses the affected tables, and then locks them.
  private func lockTables(_ phase: PostgresMigration.Phase?, _ connection: PostgresConnection) throws {
    guard commits.hasSnapshots else { return }
    let existing = Set(try pending.metadata.tables.map(\.name))
    let changed = (pending.shapes + pending.expanded).flatMap(\.change.tables)
      .filter { $0.old != $0.new || pending.movesRows }.compactMap { $0.old?.name }
    // Sorted by name, so that two processes cannot deadlock.
    var names = existing.intersection(changed).sorted().map(tables.qualified)
    // Except in `expand`, the migration may exclude older app versions, which alters this table.
    if phase != .expand { names.append(tables.transactions) }
    guard !names.isEmpty else { return }
    let list = names.map { "\(name: $0)" as SQLFragment }.joined(separator: ", ")
    try connection.execute(["LOCK TABLE \(list) IN ACCESS EXCLUSIVE MODE"])
  }

  /// Fails if rows contain values that an unplanned migration would lose.
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
    // The server cannot alter a table that has pending foreign key checks, which arise when a transaction changes a row
    // twice.
    if commits.hasSnapshots { try connection.execute(["SET CONSTRAINTS ALL IMMEDIATE"]) }
    if pending.movesRows {
      // Tables from earlier versions may refer to the rewritten rows.
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

  // MARK: metadata

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

  /// Excludes running processes with older app versions. See ``PostgresStore/checkGeneration(_:)``.
  private func excludeOlder(_ connection: PostgresConnection) throws {
    var generation: Int64 = 0
    try HistoryState.change(commits, connection) { state in
      state.generation += 1
      generation = state.generation
    }
    try connection.execute(commits.generationCheck(generation))
  }

  /// Renames entities and properties in changes recorded by earlier versions. The app records its own names when it
  /// opens the store.
  private func renameHistory(_ connection: PostgresConnection) throws {
    let table: SQLFragment = "\(name: tables.names)"
    let recorded = try connection.rows("SELECT \"epoch\", \"names\" FROM \(table)") { row in
      HistoryNames(text: row.string(1) ?? "").map { (epoch: row.integer(0) ?? 0, names: $0) }
    }
    let steps = pending.expandedSteps + pending.steps
    // Names recorded by an intermediate version already include the renames before it.
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
    // Informs history readers that Swift code has changed rows.
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

  /// Finishes the phase ``PostgresMigration/Phase/expand`` if it was interrupted after its transaction.
  func finish(_ connection: PostgresConnection) throws {
    try connection.waiting(for: opener.configuration.timeouts.migration) {
      try runGradually(pending.statements(.expand), connection)
    }
  }

  /// Builds indexes and validates foreign keys while other connections write to the tables. Can be repeated.
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
