import Foundation
import Trellis

/// Keeps every other program from writing a file, as long as this object exists, and says who in this
/// program may.
final class JSONFileLock: @unchecked Sendable {  // all that changes is changed with `access` held
  private let path: String
  private let access = NSLock()
  private var handle: Int32
  /// Whoever has read the file last: what others have in memory is older.
  private weak var owner: JSONFile?

  private var lockPath: String { path + ".lock" }

  /// How long to wait for another program to close the file, in steps of 20 ms.
  private static let patience = 50

  /// - Throws: ``SwiftDataError`` with ``StoreProblem/locked``.
  init(_ path: String) throws {
    self.path = path
    handle = -1
    handle = try take(patience: Self.patience)
  }

  deinit {
    if handle >= 0 { Self.release(handle) }
  }

  /// From now on this is the one that may write.
  func give(to file: JSONFile) { access.withLock { owner = file } }

  /// Looks at the file between the saves of this program.
  func whileNobodyWrites<T>(_ body: () -> T) -> T { access.withLock(body) }

  /// Does something with the file while nobody else in this program or another one does.
  func writing(_ file: JSONFile, _ body: () throws -> Void) throws {
    try access.withLock {
      guard owner === file else {
        throw failure(
          .drifted, "the file was changed by somebody else, and this program has opened it again since: "
            + "use the container made last")
      }
      try keep()
      try body()
    }
  }

  /// Takes the lock again if somebody has deleted its file, which keeps nobody out any more.
  private func keep() throws {
    if let mine = FileStamp(handle), let named = FileStamp(lockPath), mine.isSameFile(as: named) {
      return
    }
    let new = try take(patience: 0)
    Self.release(handle)
    handle = new
  }

  /// Gives a lock back, not only this object's share of it: a program that is just being started by another
  /// thread has the file open as well.
  private static func release(_ handle: Int32) {
    flock(handle, LOCK_UN)
    close(handle)
  }

  private func take(patience: Int) throws -> Int32 {
    let folder = (path as NSString).deletingLastPathComponent
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw failure(
        error.isOutOfRoom ? .diskFull : .noFolder, "the folder of the store cannot be made: \(error)")
    }
    for attempt in 0... {
      let handle = try open()
      if flock(handle, LOCK_EX | LOCK_NB) == 0 {
        // Whoever had it may have deleted it meanwhile.
        if let mine = FileStamp(handle), let named = FileStamp(lockPath),
          mine.isSameFile(as: named)
        {
          return handle
        }
        Self.release(handle)
      } else {
        let problem = errno
        close(handle)
        guard problem == EWOULDBLOCK || problem == EINTR else {
          throw failure(.other, "the store cannot be locked: \(String(cString: strerror(problem)))")
        }
      }
      guard attempt < patience else { break }
      usleep(20_000)
    }
    throw failure(
      .locked, "another program has the store open: close it there, or open it with 'allowsSave: false'")
  }

  private func open() throws -> Int32 {
    // The file itself is replaced with each save, so it cannot carry the lock.
    do {
      for _ in 0..<10 where FileKind(at: lockPath) == .nothing {
        do {
          return try CompanionFile.make(at: lockPath, FileRights(of: path))
        } catch let error as FileError where error.code == EEXIST {
          // Another program has just made it.
        }
      }
      do {
        return try CompanionFile.open(lockPath, O_RDWR)
      } catch let error as FileError where error.code == EACCES {
        // The lock of another user can be taken without being written.
        return try CompanionFile.open(lockPath)
      }
    } catch {
      throw failure(
        error.isOutOfRoom ? .diskFull : .notWritable,
        "the lock of the store, '\(lockPath)', cannot be opened: \(error)")
    }
  }

  private func failure(_ problem: StoreProblem, _ explanation: String) -> SwiftDataError {
    .opening(problem, explanation, path: path)
  }
}
