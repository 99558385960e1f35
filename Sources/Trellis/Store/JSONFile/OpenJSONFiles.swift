import Foundation
import Synchronization

/// The JSON files this program has open: two containers of one file work on the same models.
enum OpenJSONFiles {
  private struct Entry {
    weak var engine: DefaultStore?
  }

  private static let entries = Mutex<[String: Entry]>([:])

  /// The engine with the models of a file, opened where nobody has.
  static func engine(
    for configuration: JSONFileConfiguration, _ schema: Schema
  ) throws -> DefaultStore {
    // The folder first: of a path that leads to nothing yet, no link is resolved.
    let folder = configuration.url.standardizedFileURL.deletingLastPathComponent()
      .resolvingSymlinksInPath()
    let path = folder.appendingPathComponent(configuration.url.lastPathComponent)
      .resolvingSymlinksInPath().standardizedFileURL.path
    // One that is only read is nobody else's business.
    guard configuration.allowsSave else {
      return try JSONFileOpener(path: path, schema: schema, allowsSave: false).open()
    }
    return try entries.withLock { entries in
      entries = entries.filter { $0.value.engine != nil }
      if let open = entries[path]?.engine {
        guard SchemaFingerprint.text(of: open.schema) == SchemaFingerprint.text(of: schema) else {
          throw SwiftDataError.opening(
            .locked, "this program has the file open with other models: use those, or close it first",
            path: path)
        }
        return open
      }
      let engine = try JSONFileOpener(path: path, schema: schema, allowsSave: true).open()
      entries[path] = Entry(engine: engine)
      return engine
    }
  }
}
