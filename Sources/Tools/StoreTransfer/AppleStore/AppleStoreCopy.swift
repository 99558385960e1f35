import AppleStore
package import Foundation
package import Trellis

/// A private copy of a store file that includes the changes in its write-ahead log.
///
/// The original is only read. Opening the copy with SQLite recovers pending transactions from the log, so that the copy
/// is a single file that can be attached as immutable.
package final class AppleStoreCopy {
  package let original: URL
  /// The database file.
  package let url: URL
  private let folder: PartialFolder

  /// - Throws: ``AppleStoreProblem`` if a file is not a regular file or not a database; also file system and SQLite
  ///   errors.
  package init(of path: String) throws {
    original = URL(fileURLWithPath: path)
    folder = try PartialFolder()
    url = folder.url.appendingPathComponent("store.db")
    // The store itself may be a symbolic link, but its companion files may not.
    let path = original.resolvingSymlinksInPath().path
    guard FileKind(at: path) != .nothing else { throw AppleStoreProblem("no such file") }
    // The log's index (`-shm`) is omitted, because SQLite rebuilds it.
    let suffixes = ["", "-wal", "-journal"]
    let before = suffixes.map { FileStamp(path + $0) }
    func requireUnchanged() throws {
      guard suffixes.map({ FileStamp(path + $0) }) == before else {
        throw AppleStoreProblem("another program changed the store during the copy: close that program and try again")
      }
    }
    for suffix in suffixes where FileKind(at: path + suffix) != .nothing {
      guard !isLink(path + suffix) else { throw AppleStoreProblem("'\(path + suffix)' is a symbolic link") }
      do {
        try CompanionFile.copy(path + suffix, to: url.path + suffix, nil)
      } catch let error as FileError {
        try requireUnchanged()
        throw AppleStoreProblem("'\(path + suffix)' cannot be copied: \(error)")
      }
    }
    try requireUnchanged()
    try recover()
  }

  private func recover() throws {
    let handle = try FileHandle(forReadingFrom: url)
    defer { try? handle.close() }
    guard try handle.read(upToCount: 16) == Data("SQLite format 3\0".utf8) else {
      throw AppleStoreProblem("not an SQLite database")
    }
    let connection = try Connection(url.path, .existing)
    // Prevents views and triggers in the file from calling unsafe functions.
    try connection.execute("PRAGMA trusted_schema = OFF")
    _ = try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    _ = try connection.rows("PRAGMA journal_mode = DELETE")
  }

  /// Opens the copy for reading.
  package func open() throws -> Connection {
    let connection = try Connection(url.path, .readOnly, isImmutable: true)
    try connection.execute("PRAGMA trusted_schema = OFF")
    return connection
  }

  /// The folder with large values, named after the store file: `.Trips_SUPPORT/_EXTERNAL_DATA` for `Trips.store`.
  package var externalFolder: URL {
    let name = original.deletingPathExtension().lastPathComponent
    return original.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT/_EXTERNAL_DATA")
  }
}

/// Returns true for a symbolic link. Imports do not follow links inside a store.
func isLink(_ path: String) -> Bool {
  (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
}
