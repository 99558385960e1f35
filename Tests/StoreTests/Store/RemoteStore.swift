import Foundation
import Synchronization
import Trellis

/// Simulates a server that answers with a delay and stores encoded snapshots.
struct RemoteConfiguration: AsyncDataStoreConfiguration {
  typealias AsyncStore = RemoteStore

  final class Server: Sendable {
    let rows = Mutex<[PersistentIdentifier: Data]>([:])
    let isDown = Mutex(false)
  }

  var name = "remote"
  var schema: Schema?
  let server = Server()

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.server === rhs.server }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(server)) }
}

actor RemoteStore: AsyncDataStore {
  typealias Snapshot = DefaultSnapshot

  nonisolated let configuration: RemoteConfiguration
  nonisolated let schema: Schema
  nonisolated let identifier = "remote"

  struct Down: Error {}

  init(
    _ configuration: RemoteConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?
  ) async throws {
    self.configuration = configuration
    schema = configuration.schema ?? Schema()
    await Task.yield()
  }

  private func answer() async throws {
    try await Task.sleep(for: .microseconds(50))
    if configuration.server.isDown.withLock({ $0 }) { throw Down() }
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) async throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    try await answer()
    if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
    if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
    let rows = configuration.server.rows.withLock { Array($0.values) }
    let decoder = PropertyListDecoder()
    return DataStoreFetchResult(
      descriptor: request.descriptor,
      fetchedSnapshots: try rows.map { try decoder.decode(DefaultSnapshot.self, from: $0) })
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) async throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    try await answer()
    var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
    for snapshot in request.inserted {
      remapped[snapshot.persistentIdentifier] = try PersistentIdentifier.identifier(
        for: identifier, entityName: snapshot.persistentIdentifier.entityName, primaryKey: UUID())
    }
    // Unlike JSON, a property list preserves every number.
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
