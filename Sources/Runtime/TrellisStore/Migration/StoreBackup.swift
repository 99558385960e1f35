import CSQLite
import Foundation

/// A store backup next to the original: `Trips.store.backup-1.0.0`, with large values in
/// `Trips.store.backup-1.0.0-external`. It can be opened like any store.
///
/// Until ``keep(_:)`` is called, the backup has a temporary name, so the next attempt replaces a copy left by a killed
/// process. Otherwise, an app killed at every launch would fill the disk.
struct StoreBackup {
  let path: String
  /// The external file names, including files from unknown models.
  private(set) var fileNames: [String] = []
  /// True if a process killed during commit left an identical backup.
  private var isThere = false
  /// The suggested fix if the store cannot be copied.
  private let advice: String
  private var partial: String { path + ".partial" }

  /// Copies the last committed state. The caller holds the write lock, so no commit can occur during the copy.
  ///
  /// - Parameters:
  ///   - base: The backup path; a number is appended if a backup exists.
  ///   - advice: The suggested fix if the store cannot be copied.
  init(of specification: StoreSpecification, at base: String, advice: String) throws {
    self.advice = advice
    var earlier: [String] = []
    var path = base
    while FileManager.default.fileExists(atPath: path) {
      earlier.append(path)
      path = "\(base)-\(earlier.count + 1)"
    }
    self.path = path
    remove()
    let rights = FileRights(of: specification.file.path)
    do {
      // SQLite cannot back up through a connection that is writing. A separate connection sees the committed state.
      let source = try Connection(specification.file.path, .existing, specification.file.trace)
      // SQLite creates companion files with the same permissions as the backup.
      close(try CompanionFile.make(at: partial, rights))
      try Self.copy(source, to: Connection(partial, .existing, specification.file.trace))
      let partial = partial
      let same = earlier.first {
        FileKind(at: $0) == .regular && FileManager.default.contentsEqual(atPath: partial, andPath: $0)
      }
      if same != nil {
        isThere = true
        remove()
      } else {
        try Self.synchronize(partial)
      }
      try linkFiles(of: specification, beside: same ?? path, rights)
    } catch {
      remove()
      throw failure(specification, error)
    }
  }

  /// Moves the backup to the final path. Call this last, immediately before committing the migration.
  func keep(_ specification: StoreSpecification) throws {
    guard !isThere else { return }
    do {
      try FileManager.default.moveItem(atPath: partial, toPath: path)
    } catch {
      throw failure(specification, error)
    }
  }

  private func failure(_ specification: StoreSpecification, _ error: any Error) -> SwiftDataError {
    let problem: StoreProblem =
      error.isOutOfRoom ? .diskFull : (error as? FileError)?.isDenied == true ? .notWritable : .migrationFailed
    return specification.file.failure(
      problem,
      "the store cannot be copied to '\(path)', and nothing was touched: "
        + "\(error is CocoaError ? error.localizedDescription : "\(error)"); \(advice)")
  }

  private static func copy(_ source: Connection, to target: Connection) throws {
    guard let backup = sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
      throw SQLiteError(target.handle, result: SQLITE_ERROR)
    }
    let result = sqlite3_backup_step(backup, -1)
    let end = sqlite3_backup_finish(backup)
    guard result == SQLITE_DONE, end == SQLITE_OK else {
      throw SQLiteError(target.handle, result: result == SQLITE_DONE ? end : result)
    }
  }

  /// Creates hard links to the store's external files. The files never change, and a store that removes a file only
  /// removes its own link.
  private mutating func linkFiles(
    of specification: StoreSpecification, beside path: String, _ rights: FileRights?
  ) throws {
    let manager = FileManager.default
    let files = ExternalFiles(storePath: specification.file.path, columns: [])
    let copies = ExternalFiles(storePath: path, columns: [])
    guard FileKind(at: files.folder) == .folder else { return }
    fileNames = try manager.contentsOfDirectory(atPath: files.folder).filter { files.file(named: $0) != nil }
    for name in fileNames {
      guard let old = files.file(named: name)?.path, let new = copies.file(named: name)?.path,
        !manager.fileExists(atPath: new)
      else { continue }
      try copies.makeFolder(rights)
      // Some file systems do not support hard links.
      if Foundation.link(old, new) != 0 { try CompanionFile.copy(old, to: new, rights) }
    }
  }

  private static func synchronize(_ path: String) throws {
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    defer { try? handle.close() }
    try handle.synchronize()
  }

  /// Removes the backup files, including files left by a killed process. Only this backup uses these names.
  func remove() {
    for suffix in ["", ".partial", ".partial-journal"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
    try? FileManager.default.removeItem(atPath: ExternalFiles(storePath: path, columns: []).folder)
  }
}
