import Trellis

/// An SQLite file whose saves are logged.
struct LoggingConfiguration: DataStoreConfiguration {
  typealias Store = LoggingStore

  var base: ModelConfiguration
  let log = SaveLog()

  var name: String { base.name }
  var schema: Schema? {
    get { base.schema }
    set { base.schema = newValue }
  }
  static func == (lhs: Self, rhs: Self) -> Bool { lhs.base == rhs.base }
  func hash(into hasher: inout Hasher) { hasher.combine(base) }
}

final class LoggingStore: DataStore, ConcurrentDataStore {
  let configuration: LoggingConfiguration
  let base: DefaultStore
  var identifier: String { base.identifier }
  var schema: Schema { base.schema }

  init(_ configuration: LoggingConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    base = try DefaultStore(configuration.base, migrationPlan: migrationPlan)
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    try base.fetch(request)
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    let result = try base.save(request)
    configuration.log.note(request)
    return result
  }
}
