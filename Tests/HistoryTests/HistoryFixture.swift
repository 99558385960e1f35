import Foundation
import PostgresSupport
import TestSupport
import Testing
import Trellis
import TrellisPostgres

/// The stores with a default history.
enum StoreKind: CaseIterable, Sendable {
  case file, memory, postgres
}

/// A container with a separate store, and its history as text.
final class HistoryFixture {
  let folder: URL
  private(set) var container: ModelContainer
  let context: ModelContext

  let kind: StoreKind
  /// The schema of the database with the store.
  private let postgres: String?

  init(
    _ kind: StoreKind = .file, _ configure: (inout ModelConfiguration) -> Void = { _ in }
  ) throws {
    self.kind = kind
    folder = FileManager.default.temporaryDirectory.appending(path: "trellis-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    postgres = kind == .postgres ? try PostgresServer.shared.get().configuration().schemaName : nil
    container = try Self.open(folder, kind, postgres, configure)
    context = ModelContext(container)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var url: URL { Self.url(folder) }

  private static func url(_ folder: URL) -> URL {
    folder.appending(path: "history.store")
  }

  private static func open(
    _ folder: URL, _ kind: StoreKind, _ postgres: String?, _ configure: (inout ModelConfiguration) -> Void
  ) throws -> ModelContainer {
    let schema = Schema([Parcel.self, Item.self, Label.self, Stamp.self, Stop.self, Document.self, Report.self])
    var configuration =
      kind == .memory
      ? ModelConfiguration(schema: schema, isStoredInMemoryOnly: true)
      : ModelConfiguration(schema: schema, url: url(folder))
    configure(&configuration)
    if let postgres {
      var server = try PostgresServer.shared.get().configuration(schema: schema)
      server.schemaName = postgres
      server.history = configuration.history
      server.allowsSave = configuration.allowsSave
      return try ModelContainer(for: schema, configurations: [server])
    }
    return try ModelContainer(for: schema, configurations: configuration)
  }

  /// Another container for the store, as another program would open it.
  func another(_ configure: (inout ModelConfiguration) -> Void = { _ in }) throws -> ModelContainer {
    try kind == .memory ? container : Self.open(folder, kind, postgres, configure)
  }

  func all() throws -> [DefaultHistoryTransaction] {
    try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
  }

  func since(_ token: DefaultHistoryToken) throws -> [DefaultHistoryTransaction] {
    try context.fetchHistory(
      HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token }))
  }

  /// The changes of the last transaction: `insert Parcel`, `update Parcel: note, count`.
  func last() throws -> [String] { try all().last.map { $0.changes.map(\.text) } ?? [] }

  func sql(_ text: String) throws -> String { try Self.sql(text, in: url) }

  @discardableResult static func sql(_ text: String, in url: URL) throws -> String { try SQLiteShell(url).run(text) }
}

extension HistoryChange {
  /// The kind of change, the class of the model and the names of changed properties.
  var text: String {
    func words<T: HistoryUpdate>(_ update: T) -> String {
      let names = T.Model.schemaMetadata.compactMap { metadata in
        metadata.keypath.flatMap { path in
          update.updatedAttributes.contains { $0 == path } ? metadata.name : nil
        }
      }
      return "update \(T.Model.self): \(names.joined(separator: ", "))"
    }
    func words<T: HistoryInsert>(_ insert: T) -> String { "insert \(T.Model.self)" }
    func words<T: HistoryDelete>(_ delete: T) -> String {
      "delete \(T.Model.self): \(delete.tombstone.map { "\($0)" }.joined(separator: ", "))"
    }
    switch self {
    case .insert(let change): return words(change)
    case .update(let change): return words(change)
    case .delete(let change): return words(change)
    }
  }
}
