import Foundation

/// Opens the database of a store: finds it or creates it, and brings it to the version of the program.
struct StoreOpener {
  private let specification: StoreSpecification
  /// The identifier of a new store; nil for a random one.
  private let identifier: String?
  /// The in-memory database of an older version that becomes this store; nil for a new database.
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
      guard specification.mayChange, let unreleased = UnreleasedStore(specification, failure) else { throw failure }
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
        let own = try knowingTables(connection)
        return OpenDatabase(pool: memory, metadata: try own.checked(metadata, connection), catalogue: own.catalogue)
      }
    }
    let pool = ConnectionPool(.memory, isDurable: false, file.trace)
    let connection = try pool.open(.creating)
    try pool.start(with: connection)
    return OpenDatabase(
      pool: pool, metadata: try connection.write { try create(connection) }, catalogue: specification.catalogue)
  }

  private func openFile(_ content: StoreFile.Content) throws -> OpenDatabase {
    let configuration = specification.configuration
    let pool = ConnectionPool(
      .file(file.path, allowsSave: file.allowsSave), isDurable: configuration.durability == .full, file.trace)
    guard file.allowsSave else {
      return try pool.read(for: .opening) { connection in
        let metadata = try known(connection, content)
        let own = try knowingTables(connection)
        return OpenDatabase(
          pool: pool, metadata: try own.checked(metadata, connection), catalogue: own.catalogue, files: own.files)
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
    let own = try isNew ? specification : knowingTables(connection)
    var current = try own.checked(metadata, connection)
    try recordHistoryOption(&current, connection)
    if specification.hasReleases, !current.isReleased {
      try connection.write { try StoreMetadata.write(.integer(1), for: StoreMetadata.Key.released, connection) }
      current.isReleased = true
    }
    try useWriteAheadLog(connection)
    if isNew { try beginLog(connection) }
    try pool.start(with: connection)
    return OpenDatabase(pool: pool, metadata: current, catalogue: own.catalogue, files: own.files)
  }

  /// The specification with the names that the tables of pairs have in the store.
  private func knowingTables(_ connection: Connection) throws -> StoreSpecification {
    let catalogue = specification.catalogue
    guard catalogue.tables.contains(where: { !$0.key.isEmpty }) else { return specification }
    let names = try connection.tableNames()
    guard catalogue.tables.contains(where: { !names.contains($0.name) }) else { return specification }
    var own = specification
    own.catalogue = try CatalogueBuilder.catalogue(of: specification.schema, knowing: names)
    own.catalogue.layout.formerNames = catalogue.layout.formerNames
    return own
  }

  /// Creates the store, unless another process has created it since this one looked.
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

  /// Creates the tables of a new store, inside a transaction.
  private func create(_ connection: Connection) throws -> StoreMetadata {
    try connection.execute("PRAGMA application_id = \(number: Int(StoreFile.applicationID))")
    for statement in (InternalTables.all + specification.catalogue.tables).flatMap(\.statements) {
      try connection.execute(statement)
    }
    var metadata = StoreMetadata(
      fingerprint: specification.fingerprint, version: specification.version, valueTypes: specification.valueTypes)
    if let identifier { metadata.identifier = identifier }
    try StoreMetadata.write(.integer(metadata.format), for: StoreMetadata.Key.format, connection)
    try StoreMetadata.write(
      .text(metadata.identifier), for: StoreMetadata.Key.identifier, connection)
    try specification.describe(&metadata, connection)
    return metadata
  }

  /// Records whether this program records its changes.
  private func recordHistoryOption(_ metadata: inout StoreMetadata, _ connection: Connection) throws {
    let isOff = !specification.configuration.history.isRecorded
    guard metadata.isHistoryOff != isOff else { return }
    let epoch = metadata.historyEpoch
    try connection.write {
      try StoreMetadata.write(.integer(isOff ? 1 : 0), for: StoreMetadata.Key.historyOff, connection)
      guard !isOff else { return }
      // No token may lead across the changes that were not recorded.
      let gap = try HistoryLog.noteGap(author: nil, epoch: epoch, connection)
      try HistoryLog.raiseFloor(to: gap, connection)
    }
    metadata.isHistoryOff = isOff
  }

  /// Writes a row into the WAL of a new store. The first commit to a new WAL waits for the disk, which may take longer
  /// than saving ten thousand rows, and the program's first save should not wait.
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
