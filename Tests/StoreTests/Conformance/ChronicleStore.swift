import Foundation
import TestStores
import Trellis

/// An in-memory store with a custom history, as a third party would write it.
struct ChronicleConfiguration: DataStoreConfiguration {
  typealias Store = ChronicleStore

  final class Book {
    var table = SnapshotTable<DefaultSnapshot>()
    var entries: [ChronicleEntry] = []
    /// The numbers of the last entry and of the last deleted entry.
    var last = 0
    var forgotten = 0
    var isClosed = false
  }

  /// The possible faults.
  enum Fault: String, CaseIterable {
    case losesAuthors, forgetsUpdates, leavesNothing, answersExpiredTokens, countsFailedSaves
  }

  var name = "chronicle"
  var schema: Schema?
  let book = Book()
  let fault: Fault?

  init(_ fault: Fault? = nil) { self.fault = fault }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.book === rhs.book }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(book)) }
}

struct ChronicleToken: HistoryToken {
  var number: Int
  var tokenValue: Int? { number }
  var id: Int { number }
  static func < (lhs: Self, rhs: Self) -> Bool { lhs.number < rhs.number }
}

struct ChronicleEntry: HistoryTransaction {
  let author: String?
  let changes: [HistoryChange]
  let storeIdentifier: String
  let timestamp: Date
  let token: ChronicleToken
  var transactionIdentifier: Int { token.number }
  var id: Int { token.number }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.token == rhs.token }
  func hash(into hasher: inout Hasher) { hasher.combine(token) }
}

struct ChronicleChange<Model: PersistentModel>: HistoryInsert, HistoryUpdate, HistoryDelete {
  let changeIdentifier: Int
  let changedPersistentIdentifier: PersistentIdentifier
  let transactionIdentifier: Int
  var updatedAttributes: [any PartialKeyPath<Model> & Sendable] = []
  var tombstone = HistoryTombstone<Model>([])
}

final class ChronicleStore: DataStore, HistoryProviding {
  typealias Configuration = ChronicleConfiguration
  typealias Snapshot = DefaultSnapshot

  struct Closed: Error {}

  static var historyType: ChronicleEntry.Type { ChronicleEntry.self }

  let configuration: ChronicleConfiguration
  let schema: Schema
  let identifier = "chronicle"
  private var book: ChronicleConfiguration.Book { configuration.book }

  init(_ configuration: ChronicleConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    schema = configuration.schema ?? Schema()
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    try book.table.fetch(request)
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    if book.isClosed, configuration.fault != .countsFailedSaves { throw Closed() }
    book.last += 1
    var changes: [HistoryChange] = []
    let remapped = try book.table.identifiers(for: request.inserted, in: identifier)
    let former = book.table.rows
    book.table.apply(request, remapped)
    func add<M: PersistentModel>(
      _: M.Type, _ snapshot: DefaultSnapshot, _ kind: (ChronicleChange<M>) -> HistoryChange,
      _ edit: (inout ChronicleChange<M>) -> Void = { _ in }
    ) {
      var change = ChronicleChange<M>(
        changeIdentifier: changes.count, changedPersistentIdentifier: snapshot.persistentIdentifier,
        transactionIdentifier: book.last)
      edit(&change)
      changes.append(kind(change))
    }
    func insert<M: PersistentModel>(_ type: M.Type, _ snapshot: DefaultSnapshot) {
      add(type, snapshot, { .insert($0) })
    }
    func update<M: PersistentModel>(_ type: M.Type, _ snapshot: DefaultSnapshot) {
      let changed = snapshot.changedKeyPaths(of: M.self, since: former[snapshot.persistentIdentifier])
      guard !changed.isEmpty, configuration.fault != .forgetsUpdates else { return }
      add(type, snapshot, { .update($0) }) { $0.updatedAttributes = changed }
    }
    func delete<M: PersistentModel>(_ type: M.Type, _ snapshot: DefaultSnapshot) {
      add(type, snapshot, { .delete($0) }) { change in
        if configuration.fault != .leavesNothing { change.tombstone = HistoryTombstone(snapshot) }
      }
    }
    let inserted = request.inserted.map { book.table.permanent($0, remapped) }
    for row in inserted { if let type = row.modelType { insert(type, row) } }
    let updated = request.updated.map { book.table.permanent($0, remapped) }
    for row in updated { if let type = row.modelType { update(type, row) } }
    for row in request.deleted { if let type = row.modelType { delete(type, row) } }
    let token = ChronicleToken(number: book.last)
    if request.editingState.recordsHistory, !changes.isEmpty {
      book.entries.append(
        ChronicleEntry(
          author: configuration.fault == .losesAuthors ? nil : request.editingState.author,
          changes: changes, storeIdentifier: identifier, timestamp: Date(), token: token))
    }
    if book.isClosed { throw Closed() }
    return DataStoreSaveChangesResult(
      for: identifier, remappedIdentifiers: remapped, historyToken: token)
  }

  func fetchHistory(_ descriptor: HistoryDescriptor<ChronicleEntry>) throws -> [ChronicleEntry] {
    for token in descriptor.startingTokens
    where token.number < book.forgotten && configuration.fault != .answersExpiredTokens {
      throw SwiftDataError.historyTokenExpired
    }
    var found = try book.entries.filter { try descriptor.predicate?.evaluate($0) ?? true }
    found.sort(using: descriptor.sortBy)
    return descriptor.fetchLimit == 0 ? found : Array(found.prefix(Int(descriptor.fetchLimit)))
  }

  func deleteHistory(_ descriptor: HistoryDescriptor<ChronicleEntry>) throws {
    let gone = Set(try book.entries.filter { try descriptor.predicate?.evaluate($0) ?? true })
    book.entries.removeAll(where: gone.contains)
    book.forgotten = max(book.forgotten, gone.map(\.token.number).max() ?? 0)
  }
}
