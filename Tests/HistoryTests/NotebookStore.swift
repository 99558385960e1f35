import Foundation
import TestStores
import Trellis

/// An in-memory store with a custom history, as a third party would write it.
final class NotebookStore: DataStore, HistoryProviding {
  struct Configuration: DataStoreConfiguration {
    typealias Store = NotebookStore
    var name = "notebook"
    var schema: Schema?
  }

  typealias Snapshot = DefaultSnapshot
  static var historyType: NotebookLine.Type { NotebookLine.self }

  let configuration: Configuration
  let schema: Schema
  var identifier: String { configuration.name }
  private var table = SnapshotTable<DefaultSnapshot>()
  private var lines: [NotebookLine] = []
  private var last = 0
  private var forgotten = 0

  init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    schema = configuration.schema ?? Schema()
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    try table.fetch(request)
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    let remapped = try table.identifiers(for: request.inserted, in: identifier)
    let former = table.rows
    table.apply(request, remapped)
    var changes: [HistoryChange] = []
    for snapshot in request.inserted.map({ table.permanent($0, remapped) }) {
      func insertion<M: PersistentModel>(_: M.Type) -> HistoryChange {
        .insert(
          NotebookInsert<M>(
            changeIdentifier: changes.count, changedPersistentIdentifier: snapshot.persistentIdentifier,
            transactionIdentifier: last + 1))
      }
      if let type = snapshot.modelType { changes.append(insertion(type)) }
    }
    for snapshot in request.updated.map({ table.permanent($0, remapped) }) {
      func update<M: PersistentModel>(_: M.Type) -> HistoryChange? {
        let paths = snapshot.changedKeyPaths(of: M.self, since: former[snapshot.persistentIdentifier])
        guard !paths.isEmpty else { return nil }
        return .update(
          NotebookUpdate<M>(
            changeIdentifier: changes.count, changedPersistentIdentifier: snapshot.persistentIdentifier,
            transactionIdentifier: last + 1, updatedAttributes: paths))
      }
      if let type = snapshot.modelType, let change = update(type) { changes.append(change) }
    }
    for snapshot in request.deleted {
      func deletion<M: PersistentModel>(_: M.Type) -> HistoryChange {
        .delete(
          NotebookDelete<M>(
            changeIdentifier: changes.count, changedPersistentIdentifier: snapshot.persistentIdentifier,
            transactionIdentifier: last + 1, tombstone: HistoryTombstone(snapshot)))
      }
      if let type = snapshot.modelType { changes.append(deletion(type)) }
    }
    last += 1
    if request.editingState.recordsHistory {
      lines.append(
        NotebookLine(
          author: request.editingState.author, changes: changes, storeIdentifier: identifier, timestamp: Date(),
          token: NotebookToken(line: last)))
    } else {
      forgotten = last
    }
    return DataStoreSaveChangesResult(
      for: identifier, remappedIdentifiers: remapped, historyToken: NotebookToken(line: last))
  }

  func fetchHistory(_ descriptor: HistoryDescriptor<NotebookLine>) throws -> [NotebookLine] {
    if descriptor.startingTokens.contains(where: { $0.line < forgotten }) { throw SwiftDataError.historyTokenExpired }
    let found = try lines.filter { try descriptor.predicate?.evaluate($0) ?? true }.sorted(using: descriptor.sortBy)
    return descriptor.fetchLimit == 0 ? found : Array(found.prefix(Int(clamping: descriptor.fetchLimit)))
  }

  func deleteHistory(_ descriptor: HistoryDescriptor<NotebookLine>) throws {
    let gone = Set(try fetchHistory(HistoryDescriptor()).filter { try descriptor.predicate?.evaluate($0) ?? true })
    lines.removeAll(where: gone.contains)
    forgotten = max(forgotten, gone.map(\.token.line).max() ?? 0)
  }
}
