import Foundation
import Trellis

/// The kinds of stores everything is run on.
enum StoreKind: CaseIterable { case memory, disk, snapshots }

/// A container on a store of its own, which goes with it.
final class StorePlace {
  let container: ModelContainer
  private let folder: URL?
  /// Contexts live as long as the place: models of a context that is gone read as detached.
  private var contexts: [ModelContext] = []

  init(_ kind: StoreKind, _ schema: Schema) throws {
    switch kind {
    case .memory:
      folder = nil
      container = try ModelContainer(
        for: schema, configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
    case .disk:
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "trellis-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      self.folder = folder
      container = try ModelContainer(
        for: schema,
        configurations: [ModelConfiguration(url: folder.appendingPathComponent("test.store"))])
    case .snapshots:
      folder = nil
      container = try ModelContainer(
        for: schema, configurations: [SnapshotStore.Configuration(schema: schema)])
    }
  }

  convenience init(_ kind: StoreKind = .memory, _ models: any PersistentModel.Type...) throws {
    try self.init(kind, Schema(models))
  }

  /// Another context of the container, which knows nothing yet.
  func fresh() -> ModelContext {
    let context = ModelContext(container)
    contexts.append(context)
    return context
  }

  deinit { if let folder { try? FileManager.default.removeItem(at: folder) } }
}

/// A store in memory that knows nothing of relationships, predicates, order and uniqueness.
final class SnapshotStore: DataStore {
  struct Configuration: DataStoreConfiguration {
    typealias Store = SnapshotStore

    var name = UUID().uuidString
    var schema: Schema?

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.name == rhs.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  typealias Snapshot = DefaultSnapshot

  let configuration: Configuration
  let schema: Schema
  var identifier: String { configuration.name }
  private var stored: [PersistentIdentifier: DefaultSnapshot] = [:]
  private var next = 0

  init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    schema = configuration.schema ?? Schema([])
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
    if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
    return DataStoreFetchResult(
      descriptor: request.descriptor,
      fetchedSnapshots: stored.keys.sorted().compactMap { stored[$0] }, relatedSnapshots: [:])
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
    for snapshot in request.inserted {
      next += 1
      let permanent = try PersistentIdentifier.identifier(
        for: identifier, entityName: snapshot.persistentIdentifier.entityName, primaryKey: next)
      remapped[snapshot.persistentIdentifier] = permanent
    }
    for snapshot in request.inserted {
      guard let permanent = remapped[snapshot.persistentIdentifier] else { continue }
      stored[permanent] = snapshot.copy(
        persistentIdentifier: permanent, remappedIdentifiers: remapped)
    }
    for snapshot in request.updated {
      stored[snapshot.persistentIdentifier] = snapshot.copy(
        persistentIdentifier: snapshot.persistentIdentifier, remappedIdentifiers: remapped)
    }
    for snapshot in request.deleted { stored[snapshot.persistentIdentifier] = nil }
    return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
  }
}
