import Foundation
import Synchronization
import Trellis

/// A JSON file that this program has open: all its stores work on the same models.
final class OpenJSONFile: Sendable {
  let engine: DefaultStore
  let history: JSONHistory
  private let file: JSONFile

  private struct Entry { weak var open: OpenJSONFile? }

  private static let entries = Mutex<[String: Entry]>([:])

  private init(
    _ file: JSONFile, _ configuration: JSONFileConfiguration, _ schema: Schema, _ plan: (any SchemaMigrationPlan.Type)?
  ) throws {
    let opener = JSONFileOpener(file: file, schema: schema, plan: plan, configuration)
    engine = try opener.open()
    history = opener.history
    self.file = file
  }

  /// The open file of a configuration; one that no store has open is opened.
  static func file(
    of configuration: JSONFileConfiguration, _ schema: Schema, _ plan: (any SchemaMigrationPlan.Type)?
  ) throws -> OpenJSONFile {
    let path = resolved(configuration.url)
    // Before a lock is made beside it.
    if let problem = StoreFile.problem(at: path) { throw problem }
    guard configuration.allowsSave else {
      return try OpenJSONFile(JSONFile(path: path, lock: nil), configuration, schema, plan)
    }
    return try entries.withLock { entries in
      entries = entries.filter { $0.value.open != nil }
      let known = entries[path]?.open
      if let known, !known.file.isReplaced {
        guard known.engine.hasSchema(schema) else {
          throw SwiftDataError.opening(
            .locked, "this program has the file open with other models: use those, or close it first", path: path)
        }
        return known
      }
      // Stores that have the former file open can read it, and write no more.
      let lock = try known?.file.lock ?? JSONFileLock(path)
      let file = JSONFile(path: path, lock: lock)
      let open = try OpenJSONFile(file, configuration, schema, plan)
      lock.give(to: file)
      entries[path] = Entry(open: open)
      return open
    }
  }

  /// The path of the file itself, through all links.
  private static func resolved(_ url: URL) -> String {
    var name = url.standardizedFileURL
    // Of a path that leads to nothing yet, Foundation resolves no link: the folder first, then one by one.
    for _ in 0..<40 {
      let folder = name.deletingLastPathComponent().resolvingSymlinksInPath()
      name = folder.appendingPathComponent(name.lastPathComponent)
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: name.path) else {
        break
      }
      name =
        URL(fileURLWithPath: target, relativeTo: folder.appendingPathComponent("", isDirectory: true))
        .standardizedFileURL
    }
    return name.standardizedFileURL.path
  }
}
