import Foundation

/// A store that keeps models in an SQLite database.
///
/// A container opens a default store for each ``ModelConfiguration``. A tool can read a store with no container:
///
/// ```swift
/// let store = try DefaultStore(ModelConfiguration(schema: Schema(Trip.self), url: url))
/// let all = DataStoreFetchRequest(descriptor: FetchDescriptor<Trip>(), editingState: EditingState())
/// for snapshot in try store.fetch(all).fetchedSnapshots { print(snapshot[\Trip.name] ?? "") }
/// ```
///
/// The file can be read with `sqlite3`. It has a table for each model (a shared table for models that inherit from each
/// other) and a column for each property, with the same names. Any number of contexts, containers and processes may use
/// the file concurrently: there is a single writer at a time, and readers never wait.
public final class DefaultStore: DataStore, DataStoreBatching, ConcurrentDataStore {
  /// The store's configuration type.
  public typealias Configuration = ModelConfiguration
  /// The snapshot type used in requests and results.
  public typealias Snapshot = DefaultSnapshot

  /// The configuration with which the store was opened.
  public let configuration: ModelConfiguration
  /// The configuration name.
  public let name: String
  /// The schema of the store's models.
  public let schema: Schema
  /// The store identifier. It is created with the file and saved in it, so a copy has the same identifier.
  public let identifier: String

  /// The store metadata when the store was opened.
  let metadata: StoreMetadata
  let catalogue: StoreCatalogue
  let plans: StoreStatements
  let pool: ConnectionPool
  let marks: ColumnFlags
  /// The flags saved in the file. After a failed save, ``marks`` may contain more.
  let persistedMarks: ColumnFlags
  let keys: KeyBlocks
  /// The large value files; `nil` if no property stores values externally.
  let files: ExternalFiles?
  /// Records saves; `nil` if history is off.
  let history: HistoryLog?
  /// Decodes recorded changes.
  let decoders = HistoryDecoders()

  /// - Parameters:
  ///   - opened: The open database. A migration opens stores inside its transaction.
  ///   - history: `nil` if saves are not recorded.
  init(
    _ configuration: ModelConfiguration, _ opened: OpenDatabase, keys: KeyBlocks = KeyBlocks(),
    history: HistoryLog? = nil
  ) {
    self.configuration = configuration
    self.name = configuration.name
    self.schema = opened.catalogue.schema
    self.metadata = opened.metadata
    self.catalogue = opened.catalogue
    self.identifier = opened.metadata.identifier
    self.files = opened.files
    self.history = history
    self.plans = StoreStatements(opened.catalogue, store: opened.metadata.identifier, files: opened.files)
    self.pool = opened.pool
    self.marks = ColumnFlags(opened.metadata.marks)
    self.persistedMarks = ColumnFlags(opened.metadata.marks)
    self.keys = keys
  }

  /// Deletes all models and the history. Tokens expire, and identifiers are never reused.
  ///
  /// - Throws: ``SwiftDataError`` and ``SQLiteError`` if writing to the store fails.
  public func erase() throws {
    try checkWritable()
    try writing { connection in
      // All tables are emptied, so no reference can remain, and SQLite need not check each reference.
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

  /// Returns the token for the position after a transaction.
  func token(_ number: Int64) -> DefaultHistoryToken {
    DefaultHistoryToken(store: identifier, position: HistoryPosition(number))
  }

  /// Does nothing: the store keeps no state per context.
  public func initializeState(for editingState: EditingState) {}
  /// Does nothing: the store keeps no state per context.
  public func invalidateState(for editingState: EditingState) {}

  /// Always true: `fetch(_:)` returns pages.
  public var appliesFetchOffset: Bool { true }

  func checkWritable() throws {
    guard configuration.allowsSave else {
      throw SwiftDataError.opening(
        .notWritable, "the store was opened read-only: 'allowsSave' is false",
        path: configuration.url.path)
    }
  }
}

/// An open database that contains a schema's tables.
struct OpenDatabase {
  let pool: ConnectionPool
  let metadata: StoreMetadata
  let catalogue: StoreCatalogue
  var files: ExternalFiles?
}
