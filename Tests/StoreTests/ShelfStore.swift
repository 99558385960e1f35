import Foundation
import Trellis

/// Keeps snapshots in memory and knows nothing else of models.
struct ShelfConfiguration: DataStoreConfiguration {
  typealias Store = ShelfStore

  /// What equal configurations share.
  final class Shelf {
    var snapshots: [PersistentIdentifier: DefaultSnapshot] = [:]
    var stores: [ShelfStore] = []
  }

  var name = "shelf"
  var schema: Schema?
  let shelf = Shelf()

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.shelf === rhs.shelf }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(shelf)) }
}

final class ShelfStore: DataStore {
  typealias Configuration = ShelfConfiguration
  typealias Snapshot = DefaultSnapshot

  let configuration: ShelfConfiguration
  let schema: Schema
  let identifier = "shelf"

  init(_ configuration: ShelfConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    schema = configuration.schema ?? Schema()
    configuration.shelf.stores.append(self)
  }

  /// Changes a model as somebody else would.
  func change(_ identifier: PersistentIdentifier, _ edit: (Keep) -> Void) throws {
    let other = ShelfConfiguration()
    other.shelf.snapshots = configuration.shelf.snapshots
    let context = ModelContext(try KeepWorld.container(other))
    guard let keep = context.model(for: identifier) as? Keep else { return }
    edit(keep)
    try context.save()
    configuration.shelf.snapshots = other.shelf.snapshots
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
    if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
    return DataStoreFetchResult(
      descriptor: request.descriptor, fetchedSnapshots: Array(configuration.shelf.snapshots.values))
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
    for snapshot in request.inserted {
      remapped[snapshot.persistentIdentifier] = try PersistentIdentifier.identifier(
        for: identifier, entityName: snapshot.persistentIdentifier.entityName, primaryKey: UUID())
    }
    for snapshot in request.inserted {
      guard let permanent = remapped[snapshot.persistentIdentifier] else { continue }
      configuration.shelf.snapshots[permanent] = snapshot.copy(
        persistentIdentifier: permanent, remappedIdentifiers: remapped)
    }
    for snapshot in request.updated {
      configuration.shelf.snapshots[snapshot.persistentIdentifier] = snapshot.copy(
        persistentIdentifier: snapshot.persistentIdentifier, remappedIdentifiers: remapped)
    }
    for snapshot in request.deleted {
      configuration.shelf.snapshots[snapshot.persistentIdentifier] = nil
    }
    return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
  }
}
