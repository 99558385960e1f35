import CSQLite
import Foundation

/// A copy of a store, beside it: `Trips.store.backup-1.0.0`, with the files of its large values in
/// `Trips.store.backup-1.0.0-external`. It can be opened like any store.
///
/// It has another name until ``keep()``: one that a killed process has left is replaced by the next
/// attempt. A program that is killed at every start would fill the disk otherwise.
struct StoreBackup {
  let path: String
  /// The names of the store's external files, also those of unknown models.
  private(set) var fileNames: [String] = []
  /// Whether a process that was killed while it committed has left the same copy.
  private var isThere = false
  /// What to do if the store cannot be copied.
  private let advice: String
  private var partial: String { path + ".partial" }

  /// Copies what was committed last. The caller holds the write lock, so nothing is committed meanwhile.
  ///
  /// - Parameters:
  ///   - base: the path of the copy; a number follows if there is another copy.
  ///   - advice: what to do if the store cannot be copied.
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
      // The writer itself cannot be read by a copy: another connection sees what was committed.
      let source = try Connection(specification.file.path, .existing, specification.file.trace)
      // SQLite gives what it makes beside the copy the rights of the copy.
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

  /// Gives the copy its name: to be called last before the migration is committed.
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

  /// Gives the external files of the store a second name: they are never changed, and the store that removes one only
  /// removes its own name.
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
      // Not every file system has second names.
      if Foundation.link(old, new) != 0 { try CompanionFile.copy(old, to: new, rights) }
    }
  }

  private static func synchronize(_ path: String) throws {
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    defer { try? handle.close() }
    try handle.synchronize()
  }

  /// Takes away what there is of the copy, also of one that a killed process began: nothing else has its
  /// names.
  func remove() {
    for suffix in ["", ".partial", ".partial-journal"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
    try? FileManager.default.removeItem(atPath: ExternalFiles(storePath: path, columns: []).folder)
  }
}
