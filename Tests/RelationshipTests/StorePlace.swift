import Foundation
import PostgresSupport
import Trellis

@testable import TestStores

/// The kinds of stores for all tests.
enum StoreKind: CaseIterable { case memory, disk, snapshots, postgres }

/// A container with a temporary store that is removed with the object.
final class StorePlace {
  let container: ModelContainer
  private let folder: URL?
  /// The contexts, retained because models of a released context would read as detached.
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
    case .postgres:
      folder = nil
      container = try ModelContainer(
        for: schema, configurations: [PostgresServer.shared.get().configuration()])
    }
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

  deinit { if let folder { try? FileManager.default.removeItem(at: folder) } }
}
