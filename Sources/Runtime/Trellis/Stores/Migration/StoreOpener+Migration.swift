extension StoreOpener {
  /// The version of a plan that has the models of a schema.
  static func version(
    of schema: Schema, in plan: any SchemaMigrationPlan.Type
  ) -> (any VersionedSchema.Type)? {
    plan.schemas.last { version in
      var isFound = false
      for model in version.models {
        guard let entity = schema.entitiesByName[model._$definition.entityName] else { continue }
        guard entity.definition === model._$definition else { return false }
        isFound = true
      }
      return isFound
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
      if isSame { return mayChange ? try update(metadata, connection) : metadata }
      throw file.failure(
        .unknownSchema,
        "the models of the container are not those of any version of the migration plan: make the "
          + "container of the models of its last version, and freeze a version before its models change")
    }
    if let newest = versions.all.map(\.number).max(), metadata.version > max(newest, version) {
      throw newer(metadata.version)
    }
    guard let start = try index(of: metadata, in: versions, connection) else {
      if isSame { return mayChange ? try update(metadata, connection) : metadata }
      return try unknown(metadata, versions, connection)
    }
    guard start <= target else { throw newer(metadata.version) }
    guard start < target else { return mayChange ? try update(metadata, connection) : metadata }
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
    let schema = try storedSchema(connection)
    if let schema, !schema.notesForms, versions.all.contains(where: \.hasForms) {
      let fingerprints = [metadata.fingerprint, SchemaFingerprint.text(of: schema)]
      return versions.index(beforeForms: fingerprints, metadata.version)
    }
    if let index = versions.index(metadata.fingerprint, metadata.version) { return index }
    // An earlier release may have computed fingerprints in another way.
    guard let schema else { return nil }
    return versions.index(SchemaFingerprint.text(of: schema), metadata.version)
  }

  /// True if a store has the tables and the coded forms of the schema.
  ///
  /// A store from before coded forms were part of the fingerprint records none: its version number decides.
  func isSame(_ metadata: StoreMetadata, _ connection: Connection) throws -> Bool {
    if metadata.fingerprint == fingerprint { return true }
    guard metadata.version == version, !schema.codedForms.isEmpty,
      metadata.fingerprint == SchemaFingerprint.text(of: schema, notingForms: false),
      let stored = try storedSchema(connection)
    else { return false }
    return !stored.notesForms
  }

  func storedSchema(_ connection: Connection) throws -> Schema? {
    try StoreMetadata.decoded(Schema.self, for: StoreMetadata.Key.schema, connection)
  }

  private func unknown(
    _ metadata: StoreMetadata, _ versions: MigrationVersions, _ connection: Connection
  ) throws -> StoreMetadata {
    if metadata.version > version { throw newer(metadata.version) }
    if configuration.migration.unknownSchema == .openWhenAdditive {
      try checkRole(metadata)
      return try update(metadata, connection)
    }
    var text =
      "the schema the store was written with (version \(metadata.version)) is none of the "
      + "migration plan"
    if let schema = try storedSchema(connection) {
      let nearest = versions.all.map { ($0, SchemaDifference.text(from: $0.schema, to: schema)) }
        .min { $0.1.count < $1.1.count }
      if let (version, lines) = nearest {
        text += "; it differs from version \(version.number) in this:\n"
        text += lines.map { "  - \($0)" }.joined(separator: "\n")
      }
    }
    text +=
      "\nadd that version to the plan; where the program only has more than the store, "
      + "'migration.unknownSchema = .openWhenAdditive' opens it"
    throw file.failure(.unknownSchema, text)
  }
}
