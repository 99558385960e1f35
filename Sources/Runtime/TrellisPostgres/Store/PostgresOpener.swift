import Foundation
import Trellis

/// What the store says of itself.
struct PostgresMetadata {
  /// Grows when older versions of this library could no longer use the tables.
  static let currentFormat = 1

  enum Key {
    static let format = "format"
    static let identifier = "identifier"
    static let fingerprint = "fingerprint"
    static let version = "version"
    static let schema = "schema"
    /// The last transaction that was forgotten.
    static let historyFloor = "history floor"
  }

  let identifier: String
  let fingerprint: String
  let version: Schema.Version
  var historyEpoch: Int64 = 0

  /// - Throws: ``SwiftDataError`` for tables of a newer version of this library, and for a damaged table.
  init(_ values: [String: String], place: String) throws {
    guard let format = values[Key.format].flatMap({ Int($0) }), let identifier = values[Key.identifier],
      let fingerprint = values[Key.fingerprint], let version = values[Key.version]
    else {
      throw SwiftDataError.opening(
        .damaged,
        "the table '\(StoreCatalogue.metadataTable)' lacks what the store says of itself; go back to a backup",
        path: place)
    }
    guard format <= Self.currentFormat else {
      throw SwiftDataError.opening(
        .newerFormat,
        "the tables were written by a newer version of this library (format \(format)); update the program", path: place
      )
    }
    self.identifier = identifier
    self.fingerprint = fingerprint
    self.version = Schema.Version(text: version)
  }
}

/// Opens the tables of a store: finds them or creates them.
struct PostgresOpener {
  let configuration: PostgresConfiguration
  let schema: Schema
  let catalogue: StoreCatalogue
  let layout: PostgresLayout
  let tables: InternalTables
  let pool: PostgresPool
  let plan: (any SchemaMigrationPlan.Type)?

  private var dialect: PostgresDialect { PostgresDialect(engine: configuration.engine) }
  private var engine: Capabilities { configuration.engine }
  private static let oldestServer = 130_000
  /// The lock under which tables are created and migrated; any number that other programs do not use.
  private static let lock: Int64 = 0x5472_656C_6C69_7300

  func open() throws -> PostgresMetadata {
    try pool.withConnection { connection in
      guard connection.serverVersion >= Self.oldestServer else {
        throw SwiftDataError.opening(
          .other, "the server is PostgreSQL \(connection.serverVersion / 10_000); the store needs 13 or later",
          path: pool.place)
      }
      if let metadata = try read(connection) { return try checked(metadata) }
      guard configuration.allowsSave else {
        throw SwiftDataError.opening(
          .missing, "the database has no tables of this store, and 'allowsSave' is false", path: pool.place)
      }
      return try checked(create(connection))
    }
  }

  /// Nil if the tables do not exist.
  private func read(_ connection: PostgresConnection) throws -> PostgresMetadata? {
    var exists = false
    // Without a table in FROM, the server could answer from its cache, which lacks what was committed since the transaction
    // began to wait for the advisory lock.
    try connection.run(
      PostgresStatement(
        """
        SELECT count(*) FROM pg_catalog.pg_class
        WHERE oid = to_regclass(\(value: .text(dialect.name(tables.metadata))))
        """, dialect, isPrepared: false)
    ) { exists = $0.integer(0) == 1 }
    guard exists else { return nil }
    var values: [String: String] = [:]
    try connection.run(
      PostgresStatement("SELECT \"key\", \"value\" FROM \(name: tables.metadata)", dialect, isPrepared: false)
    ) { row in
      if let key = row.string(0) { values[key] = row.string(1) }
    }
    if values.isEmpty, !engine.definesInTransactions { return nil }
    var metadata = try PostgresMetadata(values, place: pool.place)
    try connection.run(
      PostgresStatement("SELECT max(\"epoch\") FROM \(name: tables.names)", dialect, isPrepared: false)
    ) { metadata.historyEpoch = $0.integer(0) ?? 0 }
    return metadata
  }

  private func checked(_ metadata: PostgresMetadata) throws -> PostgresMetadata {
    guard metadata.fingerprint == SchemaFingerprint.text(of: schema) else {
      throw SwiftDataError.opening(
        .differentSchema,
        "the tables were made for version \(metadata.version) of the schema, which differs from that of the program",
        path: pool.place)
    }
    return metadata
  }

  /// Creates the tables, unless another program does so at the same time.
  private func create(_ connection: PostgresConnection) throws -> PostgresMetadata {
    guard engine.definesInTransactions else { return try createInSteps(connection) }
    var attempt = 1
    while true {
      do {
        return try createAtOnce(connection)
      } catch let error as PostgresError {
        let hasCompetitor = !engine.hasAdvisoryLocks && (error.isDuplicateDefinition || error.isConflict)
        guard hasCompetitor, attempt < Self.mostAttempts else { throw error }
        attempt += 1
        Thread.sleep(forTimeInterval: Double.random(in: 0.01...0.1))
      }
    }
  }
  private static let mostAttempts = 20

  private func createAtOnce(_ connection: PostgresConnection) throws -> PostgresMetadata {
    try connection.run([PostgresStatement("BEGIN", isPrepared: false)])
    do {
      if engine.hasAdvisoryLocks {
        try connection.run([
          PostgresStatement("SELECT pg_advisory_xact_lock(\(value: .integer(Self.lock)))", dialect, isPrepared: false)
        ])
      }
      if let metadata = try read(connection) {
        try connection.run([PostgresStatement.rollback])
        return metadata
      }
      try connection.run((definitions + (try firstRows())).map { PostgresStatement($0, dialect, isPrepared: false) })
      let metadata = try created(connection)
      try connection.run([PostgresStatement.commit])
      return metadata
    } catch {
      try? connection.run([PostgresStatement.rollback])
      throw error
    }
  }

  /// Creates what does not exist yet, one by one. The tables are those of a store when the metadata has rows.
  private func createInSteps(_ connection: PostgresConnection) throws -> PostgresMetadata {
    for definition in definitions {
      do {
        try connection.run([PostgresStatement(definition, dialect, isPrepared: false)])
      } catch let error as PostgresError where error.isDuplicateDefinition {
        // Another program has created it, at this time or before it has ended too early.
      }
    }
    // One transaction. Those of other programs change nothing after it.
    let rows = try firstRows().map { PostgresStatement("\($0) ON CONFLICT DO NOTHING", dialect, isPrepared: false) }
    try connection.run(rows)
    return try created(connection)
  }

  private func created(_ connection: PostgresConnection) throws -> PostgresMetadata {
    guard let metadata = try read(connection) else {
      throw SwiftDataError.opening(
        .other,
        "the new tables cannot be read: the schema '\(tables.schemaName ?? "")' may not be on the search path",
        path: pool.place)
    }
    return metadata
  }

  private var definitions: [SQLFragment] {
    var all: [SQLFragment] = []
    if let name = tables.schemaName { all.append("CREATE SCHEMA IF NOT EXISTS \(name: name)") }
    let hasForeignKeys = configuration.usesForeignKeys && engine.defersKeys && engine.distribution != .byRow
    return all + layout.definitions(hasForeignKeys: hasForeignKeys, dialect) + tables.definitions(engine)
  }

  /// The rows of a new store.
  private func firstRows() throws -> [SQLFragment] {
    let version = plan?.schemas.last?.versionIdentifier ?? schema.storedVersion
    let values = [
      (HistoryState.key, HistoryState().text), (PostgresMetadata.Key.format, String(PostgresMetadata.currentFormat)),
      (PostgresMetadata.Key.identifier, UUID.unique().uuidString),
      (PostgresMetadata.Key.fingerprint, SchemaFingerprint.text(of: schema)),
      (PostgresMetadata.Key.version, version.description),
      (PostgresMetadata.Key.schema, try JSONColumn.text(of: schema)),
    ]
    var all: [SQLFragment] = []
    for (key, value) in values + CommitOrder(engine: engine, tables: tables).metadata {
      all.append("INSERT INTO \(name: tables.metadata) VALUES (\(value: .text(key)), \(value: .text(value)))")
    }
    all.append("INSERT INTO \(name: tables.names) VALUES (1, \(value: .text(HistoryNames(catalogue.layout).text)))")
    return all
  }
}
