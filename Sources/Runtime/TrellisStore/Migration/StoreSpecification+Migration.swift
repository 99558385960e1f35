extension StoreSpecification {
  var storeAccess: StoreAccess {
    StoreAccess(isClient: configuration.migration.role == .client, allowsSave: file.allowsSave)
  }

  /// Compares the store with the schema and migrates it if they differ.
  func checked(_ metadata: StoreMetadata, _ connection: Connection) throws -> StoreMetadata {
    func stored(_ metadata: StoreMetadata) -> StoredVersion {
      StoredVersion(metadata.version, metadata.fingerprint, metadata.valueTypes) {
        try self.stored(StoreMetadata.Key.schema, connection)
      }
    }
    if versions.isCurrent(stored(metadata)), metadata.definitions == (try connection.definitions()) {
      return metadata
    }
    return try TracedStatement.scope(.migration) {
      var now = metadata
      // Uses a read transaction, because a concurrent process may be migrating the store.
      let migrator: Migrator? = try connection.read {
        now = try StoreMetadata(connection) ?? metadata
        if now.definitions != (try connection.definitions()) { try checkDrift(connection) }
        let steps = try versions.steps(
          from: stored(now), storeAccess,
          opensUnknown: configuration.migration.unknownSchema == .openWhenAdditive, path: file.path)
        guard let steps else { return nil }
        let migrator = try Migrator(self, connection, steps, now)
        try versions.checkPlan(from: now.version, path: file.path)
        return migrator
      }
      guard let migrator else { return now }
      var result = try migrator.run()
      // A concurrent process may have migrated the store to a different version.
      guard versions.isCurrent(stored(result)) else { return try checked(result, connection) }
      if configuration.migration.compacts, migrator.rewritesRows {
        // The migration is committed. The file remains large if a reader or a full disk prevents compaction.
        _ = try? connection.compact()
        result.definitions = try connection.definitions()
      }
      return result
    }
  }

  private func stored<T: Codable>(_ key: String, _ connection: Connection) throws -> T {
    if let stored = try StoreMetadata.decoded(T.self, for: key, connection) { return stored }
    throw file.failure(
      .damaged,
      "the store's own table '\(StoreCatalogue.metadataTable)' has no '\(key)' value that this library can read; "
        + "nothing was touched: restore a copy of the store")
  }

  /// Compares the recorded tables with the actual tables.
  private func checkDrift(_ connection: Connection) throws {
    let tables: [TableDefinition] = try stored(StoreMetadata.Key.tables, connection)
    let differences = try connection.driftedColumns(of: tables + HistoryTables.definitions)
    guard differences.isEmpty else {
      throw file.failure(
        .drifted,
        "the store was changed by other means:\n"
          + differences.map { "  - \($0)" }.joined(separator: "\n"))
    }
  }
}
