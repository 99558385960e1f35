import Foundation
import Trellis

/// An in-memory store of snapshots without further features.
struct ShelfConfiguration: DataStoreConfiguration {
  typealias Store = ShelfStore

  /// The contents that equal configurations share.
  final class Shelf {
    var snapshots: [PersistentIdentifier: DefaultSnapshot] = [:]
    var stores: [ShelfStore] = []
    var lies = ShelfLies()
  }

  var name = "shelf"
  var schema: Schema?
  let shelf = Shelf()

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.shelf === rhs.shelf }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(shelf)) }
}

/// Invalid results that the store returns; nil for valid results.
struct ShelfLies {
  typealias Snapshots = [PersistentIdentifier: DefaultSnapshot]
  typealias Result = DataStoreSaveChangesResult<DefaultSnapshot>

  var fetched: (([DefaultSnapshot]) -> [DefaultSnapshot])?
  var related: ((Snapshots) -> Snapshots)?
  var cached: ((Snapshots) -> Snapshots)?
  var identifiers: (([PersistentIdentifier]) -> [PersistentIdentifier])?
  var count: Int?
  /// Receives the correct identifiers in insertion order.
  var result: (([(temporary: PersistentIdentifier, permanent: PersistentIdentifier)], Snapshots) -> Result)?
  /// Runs during a save.
  var duringSave: (() throws -> Void)?
  /// Computes the key of a new model from the number of models of its entity.
  var key: ((Int) -> Int)?
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

  /// Changes a model externally.
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
    let all = Array(shelf.snapshots.values)
    return DataStoreFetchResult(
      descriptor: request.descriptor, fetchedSnapshots: shelf.lies.fetched?(all) ?? all,
      relatedSnapshots: shelf.lies.related?(shelf.snapshots) ?? [:])
  }

  private var shelf: ShelfConfiguration.Shelf { configuration.shelf }

  func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: DefaultSnapshot] {
    guard let lie = shelf.lies.cached else { return [:] }
    return lie(shelf.snapshots.filter { persistentIdentifiers.contains($0.key) })
  }

  func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier] {
    let found = try fetch(request).fetchedSnapshots.map(\.persistentIdentifier)
    return shelf.lies.identifiers?(found) ?? found
  }

  func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    let entity = schema.entity(for: T.self)
    let names = Set((entity?.subentities.map(\.name) ?? []) + [entity?.name ?? ""])
    return try shelf.lies.count ?? fetchIdentifiers(request).count { names.contains($0.entityName) }
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
    for snapshot in request.inserted {
      let entity = snapshot.persistentIdentifier.entityName
      if let key = shelf.lies.key {
        let known = Array(shelf.snapshots.keys) + Array(remapped.values)
        let number = known.count { $0.entityName == entity }
        remapped[snapshot.persistentIdentifier] = try PersistentIdentifier.identifier(
          for: identifier, entityName: entity, primaryKey: key(number))
      } else {
        remapped[snapshot.persistentIdentifier] = try PersistentIdentifier.identifier(
          for: identifier, entityName: entity, primaryKey: UUID())
      }
    }
    try shelf.lies.duringSave?()
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
    let pairs = request.inserted.compactMap { snapshot in
      remapped[snapshot.persistentIdentifier].map { (snapshot.persistentIdentifier, $0) }
    }
    return shelf.lies.result?(pairs, shelf.snapshots)
      ?? DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
  }
}
