import Foundation

/// Brings a store to another version, in one transaction.
final class Migrator {
  let opener: StoreOpener
  let connection: Connection
  let hops: [MigrationHop]
  let options: ModelConfiguration.MigrationOptions
  let shapes: [StageShape]
  /// What the store says of itself, as the stages change it.
  var metadata: StoreMetadata
  private(set) var completedRows = 0
  private(set) var expectedRows = 0
  /// The stage that is running.
  private(set) var current = 0

  /// Looks through all stages.
  ///
  /// - Throws: when a stage lacks something, before anything is changed.
  init(
    _ opener: StoreOpener, _ connection: Connection, _ hops: [MigrationHop],
    _ metadata: StoreMetadata
  ) throws {
    self.opener = opener
    self.connection = connection
    self.hops = hops
    self.metadata = metadata
    options = opener.configuration.migration
    shapes = try hops.map { hop in
      try StageShape(
        from: CatalogueBuilder.catalogue(of: hop.from.schema),
        to: CatalogueBuilder.catalogue(of: hop.to.schema), filling: hop.fills,
        keepsOld: hop.hasCustomSteps,
        stored: { try connection.stored($0) })
    }
    for (hop, shape) in zip(hops, shapes) { try check(hop, shape) }
  }

  /// Whether a stage writes rows anew or runs code of the program.
  private var isBackedUp: Bool {
    options.keepsBackup
      && zip(hops, shapes).contains { hop, shape in
        if case .custom = hop.stage { return true }
        return shape.rewritesRows || !hop.stage.steps.isEmpty
      }
  }

  /// - Parameter isCurrent: asked inside the transaction: whether somebody else has done it meanwhile.
  /// - Returns: what the store says of itself then.
  func run(unless isCurrent: (StoreMetadata) -> Bool) throws -> StoreMetadata {
    let files = externalFiles(shapes.first?.old)
    try files?.recover(connection)
    // Tables come and go: what refers to them is looked at in the end. Has no effect in a transaction.
    try connection.execute("PRAGMA foreign_keys = OFF")
    try connection.expectWrites()
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
        guard now.fingerprint == metadata.fingerprint, now.version == metadata.version else {
          guard isCurrent(now) else {
            throw opener.file.failure(
              .locked, "another program is migrating the store: open it again when that is done")
          }
          return now
        }
        if isBackedUp, let first = hops.first {
          report(.backup)
          backup = try StoreBackup(of: opener, version: first.from.number)
        }
        try runStages()
        report(.check)
        try checkResult()
        metadata.marks = try StoreMetadata.marks(connection)
        // Programs that have the store open are told by this.
        metadata.migrations += 1
        try StoreMetadata.write(
          .integer(metadata.migrations), for: StoreMetadata.Key.migrations, connection)
        try opener.describe(&metadata, connection)
        return metadata
      }
      for instance in lentFiles { instance.settle() }
      return result
    } catch {
      // The store is as it was, and so it needs no copy.
      backup?.remove()
      for instance in lentFiles where instance.hasWritten {
        try? files?.recover(connection)
        instance.settle()
      }
      throw error
    }
  }

  /// Those whose writers have to be told how it ended.
  private var lentFiles: [ExternalFiles] = []

  private func runStages() throws {
    expectedRows = options.observer == nil ? 0 : try countRows()
    connection.isLent = true
    for (index, hop) in hops.enumerated() {
      current = index
      try run(hop, shapes[index])
    }
    connection.isLent = false
  }

  private func run(_ hop: MigrationHop, _ shape: StageShape) throws {
    if case .custom(_, _, let willMigrate?, _) = hop.stage {
      try withContext(hop.from, shape.old, willMigrate)
    }
    try check(shape.checks, hop)
    let pass = try StagePass(self, hop, shape)
    try pass.run()
    if case .custom(_, _, _, let didMigrate?) = hop.stage {
      try withContext(hop.to, shape.new, didMigrate)
    }
  }

  /// Runs a closure of a plan with a context over the models of a version.
  private func withContext(
    _ version: MigrationVersions.Version, _ catalogue: StoreCatalogue,
    _ body: (ModelContext) throws -> Void
  ) throws {
    try lend(catalogue, allowsSave: true, firstSlot: nil) { store in
      let context = ModelContext(ModelContainer(store))
      try SchemaScope.$current.withValue(version.schema) { try body(context) }
      context.rollback()
    }
    try settleReferences(of: catalogue)
  }

  /// A store over the connection while `body` runs.
  func lend<T>(
    _ catalogue: StoreCatalogue, allowsSave: Bool, firstSlot: Int?,
    _ body: (DefaultStore) throws -> T
  ) throws -> T {
    let pool = ConnectionPool(borrowing: connection, streams: !allowsSave)
    defer {
      pool.end()
      connection.dropStatements()
    }
    let files = allowsSave ? lentFiles(for: catalogue) : externalFiles(catalogue)
    let own = opener.configuration
    var configuration = ModelConfiguration(own.name, url: own.url, allowsSave: allowsSave)
    configuration.schema = catalogue.schema
    metadata.marks = try StoreMetadata.marks(connection)
    let store = DefaultStore(
      configuration, catalogue: catalogue, metadata: metadata, pool: pool, files: files,
      firstSlot: firstSlot ?? Connection.FixedSlot.allCases.count)
    return try body(store)
  }

  /// The same for somebody who writes files.
  func lentFiles(for catalogue: StoreCatalogue) -> ExternalFiles? {
    let files = externalFiles(catalogue)
    if let files { lentFiles.append(files) }
    return files
  }

  func externalFiles(_ catalogue: StoreCatalogue?) -> ExternalFiles? {
    guard let columns = catalogue?.externalColumns, !columns.isEmpty else { return nil }
    return ExternalFiles(storePath: opener.file.path, columns: columns)
  }

  // MARK: progress

  private func countRows() throws -> Int {
    guard let first = shapes.first else { return 0 }
    var count = 0
    for shape in shapes {
      for move in shape.moves where move.isRebuilt {
        guard let source = move.source, first.old.tables.contains(where: { $0.name == source.name })
        else { continue }
        let rows = try connection.rows("SELECT COUNT(*) FROM \(name: source.name)")
        if case .integer(let number)? = rows.first?.first { count += Int(number) }
      }
    }
    return count
  }

  func report(_ activity: MigrationProgress.Activity, adding rows: Int = 0) {
    completedRows += rows
    guard let observer = options.observer, hops.indices ~= current else { return }
    observer(
      MigrationProgress(
        from: hops[current].from.number, to: hops[current].to.number, activity: activity,
        completedRows: completedRows, expectedRows: max(expectedRows, completedRows)))
  }

  func failure(_ explanation: String) -> SwiftDataError {
    let hop = hops[current]
    return opener.file.failure(
      .migrationFailed,
      "the migration from \(hop.from.number) to \(hop.to.number) cannot be done, and the store is as it "
        + "was: \(explanation)")
  }
}
