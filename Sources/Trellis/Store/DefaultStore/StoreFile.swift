import Foundation

/// The file of a store, looked at before SQLite touches it.
struct StoreFile {
  let path: String
  let allowsSave: Bool

  /// `Trel`, in the header of every file of ours.
  static let applicationID: UInt32 = 0x5472_656C

  enum Content {
    /// No file, or one without a byte.
    case nothing
    case store
    /// A database without a mark of ours: its tables must be looked at.
    case unmarked
  }

  /// - Throws: ``SwiftDataError/loadIssueModelContainer`` for what cannot be a store.
  func inspect() throws -> Content {
    var isFolder: ObjCBool = false
    let files = FileManager.default
    guard files.fileExists(atPath: path, isDirectory: &isFolder) else {
      guard allowsSave else {
        throw failure(.missing, "there is no store to read: open it once with 'allowsSave: true'")
      }
      try makeFolder()
      return .nothing
    }
    if isFolder.boolValue {
      throw failure(.isFolder, "there is a folder in the place of the store")
    }
    // To open a pipe is to wait for somebody at its other end.
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw failure(.notADatabase, "in the place of the store there is a pipe, a socket or a device")
    }
    guard files.isReadableFile(atPath: path) else {
      throw failure(.notReadable, "this user may not read the store")
    }
    if allowsSave, !files.isWritableFile(atPath: path) {
      throw failure(
        .notWritable, "this user may not write the store: open it with 'allowsSave: false'")
    }
    return try content(try DatabaseHeader.read(path))
  }

  private func content(_ header: [UInt8]) throws -> Content {
    if header.isEmpty {
      if !allowsSave {
        throw failure(.missing, "the store is empty: nothing was written to it yet")
      }
      return .nothing
    }
    guard header.starts(with: "SQLite format 3\0".utf8) else {
      throw failure(.notADatabase, "the file is not a database")
    }
    guard header.count == DatabaseHeader.length else { throw failure(.damaged, "the file ends within its header") }
    let mark = header[68..<72].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return mark == Self.applicationID ? .store : .unmarked
  }

  /// Whether a database without our mark has tables. It is looked at without taking part in it, so
  /// that a file of another program stays as it is.
  func isForeign() throws -> Bool {
    let files = FileManager.default
    // A log with content belongs to whoever made it; a journal may be what is left of an
    // interrupted creation of ours, which opening undoes.
    if files.size(ofItem: path + "-wal") > 0 { return true }
    if files.size(ofItem: path + "-journal") > 0 { return false }
    let connection = try Connection(Connection.uri(path, "mode=ro&immutable=1"), .readOnly)
    return try !connection.rows("SELECT 1 FROM sqlite_schema LIMIT 1").isEmpty
  }

  private func makeFolder() throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw failure(.noFolder, "the folder of the store cannot be made: \(error)")
    }
    guard FileManager.default.isWritableFile(atPath: folder.path) else {
      throw failure(.notWritable, "this user may not write to the folder of the store")
    }
  }

  func failure(_ problem: StoreProblem, _ explanation: String) -> SwiftDataError {
    .opening(problem, explanation, path: path)
  }

  /// The same failure in terms of opening a store.
  func failure(_ error: any Error) -> any Error {
    guard let error = error as? SQLiteError else { return error }
    switch error.code {
    case .busy, .locked:
      return failure(.locked, "another program keeps the store locked")
    case .notADatabase: return failure(.notADatabase, "the file is not a database")
    case .corrupt: return failure(.damaged, "the store is damaged: \(error.message)")
    case .readOnly where !allowsSave:
      return failure(
        .notWritable,
        "a program that wrote the store was killed, and what it began has to be undone: open it once with "
          + "'allowsSave: true'")
    case .readOnly, .cannotOpen:
      return failure(.notWritable, "the store or its folder cannot be written: \(error.message)")
    case .full: return noRoom
    // The index of a write-ahead log is a file too, of 32 KiB.
    case .ioError where error.extendedCode == SQLiteError.noRoomForIndex: return noRoom
    default: return failure(.other, "\(error)")
    }
  }

  private var noRoom: SwiftDataError {
    failure(
      .diskFull, "there is no room on the disk, and the store is as it was: free some and open it again")
  }
}
