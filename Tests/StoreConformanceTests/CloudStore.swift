import Foundation
import Synchronization
import Trellis

/// Stands for a server: answers after a while, keeps nothing but encoded snapshots.
struct CloudConfiguration: AsyncDataStoreConfiguration {
  typealias AsyncStore = CloudStore

  final class Server: Sendable {
    let rows = Mutex<[PersistentIdentifier: Data]>([:])
    let isDown = Mutex(false)
  }

  var name = "cloud"
  var schema: Schema?
  let server = Server()

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.server === rhs.server }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(server)) }
}

actor CloudStore: AsyncDataStore {
  typealias Snapshot = DefaultSnapshot

  nonisolated let configuration: CloudConfiguration
  nonisolated let schema: Schema
  nonisolated let identifier = "cloud"

  struct Down: Error {}

  init(
    _ configuration: CloudConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?
  ) async throws {
    self.configuration = configuration
    schema = configuration.schema ?? Schema()
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) async throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    await Task.yield()
    if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
    if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
    let decoder = PropertyListDecoder()
    let rows = configuration.server.rows.withLock { Array($0.values) }
    return DataStoreFetchResult(
      descriptor: request.descriptor,
      fetchedSnapshots: try rows.map { try decoder.decode(DefaultSnapshot.self, from: $0) })
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) async throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    await Task.yield()
    if configuration.server.isDown.withLock({ $0 }) { throw Down() }
    var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
    for snapshot in request.inserted {
      remapped[snapshot.persistentIdentifier] = try PersistentIdentifier.identifier(
        for: identifier, entityName: snapshot.persistentIdentifier.entityName, primaryKey: UUID())
    }
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    var written: [PersistentIdentifier: Data] = [:]
    for snapshot in request.inserted + request.updated {
      let permanent = remapped[snapshot.persistentIdentifier] ?? snapshot.persistentIdentifier
      written[permanent] = try encoder.encode(
        snapshot.copy(persistentIdentifier: permanent, remappedIdentifiers: remapped))
    }
    let gone = request.deleted.map(\.persistentIdentifier)
    configuration.server.rows.withLock { rows in
      rows.merge(written) { $1 }
      for identifier in gone { rows[identifier] = nil }
    }
    return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
  }
}
