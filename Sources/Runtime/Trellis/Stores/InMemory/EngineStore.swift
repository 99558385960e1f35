import CSQLite
import Foundation

/// A store of another module that keeps its models in an in-memory ``DefaultStore`` while it is open. Contexts read and
/// save through that one directly.
package protocol EngineStore: DataStore, HistoryProviding {
  var engine: DefaultStore { get }
  var allowsSave: Bool { get }
}

/// The configuration of an ``EngineStore``. Two configurations of a container must not name one file.
package protocol EngineConfiguration: DataStoreConfiguration {
  var url: URL { get }
}

extension DefaultStore {
  /// Runs `body` with the connection for writing.
  package func exclusively<T>(
    for purpose: TracedStatement.Purpose = .other, _ body: (Connection) throws -> T
  ) throws -> T {
    try pool.exclusively(for: purpose, body)
  }

  /// True if both stores have the same models.
  package func hasSchema(_ other: Schema) -> Bool {
    SchemaFingerprint.text(of: schema) == SchemaFingerprint.text(of: other)
  }

  /// The last version of a plan that has the models of a schema.
  package static func version(
    of schema: Schema, in plan: any SchemaMigrationPlan.Type
  ) -> Schema.Version? {
    StoreSpecification.version(of: schema, in: plan)?.versionIdentifier
  }

  /// Runs the stages of a plan over the models of this in-memory store, which must not be used afterwards. The history
  /// does not follow.
  ///
  /// - Parameters:
  ///   - configuration: of the new store, with its schema.
  ///   - path: the file that errors name.
  package func migrated(
    by plan: any SchemaMigrationPlan.Type, to configuration: ModelConfiguration, path: String
  ) throws -> DefaultStore {
    guard let schema = configuration.schema, let last = plan.schemas.last else { return self }
    // Steps may concern models that the new store does not keep.
    var whole = configuration
    whole.schema = Schema(versionedSchema: last)
    var engine = try DefaultStore(whole, migrationPlan: plan, identifier: nil, over: self, path: path)
    if !engine.hasSchema(schema) {
      let part = try DefaultStore(configuration, identifier: engine.identifier, path: path)
      try part.load(
        engine.allSnapshots().filter { $0.entityName.map { schema.entitiesByName[$0] != nil } ?? false }, nextKeys: [:])
      engine = part
    }
    try engine.pool.write { connection in
      try connection.execute("DELETE FROM \(name: HistoryTables.transactions)")
    }
    return engine
  }

  /// The next free keys of older models under the names of today.
  package func renamedTables(
    _ nextKeys: [String: Int64], _ plan: any SchemaMigrationPlan.Type
  ) -> [String: Int64] {
    let names = FormerNames(plan, of: schema)
    let tables = Set(catalogue.layout.entities.map(\.table))
    return Dictionary(
      nextKeys.map { (tables.contains($0) ? $0 : names.current($0) ?? $0, $1) }, uniquingKeysWith: max)
  }

  /// The names of the models for ``HistoryExchange``.
  package var modelNames: HistoryModelNames { HistoryModelNames(catalogue.layout) }

  // MARK: commits

  /// Has a row while the transaction has changed a model.
  private static let touched = "trellis_touched"

  /// Calls `body` before each commit, with whether the transaction has changed a model. If it throws, the transaction is
  /// rolled back.
  package func onCommit(_ body: @escaping (Connection, _ isTouched: Bool) throws -> Void) throws {
    try exclusively { connection in
      try connection.execute("PRAGMA temp_store = MEMORY")
      try connection.execute("CREATE TEMP TABLE \(name: Self.touched) (\"isTouched\" INTEGER)")
      for table in catalogue.tables {
        for event in ["INSERT", "UPDATE", "DELETE"] as [SQLFragment] {
          // "OR IGNORE" would take the conflict policy of the statement that sets off the trigger.
          try connection.execute(
            """
            CREATE TEMP TRIGGER \(name: "trellis_\(table.name)_\(event.text)") AFTER \(event) ON main.\(name: table.name)
            WHEN NOT EXISTS (SELECT 1 FROM \(name: Self.touched))
            BEGIN INSERT INTO \(name: Self.touched) VALUES (1); END
            """)
        }
      }
      connection.beforeCommit = { connection in
        // The statements belong to the operation that commits.
        try TracedStatement.scope(connection.trace?.purpose ?? .save) {
          // SQLite reports a transaction that it cannot commit.
          guard !connection.hasDanglingReferences else { return }
          let isTouched = try !connection.rows("SELECT 1 FROM \(name: Self.touched)").isEmpty
          try body(connection, isTouched)
          if isTouched { try connection.execute("DELETE FROM \(name: Self.touched)") }
        }
      }
    }
  }

  /// Runs a transaction without changes, so that the body of ``onCommit(_:)`` is called.
  package func commit() throws {
    try exclusively { connection in try connection.write {} }
  }

  /// The next free key of each table.
  package func nextKeys(_ connection: Connection) throws -> [String: Int64] {
    let taken = keys.state
    var next: [String: Int64] = [:]
    for table in Set(catalogue.layout.entities.map(\.table)) {
      if let block = taken[table] {
        next[table] = block.next
        continue
      }
      next[table] = try connection.integers(
        """
        SELECT "value" FROM \(name: StoreCatalogue.metadataTable)
        WHERE "key" = \(value: .text(StoreMetadata.Key.nextPrefix + table))
        """
      ).first
    }
    return next
  }
}

extension Connection {
  fileprivate var hasDanglingReferences: Bool {
    var count: Int32 = 0
    var peak: Int32 = 0
    sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &count, &peak, 0)
    return count != 0
  }
}
