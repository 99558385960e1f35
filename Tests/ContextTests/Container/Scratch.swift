import Foundation
import Trellis

/// A temporary folder that is removed with the object.
final class Scratch {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "trellis-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func url(_ name: String) -> URL { folder.appending(path: "\(name).store") }

  /// The names of the files in the folder.
  func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }
}

func memory(_ name: String? = nil, _ schema: Schema? = nil) -> ModelConfiguration {
  ModelConfiguration(name, schema: schema, isStoredInMemoryOnly: true)
}

func names<T: PersistentModel>(_ type: T.Type, _ path: KeyPath<T, String>, in container: ModelContainer) throws
  -> [String]
{
  try ModelContext(container).fetch(FetchDescriptor<T>()).map { $0[keyPath: path] }.sorted()
}
