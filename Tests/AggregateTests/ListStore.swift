import Foundation
import Trellis

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
  private var rows: [PersistentIdentifier: DefaultSnapshot] = [:]
  private var order: [PersistentIdentifier] = []

  init(
    _ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?
  ) throws {
    self.configuration = configuration
    schema = configuration.schema ?? Schema([])
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
    if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
    let all = order.compactMap { rows[$0] }
    return DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: all)
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
    for snapshot in request.inserted {
      let temporary = snapshot.persistentIdentifier
      let permanent = try PersistentIdentifier.identifier(
        for: identifier, entityName: temporary.entityName, primaryKey: order.count + 1)
      remapped[temporary] = permanent
      order.append(permanent)
    }
    for snapshot in request.inserted {
      guard let permanent = remapped[snapshot.persistentIdentifier] else { continue }
      rows[permanent] = snapshot.copy(
        persistentIdentifier: permanent, remappedIdentifiers: remapped)
    }
    for snapshot in request.updated {
      rows[snapshot.persistentIdentifier] = snapshot.copy(
        persistentIdentifier: snapshot.persistentIdentifier, remappedIdentifiers: remapped)
    }
    for snapshot in request.deleted { rows[snapshot.persistentIdentifier] = nil }
    return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
  }
}

extension ListStore {
  static func container() throws -> ModelContainer {
    let configuration = Configuration(schema: AggregateFixture.schema)
    return try ModelContainer(for: AggregateFixture.schema, configurations: [configuration])
  }
}
