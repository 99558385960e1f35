import Foundation
import TestStores
import Trellis

@testable import TestWorlds

/// An in-memory store without support for relationships, predicates, order and aggregates.
final class ListStore: DataStore {
  struct Configuration: DataStoreConfiguration {
    typealias Store = ListStore

    var name = "list"
    var schema: Schema?
    var identifier = UUID().uuidString

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.identifier == rhs.identifier }
    func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
  }

  typealias Snapshot = DefaultSnapshot

  let configuration: Configuration
  let schema: Schema
  var identifier: String { configuration.identifier }
  private var table = SnapshotTable<DefaultSnapshot>(keys: .numbers)

  init(
    _ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?
  ) throws {
    self.configuration = configuration
    schema = configuration.schema ?? Schema([])
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    try table.fetch(request)
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    try table.save(request, in: identifier)
  }
}

extension ListStore {
  static func container() throws -> ModelContainer {
    let configuration = Configuration(schema: AggregateFixture.schema)
    return try ModelContainer(for: AggregateFixture.schema, configurations: [configuration])
  }
}
