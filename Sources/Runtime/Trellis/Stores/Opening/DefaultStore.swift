import Foundation

/// Keeps models in an SQLite database.
///
/// The file is meant to be read with `sqlite3`: a table per model (one per inheritance chain) with a
/// column per property, under their own names. Any number of contexts, containers and processes may
/// use it at once: one writes at a time, and nobody waits to read.
public final class DefaultStore: DataStore, DataStoreBatching, ConcurrentDataStore {
  /// Where the store is.
  public typealias Configuration = ModelConfiguration
  /// The form in which models are handed over.
  public typealias Snapshot = DefaultSnapshot

  /// The configuration the store was opened with.
  public let configuration: ModelConfiguration
  public let name: String
  public let schema: Schema
  /// Made with the file and kept with it, wherever it goes.
  public let identifier: String

  /// The position before all transactions of the history, which others are made of.
  let origin: DefaultHistoryToken
  /// What the store said of itself when it was opened.
  let metadata: StoreMetadata
  let catalogue: StoreCatalogue
  let plans: StoreStatements
  let pool: ConnectionPool
  let marks: ColumnFlags
  /// Those of ``marks`` that are in the file: a failed save may leave some in memory only.
  let persistedMarks: ColumnFlags
  let keys: KeyBlocks
  /// Large data beside the store; nil where there cannot be any.
  let files: ExternalFiles?
  /// Writes down what is saved; nil where nothing is recorded.
  let history: HistoryLog?
  /// Reads what was written down.
  let historyNames = HistoryNameCache()

  /// Opens the store, or makes it where there is none.
  ///
  /// A store whose schema has gained models, optional or defaulted attributes and indexes since, or
  /// whose names have changed by `originalName`, is brought up to date. For any other difference the
  /// plan says what to do: a store of one of its versions goes through the stages from there to the
  /// current version, all of them or none. A store no version of the plan fits is not touched.
  ///
  /// - Throws: ``SwiftDataError`` with a ``SwiftDataError/storeProblem``.
  public convenience init(
    _ configuration: ModelConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)? = nil
  ) throws {
    try self.init(configuration, migrationPlan: migrationPlan, identifier: nil)
  }

  /// - Parameters:
  ///   - identifier: the identifier of a new store; nil for a random one.
  ///   - version: the version of the schema, where the caller knows it; versions may have equal models.
  ///   - older: an in-memory store whose database this store takes over and migrates. It must not be used afterwards.
  ///   - path: the location of the models, where the configuration does not name it.
  package convenience init(
    _ configuration: ModelConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    identifier: String?, version: Schema.Version? = nil, over older: DefaultStore? = nil, path: String? = nil
  ) throws {
    guard let schema = configuration.schema else {
      throw SwiftDataError.unknownSchema.explained(
        "configuration '\(configuration.name)' has no schema")
    }
    if let migrationPlan { try PlanRules.check(migrationPlan) }
    var catalogue = try CatalogueBuilder.catalogue(of: schema)
    catalogue.layout.formerNames = migrationPlan.map { plan in FormerNames(plan, of: schema).current }
    try schema.checkTransformers()
    let opened = try StoreOpener(
      configuration, schema: schema, catalogue: catalogue, plan: migrationPlan, identifier: identifier,
      version: version, memory: older?.pool, path: path
    ).open()
    self.init(
      configuration, opened,
      keys: KeyBlocks(path: path ?? (configuration.isStoredInMemoryOnly ? nil : configuration.url.path)),
      history: configuration.history.isRecorded && configuration.allowsSave
        ? HistoryLog(
          opened.catalogue, store: opened.metadata.identifier, epoch: opened.metadata.historyEpoch,
          configuration.history) : nil)
    if case .file(let path, _) = pool.place {
      pool.watch = StoreWatch(metadata: opened.metadata, path: path)
    }
  }

  /// - Parameters:
  ///   - opened: the open database; a migration opens stores over the tables of its transaction.
  ///   - history: nil if saves are not recorded.
  ///   - firstSlot: the number of the first statement: two stores over one connection need different numbers.
  init(
    _ configuration: ModelConfiguration, _ opened: StoreOpener.Opened, keys: KeyBlocks = KeyBlocks(),
    history: HistoryLog? = nil, firstSlot: Int = Connection.FixedSlot.allCases.count
  ) {
    self.configuration = configuration
    self.name = configuration.name
    self.schema = opened.catalogue.schema
    self.metadata = opened.metadata
    self.catalogue = opened.catalogue
    self.identifier = opened.metadata.identifier
    self.origin = DefaultHistoryToken(store: opened.metadata.identifier, position: 0)
    self.files = opened.files
    self.history = history
    self.plans = StoreStatements(
      opened.catalogue, store: opened.metadata.identifier, files: opened.files, firstSlot: firstSlot)
    self.pool = opened.pool
    self.marks = ColumnFlags(opened.metadata.marks)
    self.persistedMarks = ColumnFlags(opened.metadata.marks)
    self.keys = keys
  }

  /// Deletes every model, and the history with its tokens; identifiers are not used again.
  public func erase() throws {
    try checkWritable()
    try writing { connection in
      // Every table is emptied, so no reference can be left: checking them one by one is spared.
      try connection.execute("PRAGMA foreign_keys = OFF")
      defer { try? connection.execute("PRAGMA foreign_keys = ON") }
      try connection.write {
        try checkVersion(connection)
        try keys.retire(catalogue.layout, connection)
        for table in catalogue.tables { try connection.execute("DELETE FROM \(name: table.name)") }
        try HistoryLog.forgetAll(connection)
      }
    }
  }

  public func initializeState(for editingState: EditingState) {}
  public func invalidateState(for editingState: EditingState) {}

  /// True: `fetch(_:)` returns pages.
  public var appliesFetchOffset: Bool { true }

  func checkWritable() throws {
    guard configuration.allowsSave else {
      throw SwiftDataError.opening(
        .notWritable, "the store was opened to be read only: 'allowsSave' is false",
        path: configuration.url.path)
    }
  }
}
