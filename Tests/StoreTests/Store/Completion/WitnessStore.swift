import Foundation
import TestStores
import Trellis

/// An in-memory store that records its requests.
final class WitnessStore: DataStore {
  final class Diary {
    var fetches: [(state: EditingState, limit: Int?, offset: Int?)] = []
    var saves: [DataStoreSaveChangesRequest<DefaultSnapshot>] = []
    var begun: [EditingState] = []
    var ended: [EditingState] = []
    var askedForCached: [EditingState] = []
    /// True to return cached snapshots.
    var hasCache = false
    /// Changes a snapshot before it is stored.
    var edit: ((DefaultSnapshot) -> DefaultSnapshot?)?
    var migrationPlans: [(any SchemaMigrationPlan.Type)?] = []
    /// The error of the next save.
    var failure: (any Error)?
    /// The error of fetches.
    var fetchFailure: (any Error)?
  }

  struct Configuration: DataStoreConfiguration {
    typealias Store = WitnessStore

    var name = UUID().uuidString
    var schema: Schema?
    var appliesOffset = false
    var enforces = false
    let diary = Diary()

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.name == rhs.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  typealias Snapshot = DefaultSnapshot

  let configuration: Configuration
  let schema: Schema
  var identifier: String { configuration.name }
  private var diary: Diary { configuration.diary }
  private var table = SnapshotTable<DefaultSnapshot>(keys: .numbers)

  init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    schema = configuration.schema ?? Schema([])
    configuration.diary.migrationPlans.append(migrationPlan)
  }

  var enforcesUniqueConstraints: Bool { configuration.enforces }
  var appliesFetchOffset: Bool { configuration.appliesOffset }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    if let failure = diary.fetchFailure { throw failure }
    let descriptor = request.descriptor
    diary.fetches.append((request.editingState, descriptor.fetchLimit, descriptor.fetchOffset))
    try SnapshotTable<DefaultSnapshot>.refuse(request)
    var found = table.snapshots.filter { $0.persistentIdentifier.entityName == "\(T.self)" }
    if configuration.appliesOffset {
      found = Array(found.dropFirst(descriptor.fetchOffset ?? 0).prefix(descriptor.fetchLimit ?? .max))
    }
    return DataStoreFetchResult(descriptor: descriptor, fetchedSnapshots: found)
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    diary.saves.append(request)
    if let failure = diary.failure { throw failure }
    let remapped = try table.identifiers(for: request.inserted, in: identifier)
    table.apply(request, remapped)
    var changed: [PersistentIdentifier: DefaultSnapshot] = [:]
    for snapshot in request.inserted + request.updated {
      guard let edited = diary.edit?(table.permanent(snapshot, remapped)) else { continue }
      table.rows[edited.persistentIdentifier] = edited
      changed[edited.persistentIdentifier] = edited
    }
    return DataStoreSaveChangesResult(
      for: identifier, remappedIdentifiers: remapped, snapshotsToReregister: changed)
  }

  func initializeState(for editingState: EditingState) { diary.begun.append(editingState) }
  func invalidateState(for editingState: EditingState) { diary.ended.append(editingState) }

  func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: DefaultSnapshot] {
    diary.askedForCached.append(editingState)
    guard diary.hasCache else { return [:] }
    return Dictionary(
      persistentIdentifiers.compactMap { identifier in table.rows[identifier].map { (identifier, $0) } },
      uniquingKeysWith: { first, _ in first })
  }
}
