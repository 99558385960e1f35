import CSQLite
import Foundation

/// A copy of a store with its external files: `Trips.store.backup-1.0.0`, with large values in
/// `Trips.store.backup-1.0.0-external`. It can be opened like any store.
///
/// SQLite's backup interface copies the pages inside a read transaction, so the copy is a consistent snapshot that
/// includes commits that are only in the write-ahead log. Writers do not wait. The transaction ends after the external
/// files are copied: until then, no process removes a file to which the copied rows refer.
///
/// Until ``keep()`` is called, the copy has a temporary name, so the next attempt replaces a copy left by a killed
/// process. Otherwise, an app killed at every launch would fill the disk.
package struct StoreBackup {
  let path: String
  /// The names of the copied external files.
  package private(set) var fileNames: [String] = []
  /// External files to which rows refer, but which are missing, are not regular files, or have the wrong size.
  package private(set) var missingFiles: [String] = []
  /// True if a process killed during commit left an identical backup.
  private var isThere = false
  /// Makes an error from the file system more specific.
  private var explained: (any Error) -> any Error = { $0 }
  private var partial: String { path + ".partial" }

  /// Copies the last committed state before a migration. The caller holds the write lock, so no commit can occur during
  /// the copy.
  ///
  /// - Parameters:
  ///   - base: The backup path; a number is appended if a backup exists.
  ///   - advice: The suggested fix if the store cannot be copied.
  init(of specification: StoreSpecification, at base: String, advice: String) throws {
    var earlier: [String] = []
    var path = base
    while FileManager.default.fileExists(atPath: path) {
      earlier.append(path)
      path = "\(base)-\(earlier.count + 1)"
    }
    self.path = path
    let file = specification.file
    explained = { [path] error in
      let problem: StoreProblem =
        error.isOutOfRoom ? .diskFull : (error as? FileError)?.isDenied == true ? .notWritable : .migrationFailed
      return file.failure(
        problem,
        "the store cannot be copied to '\(path)', and nothing was touched: "
          + "\(error is CocoaError ? error.localizedDescription : "\(error)"); \(advice)")
    }
    do {
      // SQLite cannot back up through a connection that is writing. A separate connection sees the committed state.
      let source = try Connection(file.path, .existing, file.trace)
      try copy(source, file.path) { _ in }
      let partial = partial
      let same = earlier.first {
        FileKind(at: $0) == .regular && FileManager.default.contentsEqual(atPath: partial, andPath: $0)
      }
      isThere = same != nil
      let folder = ExternalFiles(storePath: file.path, columns: []).folder
      // Includes files from unknown models.
      let names = FileKind(at: folder) == .folder ? try FileManager.default.contentsOfDirectory(atPath: folder) : []
      try linkFiles(names, of: file.path, beside: same ?? path)
      if isThere { removePartial() }
    } catch {
      remove()
      throw explained(error)
    }
  }

  /// Copies a store's last committed state. Any process may write to the store in the meantime.
  ///
  /// - Parameters:
  ///   - store: The store's path.
  ///   - target: The path of the copy, at which nothing exists.
  ///   - columns: The columns that can contain names of external files.
  ///   - progress: Called with the copied part, from 0 to 1.
  /// - Throws: ``SQLiteError``, ``FileError`` and errors from Foundation. Nothing is left at the target.
  package init(
    of store: String, at target: String, columns: [ExternalFiles.Column], _ progress: (Double) -> Void
  ) throws {
    path = target
    do {
      let source = try SharedFile(store)
      try source.read {
        // The first query determines the state that is copied.
        let names = try columns.flatMap(source.connection.texts)
        try copy(source.connection, store, progress)
        try linkFiles(names, of: store, beside: partial)
      }
    } catch {
      removePartial()
      throw error
    }
  }

  /// Moves the copy to the final path. For a migration, call this immediately before the commit.
  package func keep() throws {
    guard !isThere else { return }
    do {
      for suffix in ["-external", ""] where FileKind(at: partial + suffix) != .nothing {
        try FileManager.default.moveItem(atPath: partial + suffix, toPath: path + suffix)
      }
    } catch {
      throw explained(error)
    }
    CompanionFile.synchronizeFolder(around: path)
  }

  /// Copies the pages and waits for the disk.
  private func copy(_ source: Connection, _ store: String, _ progress: (Double) -> Void) throws {
    removePartial()
    // SQLite creates companion files with the same permissions as the copy.
    close(try CompanionFile.make(at: partial, FileRights(of: store)))
    do {
      let target = try Connection(partial, .existing)
      guard let backup = sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
        throw SQLiteError(target.handle, result: SQLITE_ERROR)
      }
      var result = SQLITE_OK
      while result == SQLITE_OK {
        // In steps of 16 MB, for the progress.
        result = sqlite3_backup_step(backup, 4_096)
        let (all, left) = (sqlite3_backup_pagecount(backup), sqlite3_backup_remaining(backup))
        progress(all == 0 ? 1 : Double(all - left) / Double(all))
      }
      let end = sqlite3_backup_finish(backup)
      guard result == SQLITE_DONE, end == SQLITE_OK else {
        throw SQLiteError(target.handle, result: result == SQLITE_DONE ? end : result)
      }
    }
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: partial))
    defer { try? handle.close() }
    try handle.synchronize()
  }

  /// Creates hard links to the store's external files. The files never change, and a store that removes a file only
  /// removes its own link. Symbolic links and devices are not followed.
  private mutating func linkFiles(_ names: [String], of store: String, beside path: String) throws {
    let files = ExternalFiles(storePath: store, columns: [])
    let copies = ExternalFiles(storePath: path, columns: [])
    let rights = FileRights(of: store)
    for name in names {
      let (file, new) = (files.file(named: name), copies.file(named: name)?.path)
      let isRegular = file.map { CompanionFile.isRegular($0.path) } ?? false
      let isWhole = file.map { FileStamp.size($0.path) == $0.length } ?? false
      if !isRegular || !isWhole { missingFiles.append(name) }
      guard let old = file?.path, let new, isRegular else { continue }
      fileNames.append(name)
      guard !FileManager.default.fileExists(atPath: new) else { continue }
      try copies.makeFolder(rights)
      // Some file systems do not support hard links.
      if Foundation.link(old, new) != 0 { try CompanionFile.copy(old, to: new, rights) }
    }
  }

  /// Removes the copy. Only this backup uses these names.
  func remove() {
    removePartial()
    guard !isThere else { return }
    try? FileManager.default.removeItem(atPath: path)
    try? FileManager.default.removeItem(atPath: ExternalFiles(storePath: path, columns: []).folder)
  }

  /// Removes the unfinished copy, including one left by a killed process.
  package func removePartial() {
    for suffix in ["", "-journal", "-external"] { try? FileManager.default.removeItem(atPath: partial + suffix) }
  }
}
