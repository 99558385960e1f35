import Foundation

/// Runs the stages of a plan over a store, in one transaction. Without a plan it runs the inferred stage.
final class Migrator {
  let opener: StoreOpener
  let connection: Connection
  let hops: [MigrationHop]
  /// The stage of a store that is opened without a plan.
  private let inferred: InferredStage?
  let options: ModelConfiguration.MigrationOptions
  let shapes: [StageShape]
  let strays: Strays?
  /// What the store says of itself, as the stages change it.
  var metadata: StoreMetadata
  private(set) var completedRows = 0
  private(set) var expectedRows = 0
  /// The stage that is running.
  private(set) var current = 0
  /// What the program has read as nil that is not nil.
  private let unread = UnreadFiles()

  /// A migration without a plan. The store stays readable for programs of the old version as far as its names stay.
  init(
    _ opener: StoreOpener, _ connection: Connection, inferring stage: InferredStage, _ metadata: StoreMetadata
  ) {
    self.opener = opener
    self.connection = connection
    self.metadata = metadata
    inferred = stage
    hops = []
    shapes = []
    strays = nil
    options = opener.configuration.migration
  }

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
    inferred = nil
    options = opener.configuration.migration
    let known = try connection.tableNames()
    shapes = try hops.map { hop in
      try StageShape(
        from: CatalogueBuilder.catalogue(of: hop.from.schema, knowing: known),
        to: CatalogueBuilder.catalogue(of: hop.to.schema, knowing: known), filling: hop.fills,
        accepting: hop.accepted, keepsOld: hop.hasCustomSteps,
        stored: { try connection.stored($0) })
    }
    let later = shapes.flatMap(\.new.tables)
    strays = try shapes.first.map { try Strays(in: $0.old.tables, before: later, connection) }
    for (hop, shape) in zip(hops, shapes) { try check(hop, shape) }
    if let obstacle = strays?.obstacle(options.strayColumns) { throw opener.file.failure(.drifted, obstacle) }
  }

  private var dropsStrays: Bool { !(strays?.columns ?? []).isEmpty }

  /// Whether something goes, a stage writes rows anew, or one runs code of the program.
  private var isBackedUp: Bool {
    guard options.keepsBackup, !opener.configuration.isStoredInMemoryOnly else { return false }
    return dropsStrays
      || zip(hops, shapes).contains { hop, shape in
        shape.rewritesRows || hop.stage.hasCode
      }
  }

  /// Whether a stage leaves room of old rows behind.
  var rewritesRows: Bool { shapes.contains(where: \.rewritesRows) }

  /// Nothing is done where the store has become another one before the transaction began.
  ///
  /// - Returns: what the store says of itself then.
  func run() throws -> StoreMetadata {
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
        guard now.isOfVersion(of: metadata) else { return now }
        if isBackedUp, let first = hops.first {
          report(.backup)
          backup = try StoreBackup(of: opener, version: first.from.number, files)
        }
        let views = inferred?.isEmpty == true ? [] : try connection.putAsideViews()
        let changesRows = dropsStrays || zip(hops, shapes).contains { !$0.stage.isOnlyShape || $1.rewritesRows }
        let triggers = changesRows ? try putAsideTriggers() : []
        try dropStrays()
        try runStages()
        // Without a plan, columns of other programs stay.
        if inferred == nil {
          report(.check)
          try checkResult()
        }
        // Those of tables that are gone, or are called otherwise, go with them.
        for sql in triggers { try? connection.executeText(sql) }
        try connection.restore(views)
        metadata.marks = try StoreMetadata.marks(connection)
        if inferred == nil { try tellOthers() }
        try opener.describe(&metadata, connection)
        if hops.contains(where: \.stage.hasCode), opener.configuration.history.isRecorded {
          _ = try HistoryLog.noteGap(author: nil, epoch: metadata.historyEpoch, connection)
        }
        try backup?.keep(opener)
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
      throw explained(error)
    }
  }

  /// What is in the way of a row, with the way out.
  private func explained(_ error: any Error) -> any Error {
    switch error {
    case let error as ExternalFileError: unreadable(error)
    case let error as StoredValueError:
      failure("\(error); give rows with such a value another one in a 'fill' of '\(error.entity).\(error.property)'")
    default: error
    }
  }

  /// - Parameter row: whose value it is, where that is known.
  func unreadable(_ error: ExternalFileError, of row: String = "a row") -> SwiftDataError {
    guard !error.isAboutWriting else { return failure("\(error)") }
    return failure(
      "\(error), and \(row) has its value there: bring the file back, or read it with 'try?' in a 'fill' or "
        + "in the snapshots of a custom step, and say what the row gets then")
  }

  /// Drops the triggers somebody else has made: rows that are carried over, and equal ones that go, are
  /// nothing for them to act on.
  ///
  /// - Returns: the statements that make them.
  private func putAsideTriggers() throws -> [String] {
    let found = try connection.rows(
      """
      SELECT name, sql FROM sqlite_schema
      WHERE type = 'trigger' AND name NOT LIKE 'trellis\\_%' ESCAPE '\\'
      """)
    return try found.compactMap { row in
      guard case .text(let name) = row[0], case .text(let sql) = row[1] else { return nil }
      try connection.execute("DROP TRIGGER \(name: name)")
      return sql
    }
  }

  /// Programs that have the store open see from this what has happened to it.
  private func tellOthers() throws {
    metadata.migrations += 1
    try StoreMetadata.write(
      .integer(metadata.migrations), for: StoreMetadata.Key.migrations, connection)
    guard !zip(hops, shapes).allSatisfy({ $0.stage.isOnlyShape && $1.onlyAdds }) else { return }
    metadata.lastRewrite = metadata.migrations
    try StoreMetadata.write(
      .integer(metadata.lastRewrite), for: StoreMetadata.Key.lastRewrite, connection)
    // Who reads looks at nothing before the definitions of tables have changed.
    guard try connection.definitions() == metadata.definitions else { return }
    try connection.execute("CREATE TABLE \(name: "trellis_moving") (\"id\" INTEGER PRIMARY KEY)")
    try connection.execute("DROP TABLE \(name: "trellis_moving")")
  }

  /// Those whose writers have to be told how it ended.
  private var lentFiles: [ExternalFiles] = []

  private func runStages() throws {
    try inferred?.run(&metadata, connection)
    expectedRows = options.observer == nil ? 0 : try countRows()
    connection.isLent = true
    for (index, hop) in hops.enumerated() {
      current = index
      try run(hop, shapes[index])
      try unread.check()
      try HistoryNames.migrate(
        from: hop.from.schema, to: hop.to.schema, filled: hop.fills, connection)
    }
    connection.isLent = false
  }

  private func run(_ hop: MigrationHop, _ shape: StageShape) throws {
    if let willMigrate = hop.stage.willMigrate {
      try withContext(hop.from, shape.old, willMigrate)
    }
    try check(shape.checks, hop)
    let pass = try StagePass(self, hop, shape)
    try pass.run()
    if let didMigrate = hop.stage.didMigrate {
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
      try runCode { try SchemaScope.$current.withValue(version.schema) { try body(context) } }
      context.rollback()
    }
    try connection.settleReferences(of: catalogue)
  }

  /// Runs code of the program, which must not be left without what it asked for.
  func runCode(_ body: () throws -> Void) throws {
    try IgnoredModels.listening({ failure("code of the stage was not heeded: \($0)") }, body)
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
    // In memory, large values are in their rows.
    guard !opener.configuration.isStoredInMemoryOnly, let columns = catalogue?.externalColumns, !columns.isEmpty
    else { return nil }
    return ExternalFiles(storePath: opener.file.path, columns: columns, unread: unread)
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
    guard hops.indices.contains(current) else { return opener.file.failure(.migrationFailed, explanation) }
    let hop = hops[current]
    return opener.file.failure(
      .migrationFailed,
      "the migration from \(hop.from.number) to \(hop.to.number) cannot be done, and the store is as it "
        + "was: \(explanation)")
  }
}
