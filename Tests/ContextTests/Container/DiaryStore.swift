import Foundation
import Synchronization
import TestStores
import Trellis

/// A custom transaction type.
struct DiaryPage: HistoryTransaction {
  let author: String?
  let changes: [HistoryChange]
  let storeIdentifier: String
  let timestamp: Date
  let token: DiaryToken
  var transactionIdentifier: Int { token.page }
  var id: Int { token.page }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.token == rhs.token }
  func hash(into hasher: inout Hasher) { hasher.combine(token) }
}

struct DiaryToken: HistoryToken {
  var page: Int
  var tokenValue: Int? { page }
  var id: Int { page }
  static func < (lhs: Self, rhs: Self) -> Bool { lhs.page < rhs.page }
}

struct DiaryInsert<Model: PersistentModel>: HistoryInsert {
  let changeIdentifier: Int
  let changedPersistentIdentifier: PersistentIdentifier
  let transactionIdentifier: Int
}

struct DiaryUpdate<Model: PersistentModel>: HistoryUpdate {
  let changeIdentifier: Int
  let changedPersistentIdentifier: PersistentIdentifier
  let transactionIdentifier: Int
  let updatedAttributes: [any PartialKeyPath<Model> & Sendable]
}

struct DiaryDelete<Model: PersistentModel>: HistoryDelete {
  let changeIdentifier: Int
  let changedPersistentIdentifier: PersistentIdentifier
  let transactionIdentifier: Int
  let tombstone: HistoryTombstone<Model>
}

/// A store of harbours that records its saves in a diary.
final class DiaryStore: DataStore, HistoryProviding {
  struct Configuration: DataStoreConfiguration {
    typealias Store = DiaryStore
    var name: String
    var schema: Schema?
  }

  typealias Snapshot = DefaultSnapshot
  static var historyType: DiaryPage.Type { DiaryPage.self }

  let configuration: Configuration
  let schema: Schema
  var identifier: String { configuration.name }
  private var table = SnapshotTable<DefaultSnapshot>(keys: .numbers, remapsReferences: false)
  private var pages: [DiaryPage] = []

  init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    schema = configuration.schema ?? Schema([])
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: table.snapshots)
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    let page = (pages.last?.token.page ?? 0) + 1
    let remapped = try table.identifiers(for: request.inserted, in: identifier)
    table.apply(request, remapped)
    var changes: [HistoryChange] = []
    for snapshot in request.inserted {
      guard let permanent = remapped[snapshot.persistentIdentifier] else { continue }
      changes.append(
        .insert(
          DiaryInsert<Harbour>(
            changeIdentifier: changes.count, changedPersistentIdentifier: permanent,
            transactionIdentifier: page)))
    }
    for snapshot in request.updated {
      changes.append(
        .update(
          DiaryUpdate<Harbour>(
            changeIdentifier: changes.count,
            changedPersistentIdentifier: snapshot.persistentIdentifier, transactionIdentifier: page,
            updatedAttributes: [\.name])))
    }
    for snapshot in request.deleted {
      changes.append(
        .delete(
          DiaryDelete<Harbour>(
            changeIdentifier: changes.count,
            changedPersistentIdentifier: snapshot.persistentIdentifier, transactionIdentifier: page,
            tombstone: HistoryTombstone([(\.name, "gone")]))))
    }
    let token = DiaryToken(page: page)
    pages.append(
      DiaryPage(
        author: request.editingState.author, changes: changes, storeIdentifier: identifier,
        timestamp: Date(), token: token))
    return DataStoreSaveChangesResult(
      for: identifier, remappedIdentifiers: remapped, historyToken: token)
  }

  func fetchHistory(_ descriptor: HistoryDescriptor<DiaryPage>) throws -> [DiaryPage] {
    var found = try pages.filter { try descriptor.predicate?.evaluate($0) ?? true }
    found.sort(using: descriptor.sortBy)
    return descriptor.fetchLimit == 0 ? found : Array(found.prefix(Int(descriptor.fetchLimit)))
  }

  func deleteHistory(_ descriptor: HistoryDescriptor<DiaryPage>) throws {
    try pages.removeAll { try descriptor.predicate?.evaluate($0) ?? true }
  }
}
