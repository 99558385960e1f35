import Foundation
import Trellis

/// A store with one file of snapshots without support for relationships, predicates and order.
final class JSONStore: DataStore {
  struct Configuration: DataStoreConfiguration {
    typealias Store = JSONStore

    var name = "json"
    var schema: Schema?
    var url: URL
    /// True if a fetch returns the rows that its results refer to.
    var returnsRelated = true

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.url == rhs.url }
    func hash(into hasher: inout Hasher) { hasher.combine(url) }
  }

  typealias Snapshot = DefaultSnapshot

  let configuration: Configuration
  let schema: Schema
  var identifier: String { configuration.url.lastPathComponent }

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
    let all = try read()
    return DataStoreFetchResult(
      descriptor: request.descriptor, fetchedSnapshots: Array(all.values),
      relatedSnapshots: configuration.returnsRelated ? all : [:])
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
    var stored = try read()
    for snapshot in request.inserted {
      let permanent = try PersistentIdentifier.identifier(
        for: identifier, entityName: snapshot.persistentIdentifier.entityName, primaryKey: UUID())
      stored[permanent] = snapshot.copy(persistentIdentifier: permanent)
      remapped[snapshot.persistentIdentifier] = permanent
    }
    for snapshot in request.updated { stored[snapshot.persistentIdentifier] = snapshot }
    for snapshot in request.deleted { stored[snapshot.persistentIdentifier] = nil }
    try JSONEncoder().encode(Array(stored.values)).write(to: configuration.url)
    return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
  }

  private func read() throws -> [PersistentIdentifier: DefaultSnapshot] {
    guard FileManager.default.fileExists(atPath: configuration.url.path) else { return [:] }
    let data = try Data(contentsOf: configuration.url)
    let snapshots = try JSONDecoder().decode([DefaultSnapshot].self, from: data)
    return Dictionary(snapshots.map { ($0.persistentIdentifier, $0) }) { first, _ in first }
  }
}

/// A temporary file that is removed with the last reference to the object.
final class ScratchFile {
  let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
  deinit { try? FileManager.default.removeItem(at: url) }
}
