import Foundation
import Trellis

/// An in-memory store that does not support relationships, predicates, order or uniqueness.
final class SnapshotStore: DataStore {
  struct Configuration: DataStoreConfiguration {
    typealias Store = SnapshotStore

    var name = UUID().uuidString
    var schema: Schema?

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.name == rhs.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  typealias Snapshot = DefaultSnapshot

  let configuration: Configuration
  let schema: Schema
  var identifier: String { configuration.name }
  private var table = SnapshotTable<DefaultSnapshot>(keys: .numbers)

  init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
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
