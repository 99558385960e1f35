import Foundation
import TestStores
import Trellis

/// An in-memory store of snapshots without further features.
struct ShelfConfiguration: DataStoreConfiguration {
  typealias Store = ShelfStore

  /// The contents that equal configurations share.
  final class Shelf {
    var table = SnapshotTable<DefaultSnapshot>()
    var stores: [ShelfStore] = []
    var lies = ShelfLies()
  }

  var name = "shelf"
  var schema: Schema?
  var identifier = "shelf"
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
  var identifier: String { configuration.identifier }

  init(_ configuration: ShelfConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    schema = configuration.schema ?? Schema()
    configuration.shelf.stores.append(self)
  }

  /// Changes a model externally.
  func change(_ identifier: PersistentIdentifier, _ edit: (Keep) -> Void) throws {
    let other = ShelfConfiguration()
    other.shelf.table = shelf.table
    let context = ModelContext(try KeepWorld.container(other))
    guard let keep = context.model(for: identifier) as? Keep else { return }
    edit(keep)
    try context.save()
    shelf.table = other.shelf.table
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    try SnapshotTable<DefaultSnapshot>.refuse(request)
    let all = shelf.table.snapshots
    return DataStoreFetchResult(
      descriptor: request.descriptor, fetchedSnapshots: shelf.lies.fetched?(all) ?? all,
      relatedSnapshots: shelf.lies.related?(shelf.table.rows) ?? [:])
  }

  private var shelf: ShelfConfiguration.Shelf { configuration.shelf }

  func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: DefaultSnapshot] {
    guard let lie = shelf.lies.cached else { return [:] }
    return lie(shelf.table.rows.filter { persistentIdentifiers.contains($0.key) })
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
    var remapped = try shelf.table.identifiers(for: request.inserted, in: identifier)
    if let key = shelf.lies.key {
      var known = shelf.table.rows.keys.map(\.entityName)
      for temporary in request.inserted.map(\.persistentIdentifier) {
        let entity = temporary.entityName
        remapped[temporary] = try PersistentIdentifier.identifier(
          for: identifier, entityName: entity, primaryKey: key(known.count { $0 == entity }))
        known.append(entity)
      }
    }
    try shelf.lies.duringSave?()
    shelf.table.apply(request, remapped)
    let pairs = request.inserted.compactMap { snapshot in
      remapped[snapshot.persistentIdentifier].map { (snapshot.persistentIdentifier, $0) }
    }
    return shelf.lies.result?(pairs, shelf.table.rows)
      ?? DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
  }
}
