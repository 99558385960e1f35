import Foundation

/// What a store keeps, while code of a migration changes it: snapshots in the order in which they came.
final class SnapshotShelf {
  let identifier: String
  private var rows: [PersistentIdentifier: DefaultSnapshot] = [:]
  private var order: [PersistentIdentifier] = []

  init(_ snapshots: [DefaultSnapshot], identifier: String) {
    self.identifier = identifier
    for snapshot in snapshots { put(snapshot) }
  }

  /// All there are now.
  var snapshots: [DefaultSnapshot] { order.compactMap { rows[$0] } }

  fileprivate func put(_ snapshot: DefaultSnapshot) {
    let identifier = snapshot.persistentIdentifier
    if rows.updateValue(snapshot, forKey: identifier) == nil { order.append(identifier) }
  }

  fileprivate func remove(_ identifiers: some Sequence<PersistentIdentifier>) {
    for identifier in identifiers { rows[identifier] = nil }
  }

  fileprivate func snapshots(of identifiers: [PersistentIdentifier]) -> [PersistentIdentifier: DefaultSnapshot] {
    var found: [PersistentIdentifier: DefaultSnapshot] = [:]
    for identifier in identifiers { found[identifier] = rows[identifier] }
    return found
  }
}

/// A store over a shelf; contexts do what it cannot.
final class SnapshotShelfStore: DataStore {
  struct Configuration: DataStoreConfiguration {
    typealias Store = SnapshotShelfStore

    let shelf: SnapshotShelf
    var schema: Schema?
    var name: String { "migration" }

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.shelf === rhs.shelf }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(shelf)) }
  }

  typealias Snapshot = DefaultSnapshot

  let configuration: Configuration
  let schema: Schema
  var identifier: String { shelf.identifier }
  private var shelf: SnapshotShelf { configuration.shelf }

  init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    schema = configuration.schema ?? Schema()
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
    if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
    return DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: shelf.snapshots)
  }

  func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: DefaultSnapshot] {
    shelf.snapshots(of: persistentIdentifiers)
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
    for snapshot in request.inserted {
      remapped[snapshot.persistentIdentifier] = try PersistentIdentifier.identifier(
        for: identifier, entityName: snapshot.persistentIdentifier.entityName, primaryKey: UUID.unique())
    }
    for snapshot in request.inserted + request.updated {
      let own = snapshot.persistentIdentifier
      shelf.put(
        snapshot.copy(persistentIdentifier: remapped[own] ?? own, remappedIdentifiers: remapped))
    }
    shelf.remove(request.deleted.lazy.map(\.persistentIdentifier))
    return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
  }
}
