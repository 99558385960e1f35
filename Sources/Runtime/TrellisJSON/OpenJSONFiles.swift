import Foundation
import Synchronization
import Trellis

/// The JSON files this program has open: two containers of one file work on the same models.
enum OpenJSONFiles {
  private struct Entry {
    weak var engine: DefaultStore?
    weak var file: JSONFile?
    weak var history: JSONHistory?
  }

  private static let entries = Mutex<[String: Entry]>([:])

  /// What the stores of one file share.
  struct Open {
    let engine: DefaultStore
    let history: JSONHistory
  }

  /// The engine with the models of a file, opened where nobody has.
  static func engine(
    for configuration: JSONFileConfiguration, _ schema: Schema,
    _ plan: (any SchemaMigrationPlan.Type)?
  ) throws -> Open {
    let path = resolved(configuration.url)
    // Before a lock is made beside it.
    if let problem = StoreFile.problem(at: path) { throw problem }
    // One that is only read is nobody else's business.
    guard configuration.allowsSave else {
      let opener = JSONFileOpener(
        file: JSONFile(path: path, lock: nil), schema: schema, plan: plan, configuration)
      return Open(engine: try opener.open(), history: opener.history)
    }
    return try entries.withLock { entries in
      entries = entries.filter { $0.value.engine != nil }
      let known = entries[path]
      if let open = known?.engine, let history = known?.history, known?.file?.isReplaced != true {
        guard open.hasSchema(schema) else {
          throw SwiftDataError.opening(
            .locked, "this program has the file open with other models: use those, or close it first",
            path: path)
        }
        return Open(engine: open, history: history)
      }
      // Another file than the one that is open: whoever has that one can read it, and write no more.
      let lock = try known?.file?.lock ?? JSONFileLock(path)
      let file = JSONFile(path: path, lock: lock)
      let opener = JSONFileOpener(file: file, schema: schema, plan: plan, configuration)
      let engine = try opener.open()
      lock.give(to: file)
      entries[path] = Entry(engine: engine, file: file, history: opener.history)
      return Open(engine: engine, history: opener.history)
    }
  }

  /// The path of the file itself, through whatever links it is named.
  private static func resolved(_ url: URL) -> String {
    var name = url.standardizedFileURL
    // Of a path that leads to nothing yet, no link is resolved: the folder first, then one by one.
    for _ in 0..<40 {
      let folder = name.deletingLastPathComponent().resolvingSymlinksInPath()
      name = folder.appendingPathComponent(name.lastPathComponent)
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: name.path) else {
        break
      }
      name = URL(fileURLWithPath: target, relativeTo: folder.appendingPathComponent("", isDirectory: true))
        .standardizedFileURL
    }
    return name.standardizedFileURL.path
  }
}
