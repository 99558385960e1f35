import Foundation
public import Trellis

/// Keeps models in one JSON file, for data that people read, compare or put under version control.
///
/// The file has one line for each model, in the order in which they were made. While the store is open, an in-memory
/// `DefaultStore` holds the models: predicates, sort orders, unique constraints and relationships work as they do there.
/// Each save writes the whole file, which suits a few thousand models.
///
/// A save replaces the file at once or leaves it as it was. The former file stays beside it as `<name>.previous`. Mode,
/// owner and group stay, as far as the user may set them. While a program has the store open, no other program can open
/// it to write: that one waits a second and then throws `StoreProblem.locked`. A file that is damaged or of another schema
/// is reported and never overwritten.
///
/// A save creates a deleted file again, because its contents are in memory. If another program has changed or replaced the
/// file, saves throw `StoreProblem.drifted`: a new container works with the new contents. Once that file is moved away,
/// the old container saves again.
///
/// The file keeps values that the program does not know, enum cases of a property with `.unknown(.default)` and members of
/// structs, until the property is given another value. Properties and models that the schema does not have are an error.
///
/// With a migration plan the file states its version of the schema. A file of an older version goes through the stages
/// when it is opened, see `SnapshotMigration`, and a copy of it stays as `<name>.backup-<version>`. A file that was never
/// opened with a plan has no version and is read by names.
public final class JSONFileStore: DataStoreBatching, ConcurrentDataStore {
  /// Where the store is.
  public typealias Configuration = JSONFileConfiguration
  /// The form in which models are handed over.
  public typealias Snapshot = DefaultSnapshot

  /// The configuration the store was opened with.
  public let configuration: JSONFileConfiguration
  /// The models of the store.
  public let schema: Schema
  /// Made with the file and kept in it.
  public var identifier: String { engine.identifier }

  /// Shared by the containers of this program.
  private let file: OpenJSONFile
  /// Holds the models while the store is open.
  package var engine: DefaultStore { file.engine }

  /// Opens the file; one that is not there is made by the first save.
  ///
  /// - Throws: `SwiftDataError` with a `SwiftDataError.storeProblem`.
  public init(
    _ configuration: JSONFileConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)? = nil
  ) throws {
    guard let schema = configuration.schema else {
      throw SwiftDataError.unknownSchema.explained(
        "configuration '\(configuration.name)' has no schema")
    }
    self.configuration = configuration
    self.schema = schema
    file = try OpenJSONFile.file(of: configuration, schema, migrationPlan)
  }

  /// Fetches models, as a `DefaultStore` does.
  ///
  /// - Throws: `DataStoreError.preferInMemoryFilter` or `DataStoreError.preferInMemorySort` where SQL cannot answer as
  ///   Swift does.
  public func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    try engine.fetch(request)
  }

  /// Counts models, as a `DefaultStore` does.
  ///
  /// - Throws: `DataStoreError.preferInMemoryFilter` or `DataStoreError.preferInMemorySort` where SQL cannot answer as
  ///   Swift does.
  public func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    try engine.fetchCount(request)
  }

  /// Fetches the identifiers of models, as a `DefaultStore` does.
  ///
  /// - Throws: `DataStoreError.preferInMemoryFilter` or `DataStoreError.preferInMemorySort` where SQL cannot answer as
  ///   Swift does.
  public func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier] {
    try engine.fetchIdentifiers(request)
  }

  /// Saves changes and replaces the file.
  ///
  /// - Throws: `SwiftDataError`; then the file is as it was.
  public func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    try checkWritable()
    return try engine.save(request)
  }

  /// Deletes the models that match a predicate and replaces the file.
  ///
  /// - Throws: `SwiftDataError`; then the file is as it was.
  public func delete<T: PersistentModel>(_ request: DataStoreBatchDeleteRequest<T>) throws {
    try checkWritable()
    try engine.delete(request)
  }

  /// Deletes every model. The file stays, and so does the one before it.
  ///
  /// - Throws: `SwiftDataError`; then the file is as it was.
  public func erase() throws {
    try checkWritable()
    try file.history.forgetting(isEverything: true, engine) { try engine.erase() }
  }

  /// The stored values of models, as of a `DefaultStore`.
  ///
  /// - Throws: `SQLiteError` if the database in memory cannot be read.
  public func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: DefaultSnapshot] {
    try engine.cachedSnapshots(for: persistentIdentifiers, editingState: editingState)
  }

  func checkWritable() throws {
    guard configuration.allowsSave else {
      throw SwiftDataError.opening(
        .notWritable, "the store was opened to be read only: 'allowsSave' is false",
        path: configuration.url.path)
    }
  }
}

extension JSONFileStore: EngineStore {
  package var allowsSave: Bool { configuration.allowsSave }
}

extension JSONFileStore: HistoryProviding {
  /// The transactions of the store. They have the type of those of a `DefaultStore`, so one token can hold positions in
  /// stores of both kinds.
  public typealias HistoryType = DefaultHistoryTransaction
  /// A position in the store's file.history.
  public typealias TokenType = DefaultHistoryToken

  /// The type of the store's transactions.
  public static var historyType: DefaultHistoryTransaction.Type { DefaultHistoryTransaction.self }

  /// Fetches the transactions that match, as `DefaultStore.fetchHistory(_:)` does.
  ///
  /// If a program that keeps no history, such as an editor, has changed the file, tokens from before are expired, and a
  /// transaction stands for the unknown changes whose `DefaultHistoryTransaction.isComplete` is false.
  ///
  /// - Throws: `SwiftDataError.historyTokenExpired`; `SwiftDataError.invalidTransactionFetchRequest` if the history is
  ///   damaged; what the predicate throws.
  public func fetchHistory(
    _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>
  ) throws -> [DefaultHistoryTransaction] {
    try file.history.check()
    let query = HistoryQuery(descriptor, store: identifier)
    try file.history.read(through: query.isNewestFirst ? query.reach : min(query.reach, query.least), engine)
    // The newest transactions may be enough.
    var portion: Int64 = 64
    while query.isNewestFirst, let unread = file.history.unread, unread >= query.least {
      let found = try engine.fetchHistory(descriptor)
      if found.count >= query.limit { return found }
      try file.history.read(through: max(unread - portion, query.least), engine)
      portion *= 4
    }
    return try engine.fetchHistory(descriptor)
  }

  /// Forgets the transactions that match. Models stay as they are, and tokens of positions before the last forgotten
  /// transaction are expired.
  ///
  /// A descriptor without a predicate also forgets a damaged history.
  ///
  /// - Throws: as `fetchHistory(_:)`, except for expired tokens; `SwiftDataError` with a `SwiftDataError.storeProblem` if
  ///   the history cannot be written: then it is as it was.
  public func deleteHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws {
    try checkWritable()
    let isEverything = descriptor.predicate == nil && descriptor.fetchLimit == 0
    try file.history.forgetting(isEverything: isEverything, engine) { try engine.deleteHistory(descriptor) }
  }
}
