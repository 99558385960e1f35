import Trellis

/// Migrates rows that SQL statements cannot migrate.
///
/// Reads all rows, runs the plan's stages over them in memory, and writes them back. The tables keep their privileges
/// and policies.
struct RowReload {
  private let opener: PostgresOpener
  private let pending: PendingMigration
  private let connection: PostgresConnection
  private let plan: any SchemaMigrationPlan.Type
  private let old: PostgresStore
  private let oldTables: [TableDefinition]

  /// - Throws: `SwiftDataError` with `StoreProblem.migrationFailed` if the versions come from schema files.
  init(opener: PostgresOpener, pending: PendingMigration, connection: PostgresConnection) throws {
    self.opener = opener
    self.pending = pending
    self.connection = connection
    guard let plan = opener.versions.plan, let catalogue = pending.shapes.first?.change.old else {
      throw SwiftDataError.opening(
        .migrationFailed,
        "the migration requires code from the app, so open the store with the app:\n"
          + pending.obstacles.map { "  - \($0)" }.joined(separator: "\n"), path: opener.pool.place)
    }
    self.plan = plan
    oldTables = catalogue.tables
    old = PostgresStore(opener, pending.metadata, catalogue)
  }

  /// - Parameter change: Alters the tables while they are empty.
  func run(_ change: () throws -> Void) throws {
    try checkColumns()
    let read = try old.allSnapshots(of: old.catalogue)
    report(oldTables, 0, of: read.count)
    let migrated = try RowMigration.run(
      read, nextKeys: nextKeys(), plan, pending.steps, identifier: pending.metadata.identifier, to: opener.schema,
      path: opener.pool.place)
    report(oldTables, read.count, of: read.count)
    let names = oldTables.map { "\(name: opener.tables.qualified($0.name))" as SQLFragment }
    try connection.execute(["TRUNCATE \(names.joined(separator: ", "))"])
    // All tables are altered before the first row is written. Foreign keys are checked at the end of the transaction.
    try change()
    try write(migrated.snapshots)
    report(pending.catalogue.tables, 2 * read.count, of: read.count)
    try raiseKeys(migrated.nextKeys)
  }

  private func report(_ tables: [TableDefinition], _ rows: Int, of all: Int) {
    let activity = MigrationProgress.Activity.rows(entity: tables.first?.name ?? "")
    PostgresMigrator(opener: opener, pending: pending).report(activity, rows, of: 2 * all)
  }

  private func sequence(_ table: String) -> SQLFragment {
    "\(literal: PostgresName.quoted(opener.tables.qualified(PostgresLayout.keySequence(of: table))))"
  }

  /// Returns the first free key in each table.
  private func nextKeys() throws -> [String: Int64] {
    var keys: [String: Int64] = [:]
    for table in oldTables where table.key.isEmpty {
      keys[table.name] = try connection.rows("SELECT nextval(\(sequence(table.name)))") { $0.integer(0) }.first
    }
    return keys
  }

  /// Fails if a table has columns from outside the schema, because their values would be lost.
  private func checkColumns() throws {
    var found: [String] = []
    for table in oldTables {
      let known = Set((table.columns.map(\.name) + [PostgresLayout.exactColumn]).map(PostgresName.shortened))
      let name = opener.dialect.name(opener.tables.qualified(table.name))
      let columns = try connection.rows(
        """
        SELECT attname FROM pg_catalog.pg_attribute WHERE attrelid = to_regclass(\(value: .text(name)))
        AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
        """
      ) { $0.string(0) }
      found += columns.filter { !known.contains($0) }.map { "'\(table.name).\($0)'" }
    }
    guard !found.isEmpty else { return }
    throw SwiftDataError.opening(
      .migrationFailed,
      "the migration rewrites all rows and would lose the values of columns that no schema version contains: "
        + found.joined(separator: ", ") + "; copy the values elsewhere and drop the columns", path: opener.pool.place)
  }

  private func write(_ snapshots: [DefaultSnapshot]) throws {
    let store = PostgresStore(opener, pending.metadata, pending.catalogue)
    var request = DataStoreSaveChangesRequest(
      inserted: snapshots, updated: [], deleted: [], editingState: EditingState())
    // The history omits these rows, because they are not new.
    request.isTimeless = true
    do {
      try connection.run(PostgresSavePass(store, request, connection, keepsKeys: true).makeStatements())
    } catch let error as PostgresError where error.isMissingRow {
      throw PostgresError.writeSuppressed(Set(snapshots.compactMap(\.buffer.definition?.entityName)))
    }
  }

  /// Advances the key sequences past all keys that the migration has used.
  private func raiseKeys(_ next: [String: Int64]) throws {
    for table in pending.catalogue.tables where table.key.isEmpty {
      let name: SQLFragment = "\(name: opener.tables.qualified(PostgresLayout.keySequence(of: table.name)))"
      try connection.execute([
        """
        SELECT setval(\(sequence(table.name)), GREATEST(\(value: .integer(next[table.name] ?? 1))::bigint, \
        (SELECT last_value FROM \(name)) + \(number: PostgresLayout.keysPerBlock)), false)
        """
      ])
    }
  }
}
