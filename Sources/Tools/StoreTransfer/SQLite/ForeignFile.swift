package import Foundation
package import Trellis

/// An existing SQLite file, opened for reading only.
///
/// A file with a write-ahead log or rollback journal is read from a temporary copy that includes them, and a UTF-16
/// database from a temporary UTF-8 database. All other files are read in place.
package final class ForeignFile {
  /// The path as the user entered it.
  package let path: String
  /// The database to read: the original or a copy.
  package let url: URL
  private let folder: PartialFolder?
  private let location: String
  private let stamps: [FileStamp?]

  private static let suffixes = ["", "-wal", "-journal"]

  /// - Throws: ``TransferError`` if the file is missing, not a database, or being written.
  package init(_ path: String, shownAs shown: String) throws {
    self.path = shown
    // SQLite names the log after the file itself, not after a symbolic link.
    let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    location = path
    stamps = Self.stamps(path)
    guard let file = stamps[0] else { throw TransferError("\(shown): no such file") }
    guard file.kind == .regular else { throw TransferError("\(shown): is not a regular file") }
    guard file.size > 0 else { throw TransferError("\(shown): the file is empty, and not an SQLite database") }
    guard let header = Self.header(of: path) else {
      throw TransferError("\(shown): the file cannot be read; check its permissions")
    }
    guard header.starts(with: "SQLite format 3\0".utf8) else {
      throw TransferError(
        "\(shown): is not an SQLite database; if it is encrypted, decrypt it with the program that wrote it")
    }
    let used = zip(Self.suffixes, stamps).filter { ($1?.size ?? 0) > 0 }.map { path + $0.0 }
    do {
      (url, folder) = try Self.readable(used)
    } catch {
      try Self.requireUnchanged(path, stamps, shownAs: shown)
      let temporary = FileManager.default.temporaryDirectory.path
      throw TransferError(
        FileProblem.text(of: error, temporary).map { "\(shown): cannot be copied to a temporary folder: \($0)" }
          ?? "\(shown): cannot be read: \((error as? SQLiteError)?.message ?? "\(error)")")
    }
    try requireUnchanged()
  }

  /// Copies the database if necessary.
  ///
  /// - Parameter paths: The database, and the log or journal.
  private static func readable(_ paths: [String]) throws -> (URL, PartialFolder?) {
    var url = URL(fileURLWithPath: paths[0])
    var folder: PartialFolder?
    if paths.count > 1 {
      let new = try PartialFolder()
      folder = new
      url = new.url.appendingPathComponent("copy.sqlite")
      for path in paths {
        try FileManager.default.copyItem(
          atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path,
          toPath: url.path + path.dropFirst(paths[0].count))
      }
      // Move the log into the copy and leave WAL mode, which an immutable connection cannot read.
      _ = try Connection(url.path, .existing).rows("PRAGMA journal_mode = DELETE")
    }
    let connection = try Connection(url.path, .readOnly, isImmutable: true)
    // SQLite reads a database whose header states no encoding as UTF-8, but does not attach it.
    let hasEncoding = header(of: url.path).map { $0.count < 60 || $0[59] & 3 != 0 } ?? true
    guard try !hasEncoding || UTF8Copy.isNeeded(connection) else { return (url, folder) }
    let new = try folder ?? PartialFolder()
    url = new.url.appendingPathComponent("utf8.sqlite")
    try UTF8Copy(connection, try Connection(url.path, .creating)).write()
    return (url, new)
  }

  /// Opens the database for reading.
  package func open() throws -> Connection { try Connection(url.path, .readOnly, isImmutable: true) }

  /// Reads the database. If the file changes meanwhile, this is reported instead of any error that it caused.
  package func read<T>(_ body: () throws -> T) throws -> T {
    let result = Result { try body() }
    try requireUnchanged()
    return try result.get()
  }

  /// - Throws: ``TransferError`` if the file has changed since this object was created.
  private func requireUnchanged() throws { try Self.requireUnchanged(location, stamps, shownAs: path) }

  private static func requireUnchanged(_ path: String, _ stamps: [FileStamp?], shownAs shown: String) throws {
    guard Self.stamps(path) == stamps else {
      throw TransferError("\(shown): another program wrote to the database while it was read; quit it and import again")
    }
  }

  private static func stamps(_ path: String) -> [FileStamp?] { suffixes.map { FileStamp(path + $0) } }

  private static func header(of path: String) -> Data? {
    guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? handle.close() }
    return try? handle.read(upToCount: 100)
  }
}
