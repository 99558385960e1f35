import Foundation
import Trellis

/// A container with all models of the schema, in memory or in a separate file.
final class Stage {
  let container: ModelContainer
  private let folder: URL?

  init(onDisk: Bool = false) throws {
    let schema = Schema([Band.self, Festival.self, Account.self])
    let configuration: ModelConfiguration
    if onDisk {
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "trellis-concurrency-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      self.folder = folder
      configuration = ModelConfiguration(url: folder.appending(path: "bands.store"))
    } else {
      folder = nil
      configuration = ModelConfiguration(isStoredInMemoryOnly: true)
    }
    container = try ModelContainer(for: schema, configurations: [configuration])
  }

  deinit {
    if let folder { try? FileManager.default.removeItem(at: folder) }
  }

  func context() -> ModelContext { ModelContext(container) }

  /// Saves bands with the names in another context.
  @discardableResult
  func save(_ names: String..., genre: String = "rock") throws -> [PersistentIdentifier] {
    let context = ModelContext(container)
    let bands = names.map { Band(name: $0, genre: genre) }
    bands.forEach(context.insert)
    try context.save()
    return bands.map(\.persistentModelID)
  }

  /// Changes a saved band in another context.
  func edit(_ id: PersistentIdentifier, _ body: (Band) -> Void) throws {
    try edit(id, as: Band.self, body)
  }

  /// Changes a saved model in another context.
  func edit<M: PersistentModel>(
    _ id: PersistentIdentifier, as type: M.Type, _ body: (M) -> Void
  ) throws {
    let context = ModelContext(container)
    guard let model = context.model(for: id) as? M else { return }
    body(model)
    try context.save()
  }

  /// Deletes a saved model in another context.
  func delete(_ id: PersistentIdentifier) throws {
    let context = ModelContext(container)
    if let band = context.model(for: id) as? Band { context.delete(band) }
    try context.save()
  }
}

extension Band {
  /// A computed property, which is not stored.
  var title: String { "\(name) (\(genre))" }
  var initial: String { String(name.prefix(1)) }
}
