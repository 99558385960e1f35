extension StoreSpecification {
  /// Compares a store with the schema and migrates it if they differ.
  func checked(
    _ metadata: StoreMetadata, _ connection: Connection
  ) throws -> StoreMetadata {
    if metadata.definitions != (try connection.definitions()) {
      // A read transaction, because another program may be migrating the store.
      try connection.read { try checkDrift(metadata, connection) }
    }
    if metadata.fingerprint == fingerprint, metadata.version == version, metadata.valueTypes == valueTypes {
      return metadata
    }
    if try isReordered(metadata, connection) { return try numberingProperties(metadata, connection) }
    let isSame = try isSame(metadata, connection)
    if isSame, metadata.version > version {
      // Equal tables may hold values with another meaning. A program without a version number cannot tell.
      guard !isVersionKnown else { throw newerStore(metadata.version) }
      return metadata
    }
    if let plan {
      return try TracedStatement.scope(.migration) {
        try migrated(metadata, connection, plan, isSame: isSame)
      }
    }
    guard metadata.version <= version else { throw newerStore(metadata.version) }
    if !isSame { try checkRole(metadata) }
    return try TracedStatement.scope(.migration) { try update(metadata, connection) }
  }

  /// True if this program may migrate the store.
  var mayChange: Bool { file.allowsSave && configuration.migration.role == .owner }

  func newerStore(_ stored: Schema.Version) -> SwiftDataError {
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

  /// Runs the stage of a store that is opened without a plan.
  func update(
    _ metadata: StoreMetadata, _ connection: Connection
  ) throws -> StoreMetadata {
    guard mayChange else {
      // A missing column cannot be read, nor can a value in another form.
      guard try unplanned(metadata, connection).leavesTables else {
        throw file.failure(
          .differentSchema,
          "the store's tables are not those of the schema:\n"
            + SchemaDifference.text(from: schema, to: try storedSchema(connection)).map { "  - \($0)\n" }.joined()
            + "open it once with a program that may change it")
      }
      return try numberingProperties(metadata, connection)
    }
    return try migrate(metadata, connection) {
      let migrator = try unplanned(metadata, connection)
      if let problem = UnplannedStep.missingPlan(of: schema, from: metadata.version, to: version) {
        throw file.failure(.needsMigration, problem)
      }
      return migrator
    }
  }

  private func unplanned(_ metadata: StoreMetadata, _ connection: Connection) throws -> Migrator {
    let step = UnplannedStep.make(
      from: try storedSchema(connection), columns: try storedColumns(connection), metadata.version,
      fingerprint: metadata.fingerprint, to: schema, version)
    return try Migrator(self, connection, [step], metadata)
  }

  /// True if the store has this version's properties in a different order, and in the same columns. It stays as it is.
  private func isReordered(_ metadata: StoreMetadata, _ connection: Connection) throws -> Bool {
    guard metadata.fingerprint != fingerprint, metadata.version == version else { return false }
    // A concurrent process may be migrating the store.
    return try connection.read {
      try StoreMetadata(connection)?.isOfVersion(of: metadata) == true
        && catalogue.reorders(storedSchema(connection), columns: storedColumns(connection))
    }
  }

  /// The metadata for a program that leaves the store as it is, and whose properties may have a different order. The
  /// history refers to properties by position.
  private func numberingProperties(
    _ metadata: StoreMetadata, _ connection: Connection
  ) throws -> StoreMetadata {
    guard metadata.fingerprint != fingerprint else { return metadata }
    var own = metadata
    own.historyEpoch = try file.allowsSave ? connection.write { try HistoryNames.record(catalogue, connection) } : 0
    return own
  }

  func storedTables(_ connection: Connection) throws -> [TableDefinition] {
    try stored(StoreMetadata.Key.tables, connection)
  }

  /// The columns of the store by class and property.
  func storedColumns(_ connection: Connection) throws -> [String: String] {
    try stored(StoreMetadata.Key.columns, connection)
  }

  func storedSchema(_ connection: Connection) throws -> Schema {
    try stored(StoreMetadata.Key.schema, connection)
  }

  private func stored<T: Codable>(_ key: String, _ connection: Connection) throws -> T {
    if let stored = try StoreMetadata.decoded(T.self, for: key, connection) { return stored }
    throw file.failure(
      .damaged,
      "the store's own table '\(StoreCatalogue.metadataTable)' has no '\(key)' that this library can read; nothing was "
        + "touched: go back to a copy of the store")
  }

  /// Compares the tables of the metadata with those of the database.
  private func checkDrift(_ metadata: StoreMetadata, _ connection: Connection) throws {
    let stored = try storedTables(connection)
    var differences: [String] = []
    for table in stored + HistoryTables.definitions {
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
        .drifted,
        "the store was changed by other means:\n"
          + differences.map { "  - \($0)" }.joined(separator: "\n"))
    }
  }

  /// Migrates a store of another version to the current one by the stages of the plan.
  func migrated(
    _ metadata: StoreMetadata, _ connection: Connection, _ plan: any SchemaMigrationPlan.Type,
    isSame: Bool
  ) throws -> StoreMetadata {
    let versions = MigrationVersions(
      plan, for: schema, fingerprint: fingerprint, number: version)
    guard let target = versions.current else {
      if isSame { return try update(metadata, connection) }
      throw file.failure(
        .unknownSchema,
        "the models of the container are not those of any version of the migration plan: make the "
          + "container of the models of its last version, and freeze a version before its models change")
    }
    if let newest = versions.all.map(\.number).max(), metadata.version > max(newest, version) {
      throw newerStore(metadata.version)
    }
    guard let start = try index(of: metadata, in: versions, connection) else {
      if isSame { return try update(metadata, connection) }
      return try unknown(metadata, versions, connection)
    }
    guard start <= target else { throw newerStore(metadata.version) }
    guard start < target else { return try update(metadata, connection) }
    try checkRole(metadata)
    let steps = try versions.path(from: start, to: target)
    guard file.allowsSave else {
      throw file.failure(
        .needsMigration,
        "the store has version \(versions.all[start].number) of the schema, the program \(version), and "
          + "'allowsSave' is false: open the store once to write it")
    }
    return try migrate(metadata, connection) { try Migrator(self, connection, steps, metadata) }
  }

  /// Runs stages, unless another program has migrated the store meanwhile.
  ///
  /// - Parameter makeMigrator: finds the stages, in a read transaction.
  func migrate(
    _ metadata: StoreMetadata, _ connection: Connection, _ makeMigrator: () throws -> Migrator
  ) throws -> StoreMetadata {
    var now = metadata
    let migrator: Migrator? = try connection.read {
      now = try StoreMetadata(connection) ?? metadata
      return now.isOfVersion(of: metadata) ? try makeMigrator() : nil
    }
    guard let migrator else { return try checked(now, connection) }
    var result = try migrator.run()
    guard result.fingerprint == fingerprint, result.version == version else {
      // Another program has migrated the store to another version.
      return try checked(result, connection)
    }
    if configuration.migration.compacts, migrator.rewritesRows {
      // The migration is committed. The file stays large if a reader or a full disk prevents compaction.
      try? compact(connection, &result)
    }
    return result
  }

  private func compact(_ connection: Connection, _ metadata: inout StoreMetadata) throws {
    try connection.execute("VACUUM")
    metadata.definitions = try connection.definitions()
    try StoreMetadata.write(
      .integer(metadata.definitions), for: StoreMetadata.Key.definitions, connection)
    // The checkpoint truncates the file.
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func index(
    of metadata: StoreMetadata, in versions: MigrationVersions, _ connection: Connection
  ) throws -> Int? {
    // Another program may be migrating the store.
    let schema = try connection.read {
      try StoreMetadata(connection)?.isOfVersion(of: metadata) == true ? storedSchema(connection) : nil
    }
    return versions.index(metadata.fingerprint, metadata.version, schema)
  }

  /// True if a store has the tables, the coded forms and the raw types of the schema.
  func isSame(_ metadata: StoreMetadata, _ connection: Connection) throws -> Bool {
    guard Schema.haveSameValueTypes(metadata.valueTypes, valueTypes) else {
      return (try? unplanned(metadata, connection))?.leavesTables == true
    }
    return metadata.fingerprint == fingerprint
  }

  private func unknown(
    _ metadata: StoreMetadata, _ versions: MigrationVersions, _ connection: Connection
  ) throws -> StoreMetadata {
    if metadata.version > version { throw newerStore(metadata.version) }
    if configuration.migration.unknownSchema == .openWhenAdditive {
      try checkRole(metadata)
      return try update(metadata, connection)
    }
    var text =
      "the schema the store was written with (version \(metadata.version)) is none of the "
      + "migration plan"
    let schema = try storedSchema(connection)
    let nearest = versions.all.map { ($0, SchemaDifference.text(from: $0.schema, to: schema)) }
      .min { $0.1.count < $1.1.count }
    if let (version, lines) = nearest {
      text += "; it differs from version \(version.number) in this:\n"
      text += lines.map { "  - \($0)" }.joined(separator: "\n")
    }
    text +=
      "\nadd that version to the plan; where the program only has more than the store, "
      + "'migration.unknownSchema = .openWhenAdditive' opens it"
    throw file.failure(.unknownSchema, text)
  }
}
