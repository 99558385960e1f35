import Foundation
import TestStores
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
    try table().fetch(request, sendsRelated: configuration.returnsRelated)
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    var table = try table()
    let result = try table.save(request, in: identifier)
    try JSONEncoder().encode(table.snapshots).write(to: configuration.url)
    return result
  }

  private func table() throws -> SnapshotTable<DefaultSnapshot> {
    guard FileManager.default.fileExists(atPath: configuration.url.path) else {
      return SnapshotTable(remapsReferences: false)
    }
    let data = try Data(contentsOf: configuration.url)
    let snapshots = try JSONDecoder().decode([DefaultSnapshot].self, from: data)
    return SnapshotTable(
      Dictionary(snapshots.map { ($0.persistentIdentifier, $0) }) { first, _ in first }, remapsReferences: false)
  }
}

/// A temporary file that is removed with the last reference to the object.
final class ScratchFile {
  let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
  deinit { try? FileManager.default.removeItem(at: url) }
}
