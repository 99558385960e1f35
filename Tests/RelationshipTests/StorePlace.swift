import Foundation
import PostgresSupport
import TestSupport
import Trellis
import TrellisPostgres

@testable import TestStores

/// The kinds of stores for all tests.
enum StoreKind: CaseIterable { case memory, disk, snapshots, postgres }

/// A container with a temporary store that is removed with the object.
final class StorePlace {
  let container: ModelContainer
  let configuration: any DataStoreConfiguration
  private let folder: URL?
  /// The contexts, retained because models of a released context would read as detached.
  private var contexts: [ModelContext] = []

  init(_ kind: StoreKind, _ schema: Schema) throws {
    var folder: URL?
    switch kind {
    case .memory: configuration = ModelConfiguration(isStoredInMemoryOnly: true)
    case .disk:
      let place = FileManager.default.temporaryDirectory.appendingPathComponent("trellis-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      folder = place
      configuration = ModelConfiguration(url: place.appendingPathComponent("test.store"))
    case .snapshots: configuration = SnapshotStore.Configuration(schema: schema)
    case .postgres: configuration = try PostgresServer.shared.get().configuration()
    }
    self.folder = folder
    container = try ModelContainer(for: schema, configurations: [configuration])
  }

  convenience init(_ kind: StoreKind = .memory, _ models: any PersistentModel.Type...) throws {
    try self.init(kind, Schema(models))
  }

  /// Another context of the container without registered models.
  func fresh() -> ModelContext {
    let context = ModelContext(container)
    contexts.append(context)
    return context
  }

  /// Executes SQL like another program, in a file or on a server.
  func run(_ sql: String) throws {
    if let file = configuration as? ModelConfiguration {
      try SQLiteShell(file.url).run(sql)
    } else if let server = configuration as? PostgresConfiguration, let schema = server.schemaName {
      try PostgresServer.shared.get().psql("SET search_path TO \"\(schema)\"; \(sql)")
    }
  }

  deinit { if let folder { try? FileManager.default.removeItem(at: folder) } }
}
