package import Foundation
package import Trellis

/// An existing SQLite file, opened for reading only.
///
/// A file with a write-ahead log or rollback journal is read from a temporary copy that includes them. The copy is
/// deleted afterwards. All other files are read in place.
package final class ForeignFile {
  /// The path as the user entered it.
  package let path: String
  /// The database to read: the original or the copy.
  package let url: URL
  private let copy: URL?
  private let stamp: [FileState]

  /// - Throws: ``TransferError`` if the file is missing, not a database, or being written.
  package init(_ path: String, shownAs shown: String) throws {
    self.path = shown
    // SQLite names the log after the file itself, not after a symbolic link.
    let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let state = FileState(path)
    guard let state, state.exists else { throw TransferError("\(shown): no such file") }
    guard state.isRegular else { throw TransferError("\(shown): is not a regular file") }
    guard state.size > 0 else { throw TransferError("\(shown): the file is empty, and not an SQLite database") }
    guard let header = Self.header(of: path) else {
      throw TransferError("\(shown): the file cannot be read; check its permissions")
    }
    guard header.starts(with: "SQLite format 3\0".utf8) else {
      throw TransferError(
        "\(shown): is not an SQLite database; if it is encrypted, decrypt it with the program that wrote it")
    }
    let others = ["-wal", "-journal"].filter { (FileState(path + $0)?.size ?? 0) > 0 }
    stamp = Self.states(path)
    guard !others.isEmpty else {
      url = URL(fileURLWithPath: path)
      copy = nil
      return
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("trellis-\(UUID().uuidString)")
    copy = folder
    url = folder.appendingPathComponent("copy.sqlite")
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      for suffix in [""] + others {
        try FileManager.default.copyItem(
          at: URL(fileURLWithPath: path + suffix).resolvingSymlinksInPath(), to: URL(fileURLWithPath: url.path + suffix)
        )
      }
      try requireUnchanged()
      // Move the log into the copy and leave WAL mode, which an immutable connection cannot read.
      let connection = try Connection(url.path, .existing)
      _ = try connection.rows("PRAGMA journal_mode = DELETE")
    } catch {
      try? FileManager.default.removeItem(at: folder)
      throw error as? TransferError
        ?? TransferError(
          "\(shown): cannot be copied together with its write-ahead log: "
            + (FileProblem.text(of: error, folder.path) ?? "\(error)"))
    }
  }

  deinit { if let copy { try? FileManager.default.removeItem(at: copy) } }

  /// Opens the database for reading.
  package func open() throws -> Connection { try Connection(url.path, .readOnly, isImmutable: true) }

  /// - Throws: ``TransferError`` if the file has changed since this object was created.
  package func requireUnchanged() throws {
    guard Self.states(sourcePath) == stamp else {
      throw TransferError("\(path): another program is writing to the database; quit it and import again")
    }
  }

  private var sourcePath: String { stamp[0].path }

  private static func states(_ path: String) -> [FileState] {
    [FileState(path), FileState(path + "-wal"), FileState(path + "-journal")].compactMap(\.self)
  }

  private static func header(of path: String) -> Data? {
    guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? handle.close() }
    return try? handle.read(upToCount: 100)
  }
}

/// A file's size, modification time and inode, to detect writes.
private struct FileState: Equatable {
  let path: String
  var exists = false
  var isRegular = false
  var size = 0
  var seconds = 0
  var nanoseconds = 0
  var inode: UInt64 = 0

  init?(_ path: String) {
    self.path = path
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    exists = true
    isRegular = status.st_mode & S_IFMT == S_IFREG
    size = Int(status.st_size)
    inode = UInt64(status.st_ino)
    #if canImport(Darwin)
      seconds = status.st_mtimespec.tv_sec
      nanoseconds = status.st_mtimespec.tv_nsec
    #else
      seconds = status.st_mtim.tv_sec
      nanoseconds = status.st_mtim.tv_nsec
    #endif
  }
}
