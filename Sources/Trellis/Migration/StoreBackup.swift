import CSQLite
import Foundation

/// A copy of a store, beside it: `Trips.store.backup-1.0.0`.
struct StoreBackup {
  let path: String

  private static let pagesAtOnce: Int32 = 1_000

  /// Copies what was committed last. The caller holds the write lock, so nothing is committed meanwhile.
  init(of opener: StoreOpener, version: Schema.Version) throws {
    let base = "\(opener.file.path).backup-\(version)"
    var path = base
    var number = 2
    while FileManager.default.fileExists(atPath: path) {
      path = "\(base)-\(number)"
      number += 1
    }
    self.path = path
    let partial = path + ".partial"
    try? FileManager.default.removeItem(atPath: partial)
    do {
      // The writer itself cannot be read by a copy: another connection sees what was committed.
      let source = try Connection(
        Connection.uri(opener.file.path, "mode=rw"), .existing)
      try Self.copy(source, to: Connection(Connection.uri(partial, "mode=rwc"), .creating))
      try Self.synchronize(partial)
      try FileManager.default.moveItem(atPath: partial, toPath: path)
    } catch {
      try? FileManager.default.removeItem(atPath: partial)
      throw opener.file.failure(
        .migrationFailed,
        "the store cannot be copied to '\(path)' before its rows are rewritten, and nothing was touched: "
          + "\(error); free some space, or set 'migration.keepsBackup' of the configuration to false")
    }
  }

  private static func copy(_ source: Connection, to target: Connection) throws {
    guard let backup = sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
      throw SQLiteError(target.handle, result: SQLITE_ERROR)
    }
    var result = SQLITE_OK
    while result == SQLITE_OK { result = sqlite3_backup_step(backup, pagesAtOnce) }
    let end = sqlite3_backup_finish(backup)
    guard result == SQLITE_DONE, end == SQLITE_OK else {
      throw SQLiteError(target.handle, result: result == SQLITE_DONE ? end : result)
    }
  }

  private static func synchronize(_ path: String) throws {
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    defer { try? handle.close() }
    try handle.synchronize()
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
