import Foundation

/// Runs migration stages in a single transaction: a plan's stages, or a single stage if there is no plan.
final class Migrator {
  let specification: StoreSpecification
  let connection: Connection
  /// Oldest first.
  let stages: [StageChanges]
  private let foreign: ForeignObjects
  /// The store metadata, updated by the stages.
  var metadata: StoreMetadata
  private var completedRows = 0
  private var expectedRows = 0
  /// The running stage; the first stage before any runs.
  private var current: StageChanges?
  /// Collects external files that the app's code could not read.
  private let unread = UnreadFiles()
  /// The external files that may have been written, to be resolved when the migration ends.
  private var lentFiles: [ExternalFiles] = []

  var options: ModelConfiguration.MigrationOptions { specification.configuration.migration }

  /// Prepares the stages.
  ///
  /// - Throws: An error if a stage is incomplete or needs a plan. Nothing is changed in that case.
  init(
    _ specification: StoreSpecification, _ connection: Connection, _ steps: [VersionStep], _ metadata: StoreMetadata
  ) throws {
    self.specification = specification
    self.connection = connection
    self.metadata = metadata
    let stages = try steps.map { try StageChanges($0) }
    self.stages = stages
    current = stages.first
    foreign = try ForeignObjects(before: stages, connection)
    for stage in stages { try check(stage) }
    if let obstacle = foreign.obstacle(refusesColumns: options.strayColumns == .refuse) {
      throw specification.file.failure(.drifted, obstacle)
    }
  }

  private var dropsColumns: Bool { !foreign.columns.isEmpty }

  /// True if the migration loses values, rewrites rows or runs the app's code.
  private var isBackedUp: Bool {
    guard options.keepsBackup, !specification.configuration.isStoredInMemoryOnly else { return false }
    return dropsColumns || stages.contains { $0.step.isPlanned && ($0.rewritesRows || !$0.step.plan.isOnlyShape) }
  }

  /// True if the migration replaces rows, which leaves free pages in the file.
  var rewritesRows: Bool { stages.contains(where: \.rewritesRows) }

  /// True if opening with no plan leaves the tables unchanged and updates only the metadata.
  var leavesTables: Bool { !dropsColumns && stages.allSatisfy { !$0.step.isPlanned && $0.isEmpty } }

  /// Runs the stages, unless a concurrent process migrated the store.
  ///
  /// - Returns: The store metadata after the migration.
  func run() throws -> StoreMetadata {
    let files = externalFiles(stages.first?.old)
    try files?.recover(connection)
    // References are checked at the end, because tables are dropped and created. The pragma has no effect in a
    // transaction.
    try connection.execute("PRAGMA foreign_keys = OFF")
    // An in-memory connection may have cached statements for the older version.
    connection.dropStatements()
    var backup: StoreBackup?
    defer {
      connection.isLent = false
      connection.dropStatements()
      try? connection.execute("PRAGMA legacy_alter_table = OFF")
      try? connection.execute("PRAGMA foreign_keys = ON")
    }
    do {
      let result = try connection.write {
        guard let now = try StoreMetadata(connection) else { return metadata }
        guard now.isOfVersion(of: metadata) else { return now }
        if isBackedUp, let first = stages.first {
          report(.backup)
          backup = try StoreBackup(
            of: specification, at: "\(specification.file.path).backup-\(first.step.from.number)",
            advice: "free some space, or set 'migration.keepsBackup' in the configuration to false")
        }
        let changesRows =
          dropsColumns || stages.contains { !$0.step.plan.isOnlyShape || $0.rewritesRows }
        // SQLite cannot rename tables or columns while a view is invalid.
        let views = leavesTables ? [] : try connection.setAside(where: ForeignObjects.views)
        // Triggers must not fire while rows are copied or deleted.
        let triggers = changesRows ? try connection.setAside(where: ForeignObjects.triggers) : []
        try foreign.drop(connection, explaining: failure)
        try runStages()
        if !leavesTables {
          report(.check)
          try checkResult()
        }
        // A trigger cannot be recreated if the table was dropped or renamed.
        for sql in triggers { try? connection.executeText(sql) }
        for sql in views { try connection.executeText(sql) }
        metadata.marks = try StoreMetadata.marks(connection)
        if !leavesTables {
          try countMigration(isRewritten: !stages.allSatisfy { $0.step.plan.isOnlyShape && $0.onlyAdds })
        }
        try specification.describe(&metadata, connection)
        if stages.contains(where: { !$0.step.plan.isOnlyShape }), specification.configuration.history.isRecorded {
          _ = try HistoryLog.recordGap(epoch: metadata.historyEpoch, connection)
        }
        try backup?.keep()
        return metadata
      }
      for instance in lentFiles { instance.resolve() }
      return result
    } catch {
      // The store is unchanged, so the backup is not needed.
      backup?.remove()
      for instance in lentFiles where instance.hasWritten {
        try? files?.recover(connection)
        instance.resolve()
      }
      throw explained(error)
    }
  }

  /// Adds a suggested fix to an error about a single row.
  private func explained(_ error: any Error) -> any Error {
    switch error {
    case let error as ExternalFileError: unreadable(error)
    case let error as StoredValueError:
      failure("\(error); replace the value in these rows in a 'fill' of '\(error.entity).\(error.property)'")
    default: error
    }
  }

  /// - Parameter row: The row that contains the value, if known.
  func unreadable(_ error: ExternalFileError, of row: String = "a row") -> SwiftDataError {
    guard !error.isAboutWriting else { return failure("\(error)") }
    return failure(
      "\(error), and \(row) stores its value there: restore the file, or read it with 'try?' in a 'fill' or "
        + "in the snapshots of a custom step, and provide a replacement value")
  }

  /// Records the migration for processes that have the store open.
  ///
  /// - Parameter isRewritten: True if an existing name now holds different values.
  private func countMigration(isRewritten: Bool) throws {
    metadata.migrations += 1
    try StoreMetadata.write(.integer(metadata.migrations), for: StoreMetadata.Key.migrations, connection)
    guard isRewritten else { return }
    metadata.lastRewrite = metadata.migrations
    try StoreMetadata.write(.integer(metadata.lastRewrite), for: StoreMetadata.Key.lastRewrite, connection)
    // Readers check the metadata only after the table definitions change.
    guard try connection.definitions() == metadata.definitions else { return }
    try connection.execute("CREATE TABLE \(name: "trellis_moving") (\"id\" INTEGER PRIMARY KEY)")
    try connection.execute("DROP TABLE \(name: "trellis_moving")")
  }

  private func runStages() throws {
    expectedRows = options.observer == nil ? 0 : try countRows()
    connection.isLent = true
    for stage in stages {
      current = stage
      let step = stage.step
      if case .custom(_, _, let willMigrate?, _) = step.plan.stage {
        try run(willMigrate, over: stage.old, step.from.schema)
      }
      try checkRows(for: stage)
      if !leavesTables { try StagePass(self, stage).run() }
      if case .custom(_, _, _, let didMigrate?) = step.plan.stage {
        try run(didMigrate, over: stage.new, step.to.schema)
      }
      try unread.check()
      try checkPairs(of: stage)
      try HistoryNames.migrate(from: step.from.schema, to: step.to.schema, filled: stage.fills, connection)
    }
    connection.isLent = false
  }

  /// Runs a plan closure with a context for a version's models.
  private func run(
    _ body: @escaping (ModelContext) throws -> Void, over catalogue: StoreCatalogue, _ schema: Schema
  ) throws {
    try lend(catalogue, allowsSave: true) { store in
      try runCode(of: schema) { try $0._$run(over: store, body) }
    }
    try connection.updateReferences(of: catalogue)
  }

  /// Runs the plan's code. Fails if a context ignores a call from that code.
  func runCode(of schema: Schema, _ code: (any SchemaMigrationPlan.Type) throws -> Void) throws {
    guard let plan = specification.versions.plan else { throw failure("the migration plan is missing") }
    try IgnoredModels.listening({ failure("a call in a migration step was ignored: \($0)") }) {
      try SchemaScope.$current.withValue(schema) { try code(plan) }
    }
  }

  /// Opens a store on the connection for the duration of `body`.
  func lend(
    _ catalogue: StoreCatalogue, allowsSave: Bool, _ body: (DefaultStore) throws -> Void
  ) throws {
    let pool = ConnectionPool(borrowing: connection, streams: !allowsSave)
    defer {
      pool.end()
      connection.dropStatements()
    }
    let files = allowsSave ? lentFiles(for: catalogue) : externalFiles(catalogue)
    let own = specification.configuration
    var configuration = ModelConfiguration(own.name, url: own.url, allowsSave: allowsSave)
    configuration.schema = catalogue.schema
    metadata.marks = try StoreMetadata.marks(connection)
    let opened = OpenDatabase(pool: pool, metadata: metadata, catalogue: catalogue, files: files)
    try body(DefaultStore(configuration, opened))
    if allowsSave { try connection.flagOwnWrites(to: catalogue) }
  }

  /// Returns the catalogue's external files, for code that may write files.
  func lentFiles(for catalogue: StoreCatalogue) -> ExternalFiles? {
    let files = externalFiles(catalogue)
    if let files { lentFiles.append(files) }
    return files
  }

  func externalFiles(_ catalogue: StoreCatalogue?) -> ExternalFiles? {
    // An in-memory database stores large values in the rows.
    guard !specification.configuration.isStoredInMemoryOnly, let columns = catalogue?.externalColumns, !columns.isEmpty
    else { return nil }
    return ExternalFiles(storePath: specification.file.path, columns: columns, unread: unread)
  }

  // MARK: progress

  private func countRows() throws -> Int {
    let existing = stages.first?.old.tables.map(\.name) ?? []
    let copied = stages.flatMap(\.moves).filter(\.isRebuilt).compactMap(\.source?.name).filter(existing.contains)
    return try copied.reduce(0) { try $0 + Int(connection.integers("SELECT COUNT(*) FROM \(name: $1)").first ?? 0) }
  }

  func report(_ activity: MigrationProgress.Activity, adding rows: Int = 0) {
    completedRows += rows
    guard let observer = options.observer, let step = current?.step else { return }
    observer(
      MigrationProgress(
        from: step.from.number, to: step.to.number, activity: activity, completedRows: completedRows,
        expectedRows: max(expectedRows, completedRows)))
  }

  func failure(_ explanation: String) -> SwiftDataError {
    guard let step = current?.step else { return specification.file.failure(.migrationFailed, explanation) }
    guard step.isPlanned else { return refusal([explanation]) }
    return specification.file.failure(
      .migrationFailed,
      "the migration from \(step.from.number) to \(step.to.number) failed, and the store is "
        + "unchanged: \(explanation)")
  }

  /// Returns the error for a store that cannot be opened unless the app passes a plan.
  func refusal(_ reasons: [String]) -> SwiftDataError {
    specification.file.failure(
      .differentSchema, specification.versions.refusal(reasons))
  }
}
