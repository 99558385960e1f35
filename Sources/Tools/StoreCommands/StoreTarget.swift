import Foundation
import SchemaCommands
import SchemaDriver
import StoreCare
import StoreTransfer
import Trellis

/// The path to which a command writes a store.
///
/// The store is written and synchronized in a temporary folder next to the path. It is then published in two steps:
/// large values are moved to the `-external` folder under unique names, and then the database is moved. If the process
/// is killed in between, the earlier store remains unchanged, apart from orphaned files. The earlier store's large
/// values are removed last.
struct StoreTarget {
  /// The path to show in messages.
  let path: String
  private let location: String
  private let isForced: Bool

  static func targets(
    for titles: [String], _ output: String?, isForced: Bool, _ session: Session
  ) throws -> [StoreTarget] {
    if let output, output.hasSuffix(".store") {
      guard titles.count == 1 else {
        throw DriverFailure(
          ["error: '\(output)' is a single store, but \(titles.count) versions were given: name a folder"], .usage)
      }
      return [StoreTarget(output, isForced: isForced, session)]
    }
    if let twice = titles.first(where: { title in titles.count { $0 == title } > 1 }) {
      throw DriverFailure(
        ["error: several schemas would be written to '\(twice).store': name a schema file"], .usage)
    }
    return try titles.map {
      StoreTarget(Session.join(output ?? "", try FileName.checked($0 + ".store")), isForced: isForced, session)
    }
  }

  /// - Parameter isForced: True to replace an existing store.
  init(_ path: String, isForced: Bool, _ session: Session) {
    self.path = path
    self.isForced = isForced
    location = session.path(path)
  }

  // MARK: refusals

  private static let companions = ["-wal", "-shm", "-journal", "-external"]

  private func refusal(_ reason: String) -> DriverFailure { DriverFailure(["error: \(reason)"], .usage) }

  /// Checks the path. Stores are replaced only with `--force`, and only if no process has them open; existing files of
  /// any different kind are never replaced.
  func check() throws {
    let folder = URL(fileURLWithPath: location).deletingLastPathComponent().path
    for place in [location, folder] {
      for suffix in Self.companions where place.hasSuffix(suffix) {
        let store = String(place.dropLast(suffix.count))
        guard FileKind(at: store) == .regular else { continue }
        let name = URL(fileURLWithPath: store).lastPathComponent
        throw refusal("\(path) belongs to the store '\(name)': choose a different path")
      }
    }
    let found = ([""] + Self.companions).filter { Self.exists(location + $0) }
    for suffix in found where Self.isLink(location + suffix) {
      throw refusal("\(path + suffix) is a symbolic link: name the file to which it leads, or a different path")
    }
    guard found.contains("") else {
      // A killed process may have left large values.
      if let other = found.first(where: { $0 != "-external" || !isFolderOfValues }) {
        throw refusal("\(path + other) exists without a store and is not overwritten: choose a different path")
      }
      return
    }
    guard isStore else {
      throw refusal("\(path) is not a Trellis store and is not overwritten: choose a different path")
    }
    guard isForced else { throw refusal("\(path) already exists: '--force' replaces a store") }
    try requireIdle()
  }

  /// - Throws: ``DriverFailure`` if a process has the store open, because it would continue to write to the replaced
  ///   file.
  private func requireIdle() throws {
    do {
      let connection = try Connection(location, .existing)
      try connection.execute("PRAGMA busy_timeout = 0")
      // In WAL mode, even idle connections hold a lock on the file.
      try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
      try connection.execute("BEGIN EXCLUSIVE")
      try connection.execute("ROLLBACK")
    } catch let error as SQLiteError where error.code == .busy || error.code == .locked {
      throw refusal("\(path): another process has the store open: end it, or choose a different path")
    } catch is SQLiteError {
      // A damaged store can be replaced.
    }
  }

  /// True if a path exists, even as a dangling symbolic link.
  private static func exists(_ path: String) -> Bool {
    (try? FileManager.default.attributesOfItem(atPath: path)) != nil
  }

  private static func isLink(_ path: String) -> Bool {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
  }

  /// True if the file header contains Trellis's application ID.
  private var isStore: Bool {
    guard CompanionFile.isRegular(location), let handle = FileHandle(forReadingAtPath: location) else { return false }
    defer { try? handle.close() }
    let header = (try? handle.read(upToCount: 72)) ?? Data()
    return header.count == 72 && header.suffix(4).elementsEqual("Trel".utf8)
  }

  private var files: ExternalFiles { ExternalFiles(storePath: location, columns: []) }

  private var isFolderOfValues: Bool {
    FileKind(at: files.folder) == .folder
      && Self.names(in: files.folder).allSatisfy { $0 == "pending" || files.file(named: $0) != nil }
  }

  private static func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  // MARK: writing

  /// Writes the store at a temporary path, and then publishes it.
  func write(_ body: (URL) throws -> Void) throws {
    let url = URL(fileURLWithPath: location)
    let folder = url.deletingLastPathComponent()
    // Create at most one folder, because the path may contain a typo.
    if CompanionFile.missingFolder(around: folder) != nil {
      throw refusal(
        "the folder '\(folder.deletingLastPathComponent().path)' does not exist, and only the last folder of a path is "
          + "created")
    }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let partial = try PartialFolder(in: folder)
      // The folder must exist until the end.
      try withExtendedLifetime(partial) {
        let new = partial.url.appendingPathComponent(url.lastPathComponent)
        do {
          try body(new)
        } catch let failure as CareFailure {
          throw CareFailure(failure.description.replacing(new.path, with: path), isAboutStore: failure.isAboutStore)
        }
        try publish(new.path)
      }
    } catch let error as FileError {
      throw refusal("\(path): cannot be written: \(error)")
    } catch let error as CocoaError {
      throw refusal("\(path): cannot be written: \(error.localizedDescription)")
    }
  }

  private func publish(_ new: String) throws {
    let source = ExternalFiles(storePath: new, columns: [])
    let names = Self.names(in: source.folder).filter { source.file(named: $0) != nil }
    guard Self.hasEmptyLog(new) else { throw refusal("\(path): the new store is still in use") }
    for file in [new] + names.map({ "\(source.folder)/\($0)" }) { try Self.synchronize(file) }
    try FolderLock.hold(URL(fileURLWithPath: location).deletingLastPathComponent().path) {
      // A concurrent process may have written to the path.
      try check()
      let isReplacement = Self.exists(location)
      if isReplacement {
        guard Self.hasEmptyLog(location) else {
          throw refusal("another process uses \(path), so that it is not replaced: end it and try again")
        }
        // Not later, because a process that opens the new store creates new ones.
        for suffix in ["-wal", "-shm", "-journal"] { unlink(location + suffix) }
      }
      if !names.isEmpty { try CompanionFile.makeFolder(at: files.folder, FileRights(of: new)) }
      for name in names { try Self.move("\(source.folder)/\(name)", to: "\(files.folder)/\(name)") }
      if !names.isEmpty { CompanionFile.synchronizeFolder(around: files.folder + "/value") }
      // Unlike a move, a hard link does not replace a file created after the check. If the file system does not support
      // hard links, an empty file reserves the name.
      if !isReplacement, link(new, location) != 0 {
        guard errno != EEXIST else { throw refusal("\(path) already exists: '--force' replaces a store") }
        close(try CompanionFile.make(at: location, FileRights(of: new)))
        try Self.move(new, to: location)
      } else if isReplacement {
        try Self.move(new, to: location)
      }
      CompanionFile.synchronizeFolder(around: location)
      if isForced { removeEarlierFiles(except: Set(names)) }
    }
  }

  /// Removes the replaced store's large values.
  private func removeEarlierFiles(except names: Set<String>) {
    for name in Self.names(in: files.folder) where !names.contains(name) {
      if let file = files.file(named: name) { unlink(file.path) }
    }
    try? FileManager.default.removeItem(atPath: files.folder + "/pending")
    rmdir(files.folder)
  }

  /// Moves the log's commits to the database.
  ///
  /// - Returns: False if the store is in use.
  private static func hasEmptyLog(_ path: String) -> Bool {
    let hasLog = { ["-wal", "-journal"].contains { FileStamp.size(path + $0) > 0 } }
    if hasLog() { _ = try? Connection(path, .existing).rows("PRAGMA wal_checkpoint(TRUNCATE)") }
    return !hasLog()
  }

  private static func move(_ path: String, to target: String) throws {
    guard rename(path, target) == 0 else { throw FileError(errno) }
  }

  private static func synchronize(_ path: String) throws {
    let handle = try CompanionFile.open(path)
    defer { close(handle) }
    guard fsync(handle) == 0 else { throw FileError(errno) }
  }
}

/// A lock on a folder, released when the process ends. It has no effect if the file system does not support locks.
private enum FolderLock {
  static func hold<T>(_ folder: String, _ body: () throws -> T) rethrows -> T {
    let handle = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(handle) }
    flock(handle, LOCK_EX)
    return try body()
  }
}
