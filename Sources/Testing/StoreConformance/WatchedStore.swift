import Foundation
import Synchronization
import Trellis

/// Records calls to a store, and errors in its results.
final class CallLog: Sendable {
  private struct State {
    var faults: [Mismatch] = []
    var begun: [UUID] = []
    var ended: [UUID] = []
    var saves = 0
  }

  private let state = Mutex(State())

  func note(_ operation: String, seen: String, expected: String) {
    state.withLock {
      $0.faults.append(Mismatch(operation: operation, seen: seen, expected: expected))
    }
  }

  func recordSave() { state.withLock { $0.saves += 1 } }
  func recordBeginning(_ id: UUID) { state.withLock { $0.begun.append(id) } }
  func recordEnd(_ id: UUID) { state.withLock { $0.ended.append(id) } }

  var saves: Int { state.withLock { $0.saves } }
  var begun: Int { state.withLock { $0.begun.count } }
  var ended: Int { state.withLock { $0.ended.count } }

  /// Throws the first error.
  func check() throws {
    if let fault = state.withLock({ $0.faults.first }) { throw fault }
  }
}

/// The configuration for a watched store.
struct WatchedConfiguration<Base: DataStoreConfiguration>: DataStoreConfiguration {
  typealias Store = WatchedStore<Base>

  var base: Base
  let log: CallLog

  init(_ base: Base, _ log: CallLog) {
    self.base = base
    self.log = log
  }

  var name: String { base.name }
  var schema: Schema? {
    get { base.schema }
    set { base.schema = newValue }
  }
  func validate() throws { try base.validate() }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.base == rhs.base }
  func hash(into hasher: inout Hasher) { hasher.combine(base) }
}

/// Forwards calls to a store and checks the results for consistency and for violations of the contract.
final class WatchedStore<Base: DataStoreConfiguration>: DataStore {
  typealias Configuration = WatchedConfiguration<Base>
  typealias Snapshot = Base.Store.Snapshot

  private let store: Base.Store
  private let log: CallLog

  var configuration: Configuration { Configuration(store.configuration, log) }
  var identifier: String { store.identifier }
  var schema: Schema { store.schema }
  var enforcesUniqueConstraints: Bool { store.enforcesUniqueConstraints }
  var appliesFetchOffset: Bool { store.appliesFetchOffset }

  init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    store = try Base.Store(configuration.base, migrationPlan: migrationPlan)
    log = configuration.log
    if store.identifier.isEmpty {
      log.note("identifier", seen: "an empty string", expected: "a string that identifies the store")
    }
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, Snapshot> {
    let result = try store.fetch(request)
    var seen: Set<PersistentIdentifier> = []
    for snapshot in result.fetchedSnapshots {
      let identifier = snapshot.persistentIdentifier
      check(identifier, "fetch(_:) for \(T.self)")
      if !seen.insert(identifier).inserted {
        log.note("fetch(_:) for \(T.self)", seen: "\(identifier) twice", expected: "each model once")
      }
    }
    for (identifier, snapshot) in result.relatedSnapshots
    where identifier != snapshot.persistentIdentifier {
      log.note(
        "related snapshots from fetch(_:) for \(T.self)",
        seen: "\(snapshot.persistentIdentifier) under \(identifier)",
        expected: "each snapshot under its own identifier")
    }
    return result
  }

  func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    let count = try store.fetchCount(request)
    let found = try store.fetchIdentifiers(request).count
    if count != found {
      log.note(
        "fetchCount(_:) for \(T.self)", seen: "\(count)",
        expected: "\(found), the number of identifiers from fetchIdentifiers(_:)")
    }
    return count
  }

  func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier] {
    let identifiers = try store.fetchIdentifiers(request)
    for identifier in identifiers { check(identifier, "fetchIdentifiers(_:) for \(T.self)") }
    return identifiers
  }

  func save(
    _ request: DataStoreSaveChangesRequest<Snapshot>
  ) throws -> DataStoreSaveChangesResult<Snapshot> {
    let result = try store.save(request)
    log.recordSave()
    if result.storeIdentifier != store.identifier {
      log.note(
        "the result from save(_:)", seen: "the store identifier '\(result.storeIdentifier)'",
        expected: "the store identifier '\(store.identifier)'")
    }
    let remapped = result.remappedIdentifiers
    for snapshot in request.inserted {
      let temporary = snapshot.persistentIdentifier
      guard let permanent = remapped[temporary] else {
        log.note(
          "remapped identifiers from save(_:)", seen: "none for \(temporary)",
          expected: "a permanent identifier for each inserted snapshot")
        continue
      }
      check(permanent, "remapped identifiers from save(_:)")
    }
    try checkCache(request, remapped)
    return result
  }

  /// Checks the cached snapshots after a save. They are optional, but must have the right identifiers and must not
  /// include deleted models.
  private func checkCache(
    _ request: DataStoreSaveChangesRequest<Snapshot>,
    _ remapped: [PersistentIdentifier: PersistentIdentifier]
  ) throws {
    let saved = (request.inserted + request.updated).map(\.persistentIdentifier)
      .map { remapped[$0] ?? $0 }
    let gone = request.deleted.map(\.persistentIdentifier)
    let cached = try store.cachedSnapshots(
      for: saved + gone, editingState: request.editingState)
    for (identifier, snapshot) in cached where snapshot.persistentIdentifier != identifier {
      log.note(
        "cachedSnapshots(for:editingState:)",
        seen: "\(snapshot.persistentIdentifier) under \(identifier)",
        expected: "each snapshot under its own identifier")
    }
    for identifier in gone where cached[identifier] != nil {
      log.note(
        "cachedSnapshots(for:editingState:) after a save", seen: "\(identifier), which was deleted",
        expected: "no snapshots for deleted models")
    }
  }

  private func check(_ identifier: PersistentIdentifier, _ operation: String) {
    if identifier.isTemporary {
      log.note(operation, seen: "the temporary \(identifier)", expected: "permanent identifiers")
    } else if identifier.storeIdentifier != store.identifier {
      log.note(
        operation, seen: "\(identifier) from the store '\(identifier.storeIdentifier ?? "none")'",
        expected: "identifiers with the store identifier '\(store.identifier)'")
    }
  }

  func erase() throws { try store.erase() }

  func initializeState(for editingState: EditingState) {
    log.recordBeginning(editingState.id)
    store.initializeState(for: editingState)
  }

  func cachedSnapshots(
    for persistentIdentifiers: [PersistentIdentifier], editingState: EditingState
  ) throws -> [PersistentIdentifier: Snapshot] {
    try store.cachedSnapshots(for: persistentIdentifiers, editingState: editingState)
  }

  func invalidateState(for editingState: EditingState) {
    log.recordEnd(editingState.id)
    store.invalidateState(for: editingState)
  }
}
