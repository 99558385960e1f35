import Foundation
import TestStores
import Testing

@testable import Trellis
@testable import TrellisModel

@Suite struct CustomStoreTests {
  private let state = EditingState(author: "tests")

  private func store() throws -> ListStore {
    var configuration = ListStoreConfiguration(name: "list")
    configuration.schema = Schema(Song.self)
    return try ListStore(configuration, migrationPlan: nil)
  }

  private func songs(_ count: Int) -> [DefaultSnapshot] {
    let buffer = TypedBuffer<Song.Snapshot>(capacity: count)
    for number in 0..<count {
      buffer.append(
        Song.Snapshot(
          persistentIdentifier: Song._$definition.temporaryIdentifier(), title: "\(number)"))
    }
    return (0..<count).map { DefaultSnapshot(buffer: buffer, index: $0) }
  }

  private func save(
    _ store: ListStore, inserted: [DefaultSnapshot]
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    try store.save(
      DataStoreSaveChangesRequest(
        inserted: inserted, updated: [], deleted: [], editingState: state))
  }

  @Test func S099_optionalMethodsWork() throws {
    let store = try store()
    let result = try save(store, inserted: songs(3))
    #expect(result.remappedIdentifiers.count == 3)
    var request = DataStoreFetchRequest(
      descriptor: FetchDescriptor<Song>(), editingState: state)
    #expect(try store.fetchCount(request) == 3)
    #expect(
      try Set(store.fetchIdentifiers(request)) == Set(result.remappedIdentifiers.values))
    // The store returns all its snapshots for any request.
    let albums = DataStoreFetchRequest(
      descriptor: FetchDescriptor<Album>(), editingState: state)
    #expect(try store.fetchCount(albums) == 0)
    var limited = FetchDescriptor<Song>()
    limited.fetchLimit = 2
    request = DataStoreFetchRequest(descriptor: limited, editingState: state)
    #expect(try store.fetchCount(request) == 2)
    #expect(try store.cachedSnapshots(for: [], editingState: state).isEmpty)
    store.initializeState(for: state)
    store.invalidateState(for: state)
    try store.configuration.validate()
    try store.erase()
    #expect(store.table.rows.isEmpty)
  }

  @Test func S099_inMemoryPreferencesReachTheCaller() throws {
    let store = try store()
    let filtered = DataStoreFetchRequest(
      descriptor: FetchDescriptor<Song>(predicate: #Predicate { $0.title == "x" }),
      editingState: state)
    #expect(throws: DataStoreError.preferInMemoryFilter) { try store.fetchCount(filtered) }
  }

  @Test func bothSpellingsOfTheStoreAgree() {
    #expect(ListStoreConfiguration.Store.self == ListStore.self)
    #expect(ListStoreConfiguration.StoreType.self == ListStore.self)
    #expect(ModelConfiguration.StoreType.self == DefaultStore.self)
  }

  @Test func saveResultsFromListsProvideADictionary() {
    let temporary = (0..<3).map { _ in Song._$definition.temporaryIdentifier() }
    let permanent = (0..<3).map {
      PersistentIdentifier(token: .interned(store: "s", entity: "Song"), row: $0)
    }
    let result = DataStoreSaveChangesResult<DefaultSnapshot>(
      for: "s", temporary: temporary, permanent: permanent)
    #expect(result.remappedIdentifiers[temporary[1]] == permanent[1])
    #expect(result.remappedIdentifiers.count == 3 && result.snapshotsToReregister.isEmpty)
  }
}

/// A store that keeps snapshots without further features.
final class ListStore: DataStore {
  typealias Configuration = ListStoreConfiguration
  typealias Snapshot = DefaultSnapshot

  var configuration: ListStoreConfiguration
  var identifier: String
  var schema: Schema
  var table = SnapshotTable<DefaultSnapshot>(remapsReferences: false)

  init(
    _ configuration: ListStoreConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?
  ) throws {
    self.configuration = configuration
    self.identifier = configuration.name
    self.schema = try #require(configuration.schema)
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    try table.fetch(request, sendsRelated: true)
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    try table.save(request, in: identifier)
  }
}

/// A configuration with the associated type name of 2024.
struct ListStoreConfiguration: DataStoreConfiguration {
  typealias StoreType = ListStore
  var name: String
  var schema: Schema?
}
