import Foundation
import Synchronization
import Trellis

/// A file that is replaced as a whole: a complete one is there at any time.
final class JSONFile: Sendable {
  let path: String
  /// Keeps other programs from writing; nil for a file that is only read.
  let lock: JSONFileLock?
  /// The stamp of the file that was read or written here last.
  private let known = Mutex<FileStamp?>(nil)

  /// The file as it was before the last save.
  var previousPath: String { path + ".previous" }
  var rights: FileRights? { FileRights(of: path) }

  init(path: String, lock: JSONFileLock?) {
    self.path = path
    self.lock = lock
  }

  /// True if there is another file than the one that was read or written here. A deleted file does not count: its
  /// contents are in memory.
  var isReplaced: Bool {
    func look() -> Bool { FileStamp(path).map { now in now != known.withLock { $0 } } ?? false }
    // A save puts the file there before it notes the stamp.
    return lock?.whileNobodyWrites(look) ?? look()
  }

  /// The contents; nil if there is no file.
  func read() throws -> Data? {
    if let problem = StoreFile.problem(at: path) { throw problem }
    // Before reading, so that the next save notices a change meanwhile.
    let stamp = FileStamp(path)
    known.withLock { $0 = stamp }
    do {
      return try CompanionFile.read(path)
    } catch let error as FileError where error.code == ENOENT {
      return nil
    } catch {
      throw failure(.notReadable, "the store cannot be read: \(error)")
    }
  }

  /// Runs a body while nothing else writes the file and the files beside it.
  ///
  /// - Throws: ``SwiftDataError`` if the file was changed since it was read, and what the body throws.
  func writing(_ body: (FileRights?) throws -> Void) throws {
    guard let lock else { throw failure(.notWritable, "the store was opened to be read only") }
    try lock.writing(self) {
      let (now, former) = (FileStamp(path), known.withLock { $0 })
      if now != nil, now != former { throw replaced }
      try body((now ?? former)?.rights)
    }
  }

  /// Replaces the file, which becomes the previous one. A deleted file is made again: nothing it said is lost.
  ///
  /// - Parameter beforehand: runs when the new file is on the disk, before it is in its place.
  /// - Throws: ``SwiftDataError``; then the file is as it was.
  func replace(with contents: Data, _ rights: FileRights?, beforehand: () throws -> Void) throws {
    let newPath = path + ".new"
    let current = FileStamp(path)
    do {
      // A killed program may have left a file; a link there must not lead to a file of another program.
      unlink(newPath)
      try CompanionFile.make(at: newPath, rights, contents)
      let written = FileStamp(newPath)
      if current != nil { try keepPrevious(rights) }
      try beforehand()
      // Writing takes its time.
      guard FileStamp(path) == current else { throw replaced }
      guard rename(newPath, path) == 0 else { throw FileError(errno) }
      known.withLock { $0 = written }
    } catch {
      unlink(newPath)
      throw error as? SwiftDataError
        ?? failure(
          error.isOutOfRoom ? .diskFull : .notWritable, "the store cannot be written, and is as it was: \(error)")
    }
    // The name reaches the disk now; if that fails, a little later.
    let folder = open((path as NSString).deletingLastPathComponent, O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  /// Gives the file its second name at once: there is a previous file at any time.
  private func keepPrevious(_ rights: FileRights?) throws {
    let newPrevious = previousPath + ".new"
    unlink(newPrevious)
    // Renaming a file to another name of the same file leaves both.
    defer { unlink(newPrevious) }
    // Some file systems have no links.
    if link(path, newPrevious) != 0 { try CompanionFile.copy(path, to: newPrevious, rights) }
    guard rename(newPrevious, previousPath) == 0 else { throw FileError(errno) }
  }

  private var replaced: SwiftDataError {
    failure(
      .drifted,
      "the file was changed by another program since it was read, and nothing was written: make a new "
        + "container to work with what it says now, or move it away and save again to write what this "
        + "program has")
  }

  func failure(_ problem: StoreProblem, _ explanation: String) -> SwiftDataError {
    .opening(problem, explanation, path: path)
  }
}
