import Foundation

/// Keeps models in an SQLite database.
///
/// The file can be read with `sqlite3`: it has a table per model (one per inheritance chain) with a column per property,
/// under their own names. Any number of contexts, containers and processes may use it at the same time: one writes at a
/// time, and readers never wait.
public final class DefaultStore: DataStore, DataStoreBatching, ConcurrentDataStore {
  /// Where the store is.
  public typealias Configuration = ModelConfiguration
  /// The form in which requests and results contain models.
  public typealias Snapshot = DefaultSnapshot

  /// The configuration the store was opened with.
  public let configuration: ModelConfiguration
  public let name: String
  public let schema: Schema
  /// Created with the file and stored in it, so a copy has the same identifier.
  public let identifier: String

  /// The metadata of the store when it was opened.
  let metadata: StoreMetadata
  let catalogue: StoreCatalogue
  let plans: StoreStatements
  let pool: ConnectionPool
  let marks: ColumnFlags
  /// The flags that are in the file. After a failed save, ``marks`` may have more.
  let persistedMarks: ColumnFlags
  let keys: KeyBlocks
  /// The files of large values; nil if no property can have one.
  let files: ExternalFiles?
  /// Records saves; nil if the store records none.
  let history: HistoryLog?
  /// Decodes recorded changes.
  let decoders = HistoryDecoders()

  /// - Parameters:
  ///   - opened: the open database; a migration opens stores over the tables of its transaction.
  ///   - history: nil if saves are not recorded.
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

  /// Deletes all models and the history. Tokens expire, and identifiers are not used again.
  ///
  /// - Throws: ``SwiftDataError`` and ``SQLiteError`` if the store cannot be written.
  public func erase() throws {
    try checkWritable()
    try writing { connection in
      // All tables are emptied, so no reference can remain, and SQLite need not check each one.
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

  /// The token of the position after a transaction.
  func token(_ number: Int64) -> DefaultHistoryToken {
    DefaultHistoryToken(store: identifier, position: HistoryPosition(number))
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

/// An open database with the tables of a schema.
struct OpenDatabase {
  let pool: ConnectionPool
  let metadata: StoreMetadata
  let catalogue: StoreCatalogue
  var files: ExternalFiles?
}
