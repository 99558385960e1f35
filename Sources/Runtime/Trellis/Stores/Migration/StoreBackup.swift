import CSQLite
import Foundation

/// A copy of a store, beside it: `Trips.store.backup-1.0.0`, with the files of its large values in
/// `Trips.store.backup-1.0.0-external`. It can be opened like any store.
///
/// It has another name until ``keep()``: one that a killed process has left is replaced by the next
/// attempt. A program that is killed at every start would fill the disk otherwise.
struct StoreBackup {
  let path: String
  /// Whether a process that was killed while it committed has left the same copy.
  private var isThere = false
  /// What to do if the store cannot be copied.
  private let advice: String
  private var partial: String { path + ".partial" }

  private static let pagesAtOnce: Int32 = 1_000

  /// Copies what was committed last. The caller holds the write lock, so nothing is committed meanwhile.
  ///
  /// - Parameter files: the files of the version that is copied.
  init(of specification: StoreSpecification, version: Schema.Version, _ files: ExternalFiles?) throws {
    try self.init(
      of: specification, at: "\(specification.file.path).backup-\(version)", files,
      advice: "free some space, or set 'migration.keepsBackup' of the configuration to false")
  }

  /// - Parameters:
  ///   - base: the path of the copy; a number follows if there is another copy.
  ///   - advice: what to do if the store cannot be copied.
  init(of specification: StoreSpecification, at base: String, _ files: ExternalFiles?, advice: String) throws {
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
      let source = try Connection(
        Connection.uri(specification.file.path, "mode=rw"), .existing, specification.file.trace)
      // SQLite gives what it makes beside the copy the rights of the copy.
      close(try CompanionFile.make(at: partial, rights))
      try Self.copy(source, to: Connection(Connection.uri(partial, "mode=rw"), .existing, specification.file.trace))
      let partial = partial
      let isSame = { FileKind(at: $0) == .regular && FileManager.default.contentsEqual(atPath: partial, andPath: $0) }
      if let same = earlier.first(where: isSame) {
        isThere = true
        remove()
        if let files { try Self.link(Self.names(of: files, source), of: files, beside: same, rights) }
        return
      }
      try Self.synchronize(partial)
      if let files { try Self.link(Self.names(of: files, source), of: files, beside: path, rights) }
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

  /// Gives all external files of the store a second name, also those of unknown models.
  ///
  /// - Returns: the names of the files.
  func linkAll(of specification: StoreSpecification) throws -> [String] {
    let files = ExternalFiles(storePath: specification.file.path, columns: [])
    do {
      guard FileKind(at: files.folder) == .folder else { return [] }
      let names = try FileManager.default.contentsOfDirectory(atPath: files.folder)
        .filter { files.file(named: $0) != nil }
      try Self.link(names, of: files, beside: path, FileRights(of: specification.file.path))
      return names
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
    var result = SQLITE_OK
    while result == SQLITE_OK { result = sqlite3_backup_step(backup, pagesAtOnce) }
    let end = sqlite3_backup_finish(backup)
    guard result == SQLITE_DONE, end == SQLITE_OK else {
      throw SQLiteError(target.handle, result: result == SQLITE_DONE ? end : result)
    }
  }

  /// The names of the files that rows refer to.
  private static func names(of files: ExternalFiles, _ connection: Connection) throws -> [String] {
    var names: [String] = []
    for column in files.columns {
      let rows = try connection.rows(
        """
        SELECT \(name: column.name) FROM \(name: column.table)
        WHERE typeof(\(name: column.name)) = 'text'
        """)
      for case .text(let name)? in rows.map(\.first) { names.append(name) }
    }
    return names
  }

  /// Gives the files a second name: they are never changed, and the store that removes one only removes
  /// its own name.
  private static func link(
    _ names: [String], of files: ExternalFiles, beside path: String, _ rights: FileRights?
  ) throws {
    let manager = FileManager.default
    let copies = ExternalFiles(storePath: path, columns: [])
    for name in names {
      // One that is missing is missing in the store too.
      guard let old = files.file(named: name)?.path, let new = copies.file(named: name)?.path,
        manager.fileExists(atPath: old), !manager.fileExists(atPath: new)
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
