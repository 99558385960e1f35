import Foundation

/// A file that is replaced as a whole: there is always a complete one, whatever happens.
final class JSONFile: @unchecked Sendable {  // used by whoever opens it, then by the writer of its engine
  let path: String
  /// What the file looked like when it was read or written here.
  private var stamp: Stamp?
  private var lock: Int32 = -1

  /// The file as it was before the last save.
  var previousPath: String { path + ".previous" }
  private var lockPath: String { path + ".lock" }
  private var newPath: String { path + ".new" }

  /// How long to wait for another program to close the file, in steps of 20 ms.
  private static let patience = 50

  init(path: String) { self.path = path }

  deinit {
    // Closing gives the lock back.
    if lock >= 0 { close(lock) }
  }

  /// Keeps every other program from opening the file to write, as long as this object exists.
  ///
  /// - Throws: ``SwiftDataError`` with ``StoreProblem/locked``.
  func acquire() throws {
    let folder = (path as NSString).deletingLastPathComponent
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw failure(.noFolder, "the folder of the store cannot be made: \(error)")
    }
    // The file itself is replaced with each save, so it cannot carry the lock.
    lock = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard lock >= 0 else {
      throw failure(.notWritable, "the lock of the store cannot be made: \(Self.reason)")
    }
    for attempt in 0... {
      if flock(lock, LOCK_EX | LOCK_NB) == 0 { return }
      guard errno == EWOULDBLOCK || errno == EINTR else {
        throw failure(.other, "the store cannot be locked: \(Self.reason)")
      }
      guard attempt < Self.patience else { break }
      usleep(20_000)
    }
    throw failure(
      .locked, "another program has the store open: close it there, or open it with 'allowsSave: false'")
  }

  /// The contents; nil when there is no file.
  func read() throws -> Data? {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
    if isFolder.boolValue {
      throw failure(.isFolder, "there is a folder in the place of the store")
    }
    stamp = Stamp(path)
    do {
      return try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw failure(.notReadable, "the store cannot be read: \(error)")
    }
  }

  /// Puts a new file in the place of the old one, which becomes the previous one.
  ///
  /// - Throws: ``SwiftDataError``; then the file is as it was.
  func replace(with contents: [UInt8]) throws {
    let current = Stamp(path)
    guard current == stamp else {
      throw failure(
        .drifted,
        "the file was changed by somebody else since it was read: nothing was written; open it again")
    }
    do {
      try write(contents, mode: current?.mode ?? 0o644)
      if current != nil { try keepPrevious() }
      guard rename(newPath, path) == 0 else { throw WriteError(reason: Self.reason) }
    } catch {
      unlink(newPath)
      throw failure(.notWritable, "the store cannot be written, and is as it was: \(error)")
    }
    // The name is safe now, too; if that fails, it is so a little later.
    let folder = open((path as NSString).deletingLastPathComponent, O_RDONLY | O_CLOEXEC)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
    stamp = Stamp(path)
  }

  private func write(_ contents: [UInt8], mode: UInt16) throws {
    // What a killed program has left; a link there must not lead to somebody else's file.
    unlink(newPath)
    let handle = open(newPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(mode))
    guard handle >= 0 else { throw WriteError(reason: Self.reason) }
    defer { close(handle) }
    fchmod(handle, mode_t(mode))
    try contents.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Foundation.write(handle, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw WriteError(reason: Self.reason) }
        rest = rest.dropFirst(count)
      }
    }
    guard fsync(handle) == 0 else { throw WriteError(reason: Self.reason) }
  }

  /// Gives the file its second name at once: at no moment is there no previous file.
  private func keepPrevious() throws {
    let newPrevious = previousPath + ".new"
    unlink(newPrevious)
    // Renaming a file to another name of the same file leaves both.
    defer { unlink(newPrevious) }
    if link(path, newPrevious) != 0 {
      // A file system without links.
      try FileManager.default.copyItem(atPath: path, toPath: newPrevious)
    }
    guard rename(newPrevious, previousPath) == 0 else { throw WriteError(reason: Self.reason) }
  }

  func failure(_ problem: StoreProblem, _ explanation: String) -> SwiftDataError {
    .opening(problem, explanation, path: path)
  }

  private static var reason: String { String(cString: strerror(errno)) }

  private struct WriteError: Error, CustomStringConvertible {
    let reason: String
    var description: String { reason }
  }

  private struct Stamp: Equatable {
    var file: UInt64
    var size: UInt64
    var modified: Date?
    var mode: UInt16

    init?(_ path: String) {
      guard let found = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
      file = (found[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0
      size = (found[.size] as? NSNumber)?.uint64Value ?? 0
      modified = found[.modificationDate] as? Date
      mode = (found[.posixPermissions] as? NSNumber)?.uint16Value ?? 0o644
    }
  }
}
