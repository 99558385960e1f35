import Foundation
import PostgresSupport
import Trellis

@testable import TestStores

/// The kinds of stores for all tests.
enum StoreKind: CaseIterable { case memory, disk, snapshots, postgres }

/// A container with a temporary store that is removed with the object.
final class StorePlace {
  let container: ModelContainer
  private let configuration: any DataStoreConfiguration
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

  /// A context of a second container, which reads the store like another process. A store in memory has no second
  /// container.
  func elsewhere() throws -> ModelContext {
    let context = ModelContext(try ModelContainer(for: container.schema, configurations: [configuration]))
    contexts.append(context)
    return context
  }

  deinit { if let folder { try? FileManager.default.removeItem(at: folder) } }
}
