import Foundation
import Trellis

/// The kinds of stores everything is run on.
enum StoreKind: CaseIterable { case memory, disk, snapshots }

/// A container on a store of its own, which goes with it.
final class StorePlace {
  let container: ModelContainer
  private let folder: URL?
  /// Contexts live as long as the place: models of a context that is gone read as detached.
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
    }
  }

  convenience init(_ kind: StoreKind = .memory, _ models: any PersistentModel.Type...) throws {
    try self.init(kind, Schema(models))
  }

  /// Another context of the container, which knows nothing yet.
  func fresh() -> ModelContext {
    let context = ModelContext(container)
    contexts.append(context)
    return context
  }

  deinit { if let folder { try? FileManager.default.removeItem(at: folder) } }
}
