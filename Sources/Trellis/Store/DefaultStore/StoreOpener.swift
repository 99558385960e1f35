import Foundation

/// Opens the file of a store, or makes it.
struct StoreOpener {
  let configuration: ModelConfiguration
  let schema: Schema
  let catalogue: StoreCatalogue
  let file: StoreFile
  private let fingerprint: String

  struct Opened {
    var pool: ConnectionPool
    var metadata: StoreMetadata
  }

  init(_ configuration: ModelConfiguration, schema: Schema, catalogue: StoreCatalogue) throws {
    self.configuration = configuration
    self.schema = schema
    self.catalogue = catalogue
    self.fingerprint = SchemaFingerprint.text(of: schema)
    let path = configuration.isStoredInMemoryOnly ? "" : try configuration.storeURL().path
    self.file = StoreFile(path: path, allowsSave: configuration.allowsSave)
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
    let pool = ConnectionPool(.memory, isDurable: false)
    let connection = try pool.open(.creating)
    try pool.start(with: connection)
    return Opened(pool: pool, metadata: try connection.write { try create(connection) })
  }

  private func openFile(_ content: StoreFile.Content) throws -> Opened {
    let pool = ConnectionPool(
      .file(file.path, allowsSave: file.allowsSave), isDurable: configuration.durability == .full)
    guard file.allowsSave else {
      return Opened(pool: pool, metadata: try pool.read { try checked(try known($0), $0) })
    }
    if content == .unmarked, try file.isForeign() {
      throw file.failure(
        .foreign, "the file is a database of another program; nothing in it was touched")
    }
    let connection = try pool.open(.creating)
    var metadata = try StoreMetadata(connection)
    if metadata == nil, try !isEmpty(connection) {
      throw file.failure(.damaged, "the store's own table '\(StoreCatalogue.metadataTable)' is gone")
    }
    if metadata == nil { metadata = try connection.write { try createUnlessThere(connection) } }
    guard let metadata else { throw file.failure(.damaged, "the store's metadata cannot be read") }
    let current = try checked(metadata, connection)
    try useWriteAheadLog(connection)
    try pool.start(with: connection)
    return Opened(pool: pool, metadata: current)
  }

  /// Another process may have made the store between a look at it and the lock on it.
  private func createUnlessThere(_ connection: Connection) throws -> StoreMetadata {
    if let metadata = try StoreMetadata(connection) { return metadata }
    return try create(connection)
  }

  private func isEmpty(_ connection: Connection) throws -> Bool {
    try connection.rows("SELECT 1 FROM sqlite_schema LIMIT 1").isEmpty
  }

  private func known(_ connection: Connection) throws -> StoreMetadata {
    if let metadata = try StoreMetadata(connection) { return metadata }
    throw file.failure(.foreign, "the file is a database of another program")
  }

  /// Makes the tables of a new store, inside a transaction.
  private func create(_ connection: Connection) throws -> StoreMetadata {
    try connection.execute("PRAGMA application_id = \(number: Int(StoreFile.applicationID))")
    for statement in StoreMetadata.table.statements { try connection.execute(statement) }
    for statement in catalogue.tables.flatMap(\.statements) { try connection.execute(statement) }
    var metadata = StoreMetadata(fingerprint: fingerprint, version: schema.version)
    try StoreMetadata.write(.integer(metadata.format), for: StoreMetadata.Key.format, connection)
    try StoreMetadata.write(.text(metadata.identifier), for: StoreMetadata.Key.identifier, connection)
    try describe(&metadata, connection)
    return metadata
  }

  /// Writes down what the tables are now.
  private func describe(_ metadata: inout StoreMetadata, _ connection: Connection) throws {
    metadata.fingerprint = fingerprint
    metadata.version = schema.version
    metadata.definitions = try definitions(connection)
    let values: [(String, SQLValue)] = [
      (StoreMetadata.Key.fingerprint, .text(fingerprint)),
      (StoreMetadata.Key.version, .text(schema.version.description)),
      (StoreMetadata.Key.schema, .text(try JSONColumn.text(of: schema))),
      (StoreMetadata.Key.tables, .text(try JSONColumn.text(of: catalogue.tables))),
      (StoreMetadata.Key.definitions, .integer(metadata.definitions)),
    ]
    for (key, value) in values { try StoreMetadata.write(value, for: key, connection) }
  }

  private func definitions(_ connection: Connection) throws -> Int64 {
    guard case .integer(let number)? = try connection.rows("PRAGMA schema_version").first?.first
    else { return 0 }
    return number
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

extension StoreOpener {
  /// Compares a store with the schema and brings it up to date where that takes additions only.
  private func checked(
    _ metadata: StoreMetadata, _ connection: Connection
  ) throws -> StoreMetadata {
    guard metadata.format <= StoreMetadata.currentFormat else {
      throw file.failure(
        .newerFormat, "the store has format \(metadata.format), this library reads up to "
          + "\(StoreMetadata.currentFormat): update the program")
    }
    if metadata.definitions != (try definitions(connection)) {
      try checkDrift(connection)
    }
    if metadata.fingerprint == fingerprint {
      guard metadata.version != schema.version, file.allowsSave else { return metadata }
      return try update(metadata, connection)
    }
    guard metadata.version <= schema.version else {
      throw file.failure(
        .newerSchema, "the store has version \(metadata.version) of the schema, the program "
          + "\(schema.version): update the program")
    }
    return try update(metadata, connection)
  }

  private func update(
    _ metadata: StoreMetadata, _ connection: Connection
  ) throws -> StoreMetadata {
    let difference = try difference(connection)
    guard difference.obstacles.isEmpty else { throw different(difference.obstacles) }
    guard file.allowsSave else {
      // What is missing cannot be read.
      guard difference.changes.isEmpty else { throw different(difference.changes.map(\.summary)) }
      return metadata
    }
    return try connection.write {
      // Another process may have done it meanwhile.
      guard var current = try StoreMetadata(connection) else { return metadata }
      if current.fingerprint != fingerprint {
        let difference = try self.difference(connection)
        guard difference.obstacles.isEmpty else { throw different(difference.obstacles) }
        for change in difference.changes {
          for statement in try change.statements(connection) {
            try apply(statement, of: change, connection)
          }
        }
        try rename(difference.changes, in: &current, connection)
      }
      try describe(&current, connection)
      return current
    }
  }

  private func difference(_ connection: Connection) throws -> CatalogueDifference {
    guard let text = try StoreMetadata.text(for: StoreMetadata.Key.tables, connection),
      let stored = try? JSONColumn.value([TableDefinition].self, from: Data(text.utf8))
    else { throw file.failure(.damaged, "the store does not say what its tables are") }
    return CatalogueDifference(from: stored, to: catalogue)
  }

  private func apply(
    _ statement: SQLFragment, of change: CatalogueDifference.Change, _ connection: Connection
  ) throws {
    do {
      try connection.execute(statement)
    } catch let error as SQLiteError where error.code == .constraint {
      throw different(["\(change.summary): \(error.message)"])
    }
  }

  /// Marks and keys go by the names of tables and columns.
  private func rename(
    _ changes: [CatalogueDifference.Change], in metadata: inout StoreMetadata,
    _ connection: Connection
  ) throws {
    let old = metadata.marks
    for change in changes { metadata.marks = change.renamed(metadata.marks) }
    for mark in metadata.marks.subtracting(old) {
      try StoreMetadata.write(.integer(1), for: mark.key, connection)
    }
    for case .renameTable(let from, let to) in changes {
      let prefix = StoreMetadata.Key.nextPrefix
      let next = try connection.rows(
        """
        SELECT "value" FROM \(name: StoreCatalogue.metadataTable)
        WHERE "key" = \(value: .text(prefix + from))
        """)
      if let value = next.first?.first {
        try StoreMetadata.write(value, for: prefix + to, connection)
      }
    }
  }

  private func different(_ differences: [String]) -> SwiftDataError {
    file.failure(
      .differentSchema, "the store's tables are not those of the schema, and a migration is needed:\n"
        + differences.map { "  - \($0)" }.joined(separator: "\n"))
  }

  /// Compares the tables the store says it has with those it has.
  private func checkDrift(_ connection: Connection) throws {
    guard let text = try StoreMetadata.text(for: StoreMetadata.Key.tables, connection),
      let stored = try? JSONColumn.value([TableDefinition].self, from: Data(text.utf8))
    else { throw file.failure(.damaged, "the store does not say what its tables are") }
    var differences: [String] = []
    for table in stored {
      let columns = try connection.rows("PRAGMA table_info(\(name: table.name))")
      if columns.isEmpty {
        differences.append("table '\(table.name)' is gone")
        continue
      }
      for column in table.columns {
        let found = columns.first { $0[1] == .text(column.name) }
        if found == nil {
          differences.append("column '\(table.name).\(column.name)' is gone")
        } else if found?[2] != .text(column.type.rawValue) {
          differences.append("column '\(table.name).\(column.name)' has another type")
        }
      }
    }
    guard differences.isEmpty else {
      throw file.failure(
        .drifted, "the store was changed by other means:\n"
          + differences.map { "  - \($0)" }.joined(separator: "\n"))
    }
  }
}
