import Synchronization
public import Trellis

/// Stores models in a PostgreSQL database.
///
/// The database has the same tables as a `DefaultStore` file: one per model or inheritance chain, with a column per
/// property. Any number of processes may use the store at the same time. Contexts behave as they do with a file.
///
/// A container opens the store for a ``PostgresConfiguration``. Open it directly for tasks that need no context, such
/// as a check at deployment:
///
/// ```swift
/// var configuration = PostgresConfiguration(
///   schema: Schema([Trip.self]), url: "postgres://trips@db.example.com/trips")
/// configuration.allowsSave = false
/// do {
///   print("store \(try PostgresStore(configuration).identifier) is ready")
/// } catch let error as SwiftDataError where error.storeProblem == .missing {
///   print("the database does not contain the store")
/// }
/// ```
///
/// Any function may block until the server responds. Do not use the store's contexts in an `async` function; use
/// `ModelContainer.performBackgroundTask(_:)` or a `ModelActor` there.
public final class PostgresStore: DataStore, ConcurrentDataStore {
  /// The configuration type.
  public typealias Configuration = PostgresConfiguration
  /// The type that represents models in requests and results.
  public typealias Snapshot = DefaultSnapshot

  /// The configuration that opened the store.
  public let configuration: PostgresConfiguration
  /// The store's models.
  public let schema: Schema
  /// The store's identifier, which is generated when the tables are created and stored in the database.
  public let identifier: String

  let catalogue: StoreCatalogue
  package let layout: PostgresLayout
  package let plans: StoreStatements
  let dialect: PostgresDialect
  package let pool: PostgresPool
  let keys = PostgresKeys()
  /// The columns that may contain NaN.
  package let flags: ColumnFlags
  package let tables: InternalTables
  /// Records saves; `nil` if the store records no history.
  let history: HistoryLog?
  /// Generates this store's save identifiers.
  let saves = SaveNumbers()
  /// The history epoch that the store last read. Tokens from earlier epochs are expired.
  let epoch = Atomic<Int64>(0)
  /// The number of migrations that have excluded earlier app versions, as last read.
  let generation: Atomic<Int64>
  /// The error that all calls throw once a migration has excluded this app version; `nil` until then.
  private let exclusion = Mutex<SwiftDataError?>(nil)
  private let opener: PostgresOpener
  /// The last check for external commits; `nil` before the first check.
  let lastLook = Mutex<HistoryMoment?>(nil)
  /// True if the last check found external commits.
  let foundCommits = Atomic<Bool>(false)
  let notifier = PostgresNotifier()
  /// False after the server has rejected COPY for a table.
  let copiesRows = Atomic<Bool>(true)
  /// The decoders for recorded changes, one for each schema version.
  let decoders = HistoryDecoders()

  /// Opens the store, or creates it.
  ///
  /// - Parameters:
  ///   - configuration: The store's configuration, which must have a schema.
  ///   - migrationPlan: The plan that migrates a store with an older schema version; `nil` to accept only changes that
  ///     lose no values.
  /// - Throws: ``PostgresError`` if the server cannot be used; `SwiftDataError` with a `SwiftDataError.storeProblem`
  ///   if the tables belong to a different schema.
  public convenience init(
    _ configuration: PostgresConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)? = nil
  ) throws {
    let opener = try PostgresOpener(configuration, migrationPlan)
    let metadata = try opener.open()
    self.init(opener, metadata, try CatalogueBuilder.catalogue(of: opener.schema))
    // An app that has no privilege to read the history would otherwise miss external saves and receive no error.
    try reading { _ = try lastNumber($0) }
    if configuration.allowsSave { try reading { _ = try moment($0) } }
  }

  /// Creates a store from metadata that was read from its tables.
  init(_ opener: PostgresOpener, _ metadata: PostgresMetadata, _ catalogue: StoreCatalogue) {
    let configuration = opener.configuration
    let catalogue = catalogue.renamingTables(opener.tables.qualified)
    self.configuration = configuration
    self.opener = opener
    self.catalogue = catalogue
    schema = catalogue.schema
    dialect = opener.dialect
    layout = PostgresLayout(catalogue, opener.dialect)
    pool = opener.pool
    tables = opener.tables
    identifier = metadata.identifier
    generation = Atomic(metadata.generation)
    plans = StoreStatements(catalogue, store: metadata.identifier, dialect: dialect)
    flags = layout.flags
    history =
      configuration.history.isRecorded && configuration.allowsSave
      ? HistoryLog(
        catalogue, epoch: metadata.historyEpoch, retaining: configuration.history.retention.limit, dialect: dialect)
      : nil
  }

  public func initializeState(for editingState: EditingState) {}
  public func invalidateState(for editingState: EditingState) {}

  /// True: `fetch(_:)` applies the offset.
  public var appliesFetchOffset: Bool { true }

  /// True: saves enforce unique constraints.
  public var enforcesUniqueConstraints: Bool { true }

  /// Deletes all models and the history. Identifiers are not reused.
  ///
  /// - Throws: ``PostgresError`` if the server rejects the deletion.
  public func erase() throws {
    try checkWritable()
    let all = catalogue.tables.map { "\(name: $0.name)" as SQLFragment } + tables.history.map { "\(name: $0)" }
    try pool.withConnection { connection in
      try changeHistory(connection) { state in
        try lockHistory(connection)
        let last = try max(lastNumber(connection), state.floor)
        try connection.execute(["TRUNCATE \(all.joined(separator: ", "))"])
        state.startEpoch(after: last)
        state.floor = last
      }
    }
  }

  /// Fails if a migration has excluded this app version since the store was opened.
  ///
  /// - Throws: `SwiftDataError` with `StoreProblem.newerSchema`.
  func checkGeneration() throws { try pool.withConnection { try checkGeneration($0) } }

  /// Fails if a table or column is missing because of a migration or a change by other means.
  ///
  /// - Throws: `SwiftDataError` with `StoreProblem.newerSchema` or `StoreProblem.drifted`.
  func checkTables() throws {
    try pool.withConnection { connection in
      let drift = Result { try opener.drift().check(connection) }
      try checkGeneration(connection)
      try drift.get()
    }
  }

  func checkGeneration(_ connection: PostgresConnection) throws {
    guard let metadata = try opener.read(connection) else { return }
    guard opener.isServed(by: metadata) else {
      let error = SwiftDataError.opening(
        .newerSchema,
        "the store was migrated to schema version \(metadata.version), which requires app version \(metadata.minimum) "
          + "or later, but this app has version \(opener.versions.number): update the app",
        path: pool.place)
      exclusion.withLock { $0 = error }
      throw error
    }
    generation.store(metadata.generation, ordering: .relaxed)
  }

  /// Fails if a detected migration has excluded this app version. The tables may have the same names as before but
  /// contain values with a different meaning.
  func checkExclusion() throws { if let error = exclusion.withLock({ $0 }) { throw error } }

  func checkWritable() throws {
    try checkExclusion()
    guard configuration.allowsSave else {
      throw SwiftDataError.opening(
        .notWritable, "the store was opened read-only: 'allowsSave' is false", path: pool.place)
    }
  }
}

extension PostgresStore: TableStore {
  package var allowsSave: Bool { configuration.allowsSave }
  package var recordsHistory: Bool { history != nil }
  package var streams: Bool { false }
}

extension PostgresStore {
  /// The number of calls that are waiting for a connection, for tests.
  package var waitingCalls: Int { pool.waitingCalls }
}
