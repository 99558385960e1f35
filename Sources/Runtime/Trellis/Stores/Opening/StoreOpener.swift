import Foundation

/// Opens the file of a store, or makes it.
struct StoreOpener {
  let configuration: ModelConfiguration
  let schema: Schema
  private(set) var catalogue: StoreCatalogue
  let file: StoreFile
  let fingerprint: String
  let files: ExternalFiles?
  let plan: (any SchemaMigrationPlan.Type)?
  /// The version of the schema, by the plan where there is one.
  let version: Schema.Version
  /// Whether anybody has said which that is.
  let isVersionKnown: Bool
  /// The identifier of a new store; nil for a random one.
  let identifier: String?
  /// The in-memory database of an older version that becomes this store; nil for a new database.
  let memory: ConnectionPool?

  struct Opened {
    var pool: ConnectionPool
    var metadata: StoreMetadata
    let catalogue: StoreCatalogue
    var files: ExternalFiles?
  }

  /// - Parameters:
  ///   - version: the version of the schema, where the caller knows it; versions may have equal models.
  ///   - memory: see ``memory``.
  ///   - path: the path that errors name, for a store in memory that keeps a file up to date.
  init(
    _ configuration: ModelConfiguration, schema: Schema, catalogue: StoreCatalogue,
    plan: (any SchemaMigrationPlan.Type)? = nil, identifier: String? = nil, version: Schema.Version? = nil,
    memory: ConnectionPool? = nil, path memoryPath: String? = nil
  ) throws {
    self.plan = plan
    self.memory = memory
    let known = version ?? plan.flatMap { Self.version(of: schema, in: $0) }?.versionIdentifier
    self.version = known ?? schema.storedVersion
    self.isVersionKnown = known != nil || schema.isVersionKnown
    self.configuration = configuration
    self.identifier = identifier
    self.schema = schema
    self.catalogue = catalogue
    self.fingerprint = SchemaFingerprint.text(of: schema)
    let path = configuration.isStoredInMemoryOnly ? memoryPath ?? "" : try configuration.storeURL().path
    self.file = StoreFile(
      path: path, allowsSave: configuration.allowsSave,
      isPrivate: configuration.isDefaultLocation && configuration.groupContainer.identifier != nil,
      trace: StatementTrace(configuration.trace, storeName: configuration.name))
    let columns = catalogue.externalColumns
    self.files =
      configuration.isStoredInMemoryOnly || columns.isEmpty
      ? nil : ExternalFiles(storePath: path, columns: columns)
  }

  func open() throws -> Opened {
    if configuration.isStoredInMemoryOnly { return try openMemory() }
    do {
      return try openFile(try file.inspect())
    } catch {
      throw file.failure(error)
    }
  }

  private func openMemory() throws -> Opened {
    if let memory {
      return try memory.exclusively(for: .migration) { connection in
        guard let metadata = try StoreMetadata(connection) else { throw unreadable }
        let own = try knowingTables(connection)
        return Opened(pool: memory, metadata: try own.checked(metadata, connection), catalogue: own.catalogue)
      }
    }
    let pool = ConnectionPool(.memory, isDurable: false, file.trace)
    let connection = try pool.open(.creating)
    try pool.start(with: connection)
    return Opened(pool: pool, metadata: try connection.write { try create(connection) }, catalogue: catalogue)
  }

  private func openFile(_ content: StoreFile.Content) throws -> Opened {
    let pool = ConnectionPool(
      .file(file.path, allowsSave: file.allowsSave), isDurable: configuration.durability == .full,
      log: configuration.writeAheadLog, file.trace)
    guard file.allowsSave else {
      return try pool.read(for: .opening) { connection in
        let metadata = try known(connection, content)
        let own = try knowingTables(connection)
        return Opened(
          pool: pool, metadata: try own.checked(metadata, connection), catalogue: own.catalogue, files: files)
      }
    }
    if content == .unmarked, try file.isForeign() {
      throw file.failure(
        .foreign, "the file is a database of another program; nothing in it was touched")
    }
    let connection = try pool.open(.creating)
    var metadata = try StoreMetadata(connection)
    if metadata == nil, try !isEmpty(connection) { throw unreadable }
    let isNew = metadata == nil
    if isNew { metadata = try connection.write { try createUnlessThere(connection) } }
    guard let metadata else { throw unreadable }
    let own = try isNew ? self : knowingTables(connection)
    var current = try own.checked(metadata, connection)
    try own.prepareHistory(&current, connection)
    try useWriteAheadLog(connection)
    if isNew { try beginLog(connection) }
    try pool.start(with: connection)
    return Opened(pool: pool, metadata: current, catalogue: own.catalogue, files: files)
  }

  /// The same with the names that the tables of pairs have in the store.
  private func knowingTables(_ connection: Connection) throws -> StoreOpener {
    guard catalogue.tables.contains(where: { !$0.key.isEmpty }) else { return self }
    let names = try connection.tableNames()
    guard catalogue.tables.contains(where: { !names.contains($0.name) }) else { return self }
    var own = self
    own.catalogue = try CatalogueBuilder.catalogue(of: schema, knowing: names)
    own.catalogue.layout.formerNames = catalogue.layout.formerNames
    return own
  }

  /// Another process may have made the store between a look at it and the lock on it.
  private func createUnlessThere(_ connection: Connection) throws -> StoreMetadata {
    if let metadata = try StoreMetadata(connection) { return metadata }
    return try create(connection)
  }

  private func isEmpty(_ connection: Connection) throws -> Bool {
    try connection.rows("SELECT 1 FROM sqlite_schema LIMIT 1").isEmpty
  }

  private func known(
    _ connection: Connection, _ content: StoreFile.Content
  ) throws -> StoreMetadata {
    if let metadata = try StoreMetadata(connection) { return metadata }
    if content == .store { throw unreadable }
    throw file.failure(.foreign, "the file is a database of another program")
  }

  private var unreadable: SwiftDataError {
    file.failure(
      .damaged,
      "the store does not say what it is: its own table '\(StoreCatalogue.metadataTable)', or a row there, is "
        + "gone; nothing was touched: go back to a copy of the store")
  }

  /// Makes the tables of a new store, inside a transaction.
  private func create(_ connection: Connection) throws -> StoreMetadata {
    try connection.execute("PRAGMA application_id = \(number: Int(StoreFile.applicationID))")
    for statement in StoreMetadata.table.statements { try connection.execute(statement) }
    for statement in catalogue.tables.flatMap(\.statements) { try connection.execute(statement) }
    var metadata = StoreMetadata(fingerprint: fingerprint, version: version)
    if let identifier { metadata.identifier = identifier }
    try StoreMetadata.write(.integer(metadata.format), for: StoreMetadata.Key.format, connection)
    try StoreMetadata.write(
      .text(metadata.identifier), for: StoreMetadata.Key.identifier, connection)
    try describe(&metadata, connection)
    return metadata
  }

  /// Writes down what the tables are now.
  func describe(_ metadata: inout StoreMetadata, _ connection: Connection) throws {
    metadata.fingerprint = fingerprint
    metadata.version = version
    try files?.prepare(connection)
    metadata.historyEpoch = try HistoryNames.record(catalogue, connection)
    metadata.definitions = try connection.definitions()
    let values: [(String, SQLValue)] = [
      (StoreMetadata.Key.fingerprint, .text(fingerprint)),
      (StoreMetadata.Key.version, .text(version.description)),
      (StoreMetadata.Key.schema, .text(try JSONColumn.text(of: schema))),
      (StoreMetadata.Key.tables, .text(try JSONColumn.text(of: catalogue.tables))),
      (StoreMetadata.Key.columns, .text(try JSONColumn.text(of: catalogue.columnNames))),
      (StoreMetadata.Key.definitions, .integer(metadata.definitions)),
      (StoreMetadata.Key.historyEpoch, .integer(metadata.historyEpoch)),
    ]
    for (key, value) in values { try StoreMetadata.write(value, for: key, connection) }
    let sources = schema.sources.map(\.text)
    if !sources.isEmpty {
      try StoreMetadata.write(
        .text(sources.joined(separator: "\n")), for: StoreMetadata.Key.source, connection)
    }
  }

  /// Writes something into the log of a new store. The first commit there waits for the disk, which may
  /// take longer than saving ten thousand rows; the first save is not the one to wait.
  private func beginLog(_ connection: Connection) throws {
    try connection.write {
      try StoreMetadata.write(.integer(1), for: StoreMetadata.Key.log, connection)
    }
  }

  private func useWriteAheadLog(_ connection: Connection) throws {
    let mode = try connection.rows("PRAGMA journal_mode").first?.first
    guard mode != .text("wal") else { return }
    let changed = try connection.rows("PRAGMA journal_mode = WAL").first?.first
    guard changed == .text("wal") else {
      throw file.failure(.locked, "another program keeps the store from being opened for writing")
    }
  }
}
