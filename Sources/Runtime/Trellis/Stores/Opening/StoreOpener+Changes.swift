extension StoreOpener {
  /// Compares a store with the schema and migrates it if they differ.
  func checked(
    _ metadata: StoreMetadata, _ connection: Connection
  ) throws -> StoreMetadata {
    guard metadata.format <= StoreMetadata.currentFormat else {
      throw file.failure(
        .newerFormat,
        "the store has format \(metadata.format), this library reads up to "
          + "\(StoreMetadata.currentFormat): update the program")
    }
    if metadata.definitions != (try connection.definitions()) {
      // A read transaction, because another program may be migrating the store.
      try connection.read { try checkDrift(metadata, connection) }
    }
    if metadata.fingerprint == fingerprint, metadata.version == version { return metadata }
    let isSame = try isSame(metadata, connection)
    if isSame, metadata.version > version {
      // Equal tables may hold values with another meaning. A program without a version number cannot tell.
      guard !isVersionKnown else { throw newer(metadata.version) }
      return metadata
    }
    if let plan {
      return try TracedStatement.scope(.migration) {
        try migrated(metadata, connection, plan, isSame: isSame)
      }
    }
    if isSame, !mayChange { return metadata }
    guard metadata.version <= version else { throw newer(metadata.version) }
    if !isSame { try checkRole(metadata) }
    return try TracedStatement.scope(.migration) { try update(metadata, connection) }
  }

  /// True if this program may migrate the store.
  var mayChange: Bool { file.allowsSave && configuration.migration.role == .owner }

  func newer(_ stored: Schema.Version) -> SwiftDataError {
    file.failure(
      .newerSchema,
      "the store has version \(stored) of the schema, the program \(version): update the program")
  }

  func checkRole(_ metadata: StoreMetadata) throws {
    guard configuration.migration.role == .client else { return }
    throw file.failure(
      .needsMigration,
      "the store has version \(metadata.version) of the schema, the program \(version), and this program "
        + "is a client of the store: open it once with the program that owns it ('migration.role' is "
        + "'.owner' there)")
  }

  /// Runs the inferred stage.
  func update(
    _ metadata: StoreMetadata, _ connection: Connection
  ) throws -> StoreMetadata {
    guard file.allowsSave else {
      // A missing column cannot be read.
      let stage = try InferredStage(self, metadata, connection)
      if let problem = stage.problem { throw problem }
      return metadata
    }
    return try migrate(metadata, connection) {
      try Migrator(self, connection, inferring: InferredStage(self, metadata, connection), metadata)
    }
  }

  func storedTables(_ connection: Connection) throws -> [TableDefinition] {
    guard let stored = try StoreMetadata.decoded([TableDefinition].self, for: StoreMetadata.Key.tables, connection)
    else { throw file.failure(.damaged, "the store does not say what its tables are") }
    return stored
  }

  /// Compares the tables of the metadata with those of the database.
  private func checkDrift(_ metadata: StoreMetadata, _ connection: Connection) throws {
    let stored = try storedTables(connection)
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
    if metadata.historyEpoch > 0 {
      for name in [HistoryTables.transactions, HistoryTables.tombstones, HistoryTables.names]
      where try connection.rows("PRAGMA table_info(\(name: name))").isEmpty {
        differences.append("table '\(name)' is gone")
      }
    }
    guard differences.isEmpty else {
      throw file.failure(
        .drifted,
        "the store was changed by other means:\n"
          + differences.map { "  - \($0)" }.joined(separator: "\n"))
    }
  }
}
