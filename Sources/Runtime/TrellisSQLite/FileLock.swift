import Foundation

/// A lock between processes, as long as this object exists. A file stands for it, which stays.
package final class FileLock: Sendable {
  private let path: String
  private let handle: Int32

  /// Takes the lock, and waits for another process in steps of 20 ms.
  ///
  /// - Parameter rights: of the file that the lock protects; nil while there is none.
  /// - Returns: nil if another process has the lock after `patience` steps.
  /// - Throws: ``FileError``.
  package init?(_ path: String, _ rights: FileRights?, patience: Int) throws {
    self.path = path
    for attempt in 0... {
      let handle = try Self.open(path, rights)
      if flock(handle, LOCK_EX | LOCK_NB) == 0 {
        // The process that had the lock may have deleted the file meanwhile.
        if Self.isInPlace(handle, path) {
          self.handle = handle
          return
        }
        Self.release(handle)
      } else {
        let problem = errno
        close(handle)
        guard problem == EWOULDBLOCK || problem == EINTR else { throw FileError(problem) }
      }
      guard attempt < patience else { break }
      usleep(20_000)
    }
    return nil
  }

  deinit { Self.release(handle) }

  /// False if the file was deleted or replaced. The lock then excludes no other process.
  package var isInPlace: Bool { Self.isInPlace(handle, path) }

  private static func isInPlace(_ handle: Int32, _ path: String) -> Bool {
    guard let mine = FileStamp(handle), let named = FileStamp(path) else { return false }
    return mine.isSameFile(as: named)
  }

  /// Gives the lock back. Closing the file alone would not do that: a program that another thread is just starting has
  /// the file open as well.
  private static func release(_ handle: Int32) {
    flock(handle, LOCK_UN)
    close(handle)
  }

  private static func open(_ path: String, _ rights: FileRights?) throws -> Int32 {
    for _ in 0..<10 where FileKind(at: path) == .nothing {
      do {
        return try CompanionFile.make(at: path, rights)
      } catch let error as FileError where error.code == EEXIST {
        // Another process has just made it.
      }
    }
    do {
      return try CompanionFile.open(path, O_RDWR)
    } catch let error as FileError where error.code == EACCES {
      // The lock of another user can be taken without being written.
      return try CompanionFile.open(path)
    }
  }
}
