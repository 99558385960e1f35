import Foundation
import Trellis

/// Keeps snapshots in a drawer in memory; equal configurations share the drawer.
struct DrawerConfiguration: DataStoreConfiguration {
  typealias Store = DrawerStore

  final class Drawer {
    var snapshots: [PersistentIdentifier: DefaultSnapshot] = [:]
  }

  var name = "drawer"
  var schema: Schema?
  /// Whether changes to saved models are lost.
  var isForgetful = false
  let drawer = Drawer()

  init(isForgetful: Bool = false) { self.isForgetful = isForgetful }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.drawer === rhs.drawer }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(drawer)) }
}

final class DrawerStore: DataStore {
  typealias Configuration = DrawerConfiguration
  typealias Snapshot = DefaultSnapshot

  let configuration: DrawerConfiguration
  let schema: Schema
  let identifier = "drawer"

  init(
    _ configuration: DrawerConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?
  ) throws {
    self.configuration = configuration
    self.schema = configuration.schema ?? Schema()
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
    if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
    return DataStoreFetchResult(
      descriptor: request.descriptor, fetchedSnapshots: Array(configuration.drawer.snapshots.values))
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
      configuration.drawer.snapshots[permanent] = snapshot.copy(
        persistentIdentifier: permanent, remappedIdentifiers: remapped)
    }
    if !configuration.isForgetful {
      for snapshot in request.updated {
        configuration.drawer.snapshots[snapshot.persistentIdentifier] = snapshot.copy(
          persistentIdentifier: snapshot.persistentIdentifier, remappedIdentifiers: remapped)
      }
    }
    for snapshot in request.deleted {
      configuration.drawer.snapshots[snapshot.persistentIdentifier] = nil
    }
    return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
  }
}
