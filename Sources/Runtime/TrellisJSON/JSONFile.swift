import Foundation
import Synchronization
import Trellis

/// A file that is replaced as a whole: there is always a complete one, whatever happens.
final class JSONFile: Sendable {
  let path: String
  /// What keeps others from writing; nil for a file that is only read.
  let lock: JSONFileLock?
  /// What the file looked like when it was read or written here.
  private let known = Mutex<FileStamp?>(nil)

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
      guard let now = FileStamp(path) else { return false }
      return now != known.withLock { $0 }
    }
    // A save puts the file there before it knows what it looks like.
    return lock?.whileNobodyWrites(look) ?? look()
  }

  /// The contents; nil when there is no file.
  func read() throws -> Data? {
    if let problem = StoreFile.problem(at: path) { throw problem }
    let handle: Int32
    do {
      handle = try CompanionFile.open(path)
    } catch let error as FileError {
      if error.code == ENOENT { return nil }
      throw failure(.notReadable, "the store cannot be read: \(error)")
    }
    defer { close(handle) }
    // Before it is read: who writes into it meanwhile is noticed by the next save.
    let stamp = FileStamp(handle)
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
    with contents: Data, note: (FileRights?) throws -> Void = { _ in },
    takeBack: () -> Void = {}, settle: (FileRights?) -> Void = { _ in }
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
  func beside(_ body: (FileRights?) throws -> Void) throws {
    guard let lock else { throw failure(.notWritable, "the store was opened to be read only") }
    try lock.writing(self) {
      if let current = FileStamp(path), current != known.withLock({ $0 }) { throw replaced }
      try body(rights)
    }
  }

  /// Who may do what with the file.
  var rights: FileRights? { FileStamp(path)?.rights }

  private func replaceLocked(
    with contents: Data, _ note: (FileRights?) throws -> Void
  ) throws {
    let former = known.withLock { $0 }
    let current = FileStamp(path)
    if current != nil, current != former { throw replaced }
    do {
      let written = try write(contents, rights: (current ?? former)?.rights)
      if current != nil { try keepPrevious() }
      try note((current ?? former)?.rights)
      // Writing takes its time.
      guard FileStamp(path) == current else { throw replaced }
      guard rename(newPath, path) == 0 else { throw FileError(errno) }
      known.withLock { $0 = written }
    } catch let error as SwiftDataError {
      unlink(newPath)
      throw error
    } catch {
      unlink(newPath)
      throw failure(
        error.isOutOfRoom ? .diskFull : .notWritable,
        "the store cannot be written, and is as it was: \(error)")
    }
    // The name is safe now, too; if that fails, it is so a little later.
    let folder = open((path as NSString).deletingLastPathComponent, O_RDONLY | O_CLOEXEC)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
  }

  /// Writes the new file beside the old one and gives it the rights the old one has.
  private func write(_ contents: Data, rights: FileRights?) throws -> FileStamp? {
    // What a killed program has left; a link there must not lead to somebody else's file.
    unlink(newPath)
    try CompanionFile.make(at: newPath, rights, contents)
    return FileStamp(newPath)
  }

  /// Gives the file its second name at once: at no moment is there no previous file.
  private func keepPrevious() throws {
    let newPrevious = previousPath + ".new"
    unlink(newPrevious)
    // Renaming a file to another name of the same file leaves both.
    defer { unlink(newPrevious) }
    if link(path, newPrevious) != 0 {
      // A file system without links.
      try CompanionFile.copy(path, to: newPrevious, rights)
    }
    guard rename(newPrevious, previousPath) == 0 else { throw FileError(errno) }
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
}
