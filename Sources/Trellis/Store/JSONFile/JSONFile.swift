import Foundation
import Synchronization

/// A file that is replaced as a whole: there is always a complete one, whatever happens.
final class JSONFile: Sendable {
  let path: String
  /// What keeps others from writing; nil for a file that is only read.
  let lock: JSONFileLock?
  /// What the file looked like when it was read or written here.
  private let known = Mutex<JSONFileStamp?>(nil)

  /// The file as it was before the last save.
  var previousPath: String { path + ".previous" }
  private var newPath: String { path + ".new" }

  init(path: String, lock: JSONFileLock?) {
    self.path = path
    self.lock = lock
  }

  /// Whether something else stands in its place than was read or written here. A file that is gone does
  /// not count: what it said is in memory.
  var isReplaced: Bool {
    func look() -> Bool {
      guard let now = JSONFileStamp(path) else { return false }
      return now != known.withLock { $0 }
    }
    // A save puts the file there before it knows what it looks like.
    return lock?.whileNobodyWrites(look) ?? look()
  }

  /// The contents; nil when there is no file.
  func read() throws -> Data? {
    let handle = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard handle >= 0 else {
      if errno == ENOENT { return nil }
      throw failure(.notReadable, "the store cannot be read: \(Self.reason)")
    }
    defer { close(handle) }
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      throw failure(.isFolder, "there is a folder in the place of the store")
    }
    // Before it is read: who writes into it meanwhile is noticed by the next save.
    let stamp = JSONFileStamp(handle)
    known.withLock { $0 = stamp }
    do {
      return try FileHandle(fileDescriptor: handle, closeOnDealloc: false).readToEnd() ?? Data()
    } catch {
      throw failure(.notReadable, "the store cannot be read: \(error)")
    }
  }

  /// Puts a new file in the place of the old one, which becomes the previous one. A file somebody has
  /// deleted is made again: nothing it said is lost.
  ///
  /// - Parameters:
  ///   - note: what is to be on the disk before the new file is there; it is given the rights of the old one.
  ///   - takeBack: undoes that, when the new file cannot be put there.
  ///   - settle: what is to be done when it is there.
  /// - Throws: ``SwiftDataError``; then the file is as it was.
  func replace(
    with contents: [UInt8], note: (JSONFileStamp.Rights?) throws -> Void = { _ in },
    takeBack: () -> Void = {}, settle: (JSONFileStamp.Rights?) -> Void = { _ in }
  ) throws {
    guard let lock else { throw failure(.notWritable, "the store was opened to be read only") }
    try lock.writing(self) {
      do {
        try replaceLocked(with: contents, note)
      } catch {
        takeBack()
        throw error
      }
      settle(rights)
    }
  }

  /// Does something beside the file while nobody else writes it.
  func beside(_ body: (JSONFileStamp.Rights?) throws -> Void) throws {
    guard let lock else { throw failure(.notWritable, "the store was opened to be read only") }
    try lock.writing(self) {
      if let current = JSONFileStamp(path), current != known.withLock({ $0 }) { throw replaced }
      try body(rights)
    }
  }

  /// Who may do what with the file.
  var rights: JSONFileStamp.Rights? { JSONFileStamp(path)?.rights }

  private func replaceLocked(
    with contents: [UInt8], _ note: (JSONFileStamp.Rights?) throws -> Void
  ) throws {
    let former = known.withLock { $0 }
    let current = JSONFileStamp(path)
    if current != nil, current != former { throw replaced }
    do {
      let written = try write(contents, rights: (current ?? former)?.rights)
      if current != nil { try keepPrevious() }
      try note((current ?? former)?.rights)
      // Writing takes its time.
      guard JSONFileStamp(path) == current else { throw replaced }
      guard rename(newPath, path) == 0 else { throw WriteError(reason: Self.reason) }
      known.withLock { $0 = written }
    } catch let error as SwiftDataError {
      unlink(newPath)
      throw error
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
  }

  /// Writes the new file beside the old one and gives it the rights the old one has.
  private func write(_ contents: [UInt8], rights: JSONFileStamp.Rights?) throws -> JSONFileStamp? {
    // What a killed program has left; a link there must not lead to somebody else's file.
    unlink(newPath)
    // Nobody else reads it before it has the rights of the old one.
    let handle = open(newPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, rights == nil ? 0o644 : 0o600)
    guard handle >= 0 else { throw WriteError(reason: Self.reason) }
    defer { close(handle) }
    if let rights {
      // Only some users may give files away; the group may be one of one's own.
      if fchown(handle, rights.user, rights.group) != 0 { _ = fchown(handle, uid_t.max, rights.group) }
      fchmod(handle, rights.mode)
    }
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
    return JSONFileStamp(handle)
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

  private var replaced: SwiftDataError {
    failure(
      .drifted,
      "the file was changed by somebody else since it was read, and nothing was written: make a new "
        + "container to work with what it says now, or move it away and save again to write what this "
        + "program has")
  }

  func failure(_ problem: StoreProblem, _ explanation: String) -> SwiftDataError {
    .opening(problem, explanation, path: path)
  }

  private static var reason: String { String(cString: strerror(errno)) }

  private struct WriteError: Error, CustomStringConvertible {
    let reason: String
    var description: String { reason }
  }
}
