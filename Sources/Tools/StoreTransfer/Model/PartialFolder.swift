package import Foundation
import Trellis

/// A private folder for unfinished files, deleted with the object.
///
/// It is locked while the process runs, so that later processes can remove the folders of killed processes.
package final class PartialFolder {
  package let url: URL
  private let lock: Int32
  private static let prefix = ".trellis-partial-"

  /// - Parameter folder: The parent folder, by default the folder for temporary files.
  /// - Throws: ``FileError``.
  package init(in folder: URL = FileManager.default.temporaryDirectory) throws {
    Self.removeAbandoned(in: folder)
    (url, lock) = try Self.make(in: folder)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
    close(lock)
  }

  private static func make(in folder: URL) throws -> (URL, lock: Int32) {
    while true {
      let url = folder.appendingPathComponent(prefix + UUID().uuidString)
      guard mkdir(url.path, 0o700) == 0 else { throw FileError(errno) }
      let lock = open(url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      flock(lock, LOCK_EX)
      // Another process may have removed the folder before it was locked.
      if FileKind(at: url.path) == .folder { return (url, lock) }
      close(lock)
    }
  }

  private static func removeAbandoned(in folder: URL) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
      guard name.hasPrefix(prefix) else { continue }
      let path = folder.appendingPathComponent(name).path
      let handle = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard handle >= 0 else { continue }
      if flock(handle, LOCK_EX | LOCK_NB) == 0 { try? FileManager.default.removeItem(atPath: path) }
      close(handle)
    }
  }
}
