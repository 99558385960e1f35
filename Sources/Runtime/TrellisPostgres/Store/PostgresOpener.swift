import Foundation
package import Trellis

/// Opens a store: finds or creates its tables and migrates them to the current version.
package struct PostgresOpener {
  let configuration: PostgresConfiguration
  let schema: Schema
  let tables: InternalTables
  let pool: PostgresPool
  let versions: ProgramVersions

  var dialect: PostgresDialect { PostgresDialect(engine: configuration.engine) }
  var commits: CommitOrder { CommitOrder(tables: tables, hasSnapshots: configuration.engine.hasSnapshots) }
  private static let oldestServer = 130_000
  /// The advisory lock for creating and migrating tables. An arbitrary number that no other software should use.
  private static let lock: Int64 = 0x5472_656C_6C69_7300

  /// - Throws: ``PostgresError/Code/invalidConfiguration``; `SwiftDataError.unknownSchema` if the schema is missing or
  ///   the plan is not valid.
  package init(_ configuration: PostgresConfiguration, _ plan: (any SchemaMigrationPlan.Type)?) throws {
    guard let schema = configuration.schema else {
      throw SwiftDataError.unknownSchema.explained("configuration '\(configuration.name)' has no schema")
    }
    try self.init(configuration, schema, ProgramVersions(schema, plan))
    if let plan { try PlanRules.check(plan) }
  }

  init(_ configuration: PostgresConfiguration, _ schema: Schema, _ versions: ProgramVersions) throws {
    try configuration.schemaName.map(PostgresName.checkSchema)
    self.configuration = configuration
    self.schema = schema
    self.versions = versions
    pool = try PostgresPool(configuration)
    tables = InternalTables(schemaName: configuration.schemaName)
  }

  /// Finds or creates the store's tables, and migrates them.
  ///
  /// Retries once if the connection is lost, or if a standby cancels a query because the primary has removed the rows.
  /// The metadata then shows whether the migration was committed.
  func open() throws -> PostgresMetadata {
    try PostgresError.repeating {
      try pool.withConnection { try open($0) }
    } after: { error, attempt in
      attempt == 1 && (error.isInterruption || error.isConflict)
    }
  }

  private func open(_ connection: PostgresConnection) throws -> PostgresMetadata {
    try checkServer(connection)
    if let metadata = try read(connection) { return try checked(metadata, connection) }
    guard configuration.allowsSave else {
      throw SwiftDataError.opening(
        .missing, "the database does not contain this store, and 'allowsSave' is false", path: pool.place)
    }
    return try checked(create(connection), connection)
  }

  func checkServer(_ connection: PostgresConnection) throws {
    guard connection.serverVersion >= Self.oldestServer else {
      throw SwiftDataError.opening(
        .other, "the server is PostgreSQL \(connection.serverVersion / 10_000); the store needs 13 or later",
        path: pool.place)
    }
  }

  /// Checks the tables, migrates the store if necessary, and returns its metadata.
  private func checked(
    _ metadata: PostgresMetadata, _ connection: PostgresConnection
  ) throws -> PostgresMetadata {
    var metadata = metadata
    let pending = try pending(
      metadata,
      StoreAccess(isClient: configuration.migration.role == .client, allowsSave: configuration.allowsSave))
    do {
      try drift(of: pending?.metadata).check(connection)
    } catch let error as SwiftDataError {
      // A concurrent process may have migrated the store.
      guard let now = try read(connection), !now.isOfSameMigration(as: metadata) else { throw error }
      return try checked(now, connection)
    }
    if let pending {
      metadata = try PostgresMigrator(opener: self, pending: pending)
        .run(configuration.migration.keepsOlderPrograms ? .expand : nil, connection)
    }
    try findNames(&metadata, connection)
    return metadata
  }

  /// True if the store has this app's version or still supports it.
  func isServed(by metadata: PostgresMetadata) -> Bool {
    let own = PostgresMetadata.Former(version: versions.number, fingerprint: versions.fingerprint)
    return metadata.former.contains(own) || versions.isCurrent(metadata.stored)
  }

  /// The store's pending migration; `nil` if none is required.
  ///
  /// - Throws: `SwiftDataError` with a `SwiftDataError.storeProblem` for newer and unknown versions, and for a missing
  ///   plan.
  func pending(_ metadata: PostgresMetadata, _ access: StoreAccess = .owner) throws -> PendingMigration? {
    if isServed(by: metadata) { return nil }
    let steps = try versions.steps(
      from: metadata.stored, access,
      opensUnknown: configuration.migration.unknownSchema == .openWhenAdditive, path: pool.place)
    guard let steps else { return nil }
    let pending = try PendingMigration(metadata, steps: steps, self)
    try versions.checkPlan(from: metadata.version, path: pool.place)
    return pending
  }

  /// Returns the error for a store that cannot be migrated because a plan is missing.
  func refusal(_ reasons: [String]) -> SwiftDataError {
    var refusal = versions.refusal(reasons)
    if versions.plan == nil, !schema.hasReleases {
      let name: SQLFragment = "\(name: tables.schemaName ?? "public")"
      refusal += """
        . No version of this schema is released yet. During development, 'ALTER SCHEMA \(name.text) RENAME TO old' \
        keeps the rows under a new name, and after 'CREATE SCHEMA \(name.text)' the store is empty
        """
    }
    return .opening(.differentSchema, refusal, path: pool.place)
  }

  // MARK: the metadata

  /// Reads the metadata; `nil` if the tables do not exist.
  func read(_ connection: PostgresConnection) throws -> PostgresMetadata? {
    // The query reads a table, because `to_regclass` alone could use a cache from before the advisory lock was granted.
    let found = try connection.rows(
      """
      SELECT count(*) FROM pg_catalog.pg_class WHERE oid = to_regclass(\(value: .text(dialect.name(tables.metadata))))
      """
    ) { $0.integer(0) }
    guard found == [1] else { return nil }
    let values = try connection.rows("SELECT \"key\", \"value\" FROM \(name: tables.metadata)") { row in
      row.string(0).map { ($0, row.string(1) ?? "") }
    }
    return try PostgresMetadata(Dictionary(values, uniquingKeysWith: { first, _ in first }), place: pool.place)
  }

  /// Finds the epoch under which the history records this schema's names, and adds an epoch if none matches. Several
  /// app versions may use the store, and each may declare the properties in a different order.
  private func findNames(_ metadata: inout PostgresMetadata, _ connection: PostgresConnection) throws {
    let text: SQLFragment = "\(value: .text(HistoryNames(try CatalogueBuilder.catalogue(of: schema).layout).text))"
    let table: SQLFragment = "\(name: tables.names)"
    for _ in 1...Self.mostAttempts {
      metadata.historyEpoch =
        try connection.rows("SELECT max(\"epoch\") FROM \(table) WHERE \"names\" = \(text)") { $0.integer(0) }.first
        ?? 0
      guard metadata.historyEpoch == 0, configuration.allowsSave, configuration.history.isRecorded else { return }
      // If a concurrent process takes the same number, nothing is inserted and the loop tries again.
      try connection.execute([
        "INSERT INTO \(table) SELECT COALESCE(max(\"epoch\"), 0) + 1, \(text) FROM \(table) ON CONFLICT DO NOTHING"
      ])
    }
    throw SwiftDataError.opening(
      .locked, "too many processes are recording their schema names at the same time", path: pool.place)
  }

  /// - Parameter metadata: The metadata of a store with a different version; `nil` for the current version.
  func drift(of metadata: PostgresMetadata? = nil) throws -> TableDrift {
    if let metadata { return TableDrift(try metadata.tables, nil, self) }
    let layout = try layout()
    return TableDrift(layout.tables, layout, self)
  }

  private func layout() throws -> PostgresLayout {
    PostgresLayout(try CatalogueBuilder.catalogue(of: schema), dialect)
  }

  // MARK: a new store

  /// Creates the tables, unless a concurrent process does so first.
  private func create(_ connection: PostgresConnection) throws -> PostgresMetadata {
    try PostgresError.repeating {
      try connection.transaction(PostgresStatement("BEGIN", isPrepared: false)) {
        try lock(connection)
        if let metadata = try read(connection) { return metadata }
        try createSchema(connection)
        try connection.execute(definitions() + firstRows())
        guard let metadata = try read(connection) else {
          throw SwiftDataError.opening(
            .other,
            "the new tables cannot be read: the schema '\(tables.schemaName ?? "")' may not be on the search path",
            path: pool.place)
        }
        return metadata
      }
    } after: { error, attempt in
      // While this process holds the lock, no other process creates the tables.
      if configuration.engine.hasAdvisoryLocks, error.isDuplicateDefinition {
        throw SwiftDataError.opening(
          .foreign,
          "the database has tables with this store's names but lacks '\(StoreCatalogue.metadataTable)': rename "
            + "those tables, or set a different 'schemaName': \(error)", path: pool.place)
      }
      guard error.isDuplicateDefinition || error.isConflict, attempt < Self.mostAttempts else { return false }
      Thread.sleep(forTimeInterval: Double.random(in: 0.01...0.1))
      return true
    }
  }
  private static let mostAttempts = 20

  /// Waits for processes that are creating or migrating the tables, and then holds the lock until the transaction ends.
  func lock(_ connection: PostgresConnection) throws {
    guard configuration.engine.hasAdvisoryLocks else { return }
    try connection.execute(["SELECT pg_advisory_xact_lock(\(value: .integer(Self.lock)))"])
  }

  /// Creates the database schema.
  ///
  /// `CREATE SCHEMA IF NOT EXISTS` requires a privilege on the database even if the schema exists, which a schema
  /// owner may not have.
  private func createSchema(_ connection: PostgresConnection) throws {
    guard let name = tables.schemaName else { return }
    let found = try connection.rows(
      "SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = \(value: .text(PostgresName.shortened(name)))::text"
    ) { $0.integer(0) }
    if found.isEmpty { try connection.execute(["CREATE SCHEMA IF NOT EXISTS \(name: name)"]) }
  }

  /// Returns the statements that create a new store's tables.
  package func definitions() throws -> [SQLFragment] {
    try layout().definitions(hasForeignKeys: hasForeignKeys, tables, dialect) + tables.definitions(commits)
  }

  /// Returns a statement in PostgreSQL's syntax.
  package func text(_ fragment: SQLFragment) -> String { dialect.text(of: fragment) }

  private var hasForeignKeys: Bool { configuration.usesForeignKeys && configuration.engine.defersKeys }

  /// Returns the statements that insert a new store's first metadata rows.
  private func firstRows() throws -> [SQLFragment] {
    let catalogue = try CatalogueBuilder.catalogue(of: schema)
    var values = [
      (HistoryState.key, HistoryState().text), (PostgresMetadata.Key.format, String(PostgresMetadata.currentFormat)),
      (PostgresMetadata.Key.identifier, UUID.unique().uuidString),
      (PostgresMetadata.Key.foreignKeys, hasForeignKeys ? "1" : "0"),
    ]
    values += try PostgresMetadata.description(of: catalogue, version: versions.number, former: [], oldest: nil)
    values += commits.metadata
    return values.map { PostgresMetadata.writing($0, $1, tables) }
      + ["INSERT INTO \(name: tables.names) VALUES (1, \(value: .text(HistoryNames(catalogue.layout).text)))"]
  }
}
