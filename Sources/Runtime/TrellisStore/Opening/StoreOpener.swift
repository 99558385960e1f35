import Foundation

/// Opens or creates a store's database and migrates it to the app's schema version.
struct StoreOpener {
  private let specification: StoreSpecification
  /// The new store's identifier; `nil` for a random identifier.
  private let identifier: String?
  /// An older in-memory database to migrate and use for this store; `nil` for a new database.
  private let memory: ConnectionPool?

  private var file: StoreFile { specification.file }

  init(_ specification: StoreSpecification, identifier: String? = nil, memory: ConnectionPool? = nil) {
    self.specification = specification
    self.identifier = identifier
    self.memory = memory
  }

  func open() throws -> OpenDatabase {
    if specification.configuration.isStoredInMemoryOnly { return try openMemory() }
    do {
      return try openFile(try file.inspect())
    } catch {
      let failure = file.failure(error)
      guard specification.storeAccess == .owner, let unreleased = UnreleasedStore(specification, failure)
      else { throw failure }
      guard specification.configuration.migration.whileUnreleased == .moveAside else { throw unreleased.refusal }
      do {
        try unreleased.moveAside { _ = try create($0) }
        return try openFile(try file.inspect())
      } catch {
        throw file.failure(error)
      }
    }
  }

  private func openMemory() throws -> OpenDatabase {
    if let memory {
      return try memory.exclusively(for: .migration) { connection in
        guard let metadata = try StoreMetadata(connection) else { throw unreadable }
        return database(memory, try specification.checked(metadata, connection))
      }
    }
    let pool = ConnectionPool(.memory, isDurable: false, file.trace)
    let connection = try pool.open(.creating)
    try pool.start(with: connection)
    return database(pool, try connection.write { try create(connection) })
  }

  private func database(_ pool: ConnectionPool, _ metadata: StoreMetadata) -> OpenDatabase {
    OpenDatabase(pool: pool, metadata: metadata, catalogue: specification.catalogue, files: specification.files)
  }

  private func openFile(_ content: StoreFile.Content) throws -> OpenDatabase {
    let configuration = specification.configuration
    let pool = ConnectionPool(
      .file(file.path, allowsSave: file.allowsSave), isDurable: configuration.durability == .full, file.trace)
    guard file.allowsSave else {
      return try pool.read(for: .opening) { connection in
        guard let metadata = try StoreMetadata(connection) else {
          throw content == .store ? unreadable : file.failure(.foreign, "the file is another program's database")
        }
        return database(pool, try specification.checked(metadata, connection))
      }
    }
    if content == .unmarked, try file.isForeign() {
      throw file.failure(
        .foreign, "the file is another program's database; nothing in it was touched")
    }
    let connection = try pool.open(.creating)
    let found = try StoreMetadata(connection)
    let isNew = found == nil
    if isNew, try !connection.rows("SELECT 1 FROM sqlite_schema LIMIT 1").isEmpty { throw unreadable }
    // A concurrent process may have created the store in the meantime.
    let metadata = try found ?? connection.write { try StoreMetadata(connection) ?? create(connection) }
    var current = try specification.checked(metadata, connection)
    try recordHistory(&current, connection)
    if specification.versions.hasReleases, !current.isReleased {
      try connection.write { try StoreMetadata.write(.integer(1), for: StoreMetadata.Key.released, connection) }
      current.isReleased = true
    }
    try useWriteAheadLog(connection)
    if isNew { try beginLog(connection) }
    try pool.start(with: connection)
    return database(pool, current)
  }

  private var unreadable: SwiftDataError {
    file.failure(
      .damaged,
      "the store's metadata is missing: its own table '\(StoreCatalogue.metadataTable)', or a row in it, was "
        + "deleted; nothing was touched: restore a copy of the store")
  }

  /// Creates a new store's tables. Must be called inside a transaction.
  private func create(_ connection: Connection) throws -> StoreMetadata {
    try connection.execute("PRAGMA application_id = \(number: Int(StoreFile.applicationID))")
    for statement in (InternalTables.all + specification.catalogue.tables).flatMap(\.statements) {
      try connection.execute(statement)
    }
    var metadata = StoreMetadata(identifier: identifier)
    try StoreMetadata.write(.integer(metadata.format), for: StoreMetadata.Key.format, connection)
    try StoreMetadata.write(
      .text(metadata.identifier), for: StoreMetadata.Key.identifier, connection)
    try specification.describe(&metadata, connection)
    return metadata
  }

  /// Records whether history is enabled, and updates the history epoch if the property order has changed.
  private func recordHistory(_ metadata: inout StoreMetadata, _ connection: Connection) throws {
    let isOff = !specification.configuration.history.isRecorded
    if !isOff, metadata.order != SchemaFingerprint.order(of: specification.schema) {
      metadata.historyEpoch = try connection.write { try HistoryNames.record(specification.catalogue, connection) }
    }
    guard metadata.isHistoryOff != isOff else { return }
    let epoch = metadata.historyEpoch
    try connection.write {
      try StoreMetadata.write(.integer(isOff ? 1 : 0), for: StoreMetadata.Key.historyOff, connection)
      guard !isOff else { return }
      // A token must not span unrecorded changes.
      let gap = try HistoryLog.recordGap(epoch: epoch, connection)
      try HistoryLog.raiseFloor(to: gap, connection)
    }
    metadata.isHistoryOff = isOff
  }

  /// Writes a row to a new store's WAL. The first commit to a new WAL waits for the disk, which may take longer than
  /// saving ten thousand rows. The app's first save should not have to wait.
  private func beginLog(_ connection: Connection) throws {
    try connection.write {
      try StoreMetadata.write(.integer(1), for: StoreMetadata.Key.log, connection)
    }
  }

  private func useWriteAheadLog(_ connection: Connection) throws {
    let mode = try connection.rows("PRAGMA journal_mode = WAL").first?.first
    guard mode == .text("wal") else {
      throw file.failure(.locked, "another process prevents the store from being opened for writing")
    }
  }
}

extension DefaultStore {
  /// Opens or creates the store.
  ///
  /// Opening adds new models, optional or defaulted attributes and indexes, and applies `originalName`. Any other
  /// difference requires a plan: if the store matches a version in the plan, the stages up to the current version run
  /// in a single transaction. If it matches no version, the store remains unchanged.
  ///
  /// ```swift
  /// let configuration = ModelConfiguration(schema: Schema(Trip.self), url: url)
  /// let store = try DefaultStore(configuration, migrationPlan: SampleTripsMigrationPlan.self)
  /// ```
  ///
  /// - Parameters:
  ///   - configuration: The location and options, with a schema.
  ///   - migrationPlan: The plan that migrates an older store; `nil` if there is no plan.
  /// - Throws: ``SwiftDataError`` with a ``SwiftDataError/storeProblem``; ``SwiftDataError/unknownSchema`` if the
  ///   configuration has no schema or the plan is invalid.
  public convenience init(
    _ configuration: ModelConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)? = nil
  ) throws {
    try self.init(configuration, migrationPlan: migrationPlan, identifier: nil)
  }

  /// - Parameters:
  ///   - identifier: The new store's identifier; `nil` for a random identifier.
  ///   - version: The schema version, if known to the caller. Several versions may have the same models.
  ///   - versions: Versions from schema files, oldest first, ending with the schema's; empty for an app.
  ///   - older: An in-memory store whose database is migrated and reused. The old store object must not be used
  ///     afterwards.
  package convenience init(
    _ configuration: ModelConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    identifier: String?, version: Schema.Version? = nil, files versions: [Schema] = [],
    over older: DefaultStore? = nil
  ) throws {
    guard let schema = configuration.schema else {
      throw SwiftDataError.unknownSchema.explained(
        "configuration '\(configuration.name)' has no schema")
    }
    if let migrationPlan { try PlanRules.check(migrationPlan) }
    var catalogue = try CatalogueBuilder.catalogue(of: schema)
    catalogue.layout.formerNames = migrationPlan.map { plan in FormerNames(plan, of: schema).current }
    try schema.checkTransformers()
    let specification = try StoreSpecification(
      configuration, schema: schema, catalogue: catalogue, plan: migrationPlan, version: version, files: versions)
    let opened = try StoreOpener(specification, identifier: identifier, memory: older?.pool).open()
    self.init(
      configuration, opened,
      keys: KeyBlocks(path: configuration.isStoredInMemoryOnly ? nil : configuration.url.path),
      history: configuration.history.isRecorded && configuration.allowsSave
        ? HistoryLog(
          opened.catalogue, epoch: opened.metadata.historyEpoch, retaining: configuration.history.retention.limit) : nil
    )
    if case .file = pool.place {
      // Uses the original path: if it is a symbolic link, redirecting the link replaces the store.
      pool.watch = StoreWatch(metadata: opened.metadata, path: configuration.url.path)
    }
  }
}
