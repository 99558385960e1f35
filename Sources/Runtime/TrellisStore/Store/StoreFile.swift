import Foundation

/// A store file, inspected before SQLite opens it.
struct StoreFile {
  let path: String
  let allowsSave: Bool
  /// True if the path is the default location, so that all missing folders are created.
  var isDefaultLocation = false
  /// True to create folders with permissions for the current user only.
  var isPrivate = false
  /// Receives the statements that inspect the file.
  var trace: StatementTrace? = nil

  /// `Trel`, in the header of every Trellis store.
  static let applicationID: UInt32 = 0x5472_656C

  enum Content {
    /// The file is missing or empty.
    case nothing
    case store
    /// A database with no Trellis application ID: the tables must be inspected.
    case unmarked
  }

  /// - Throws: ``SwiftDataError/loadIssueModelContainer`` if the file cannot be a store.
  func inspect() throws -> Content {
    let files = FileManager.default
    if let problem = Self.problem(at: path) { throw problem }
    // SQLite opens these files by itself and would block on a pipe.
    for suffix in ["-journal", "-wal", "-shm"] {
      let kind = FileKind(at: path + suffix)
      guard kind == .regular || kind == .nothing else {
        throw failure(
          .other, "'\(path)\(suffix)' is a folder, a pipe, a socket or a device: remove it")
      }
    }
    guard files.fileExists(atPath: path) else {
      guard allowsSave else {
        throw failure(.missing, "the store does not exist: open it once with 'allowsSave: true'")
      }
      try makeFolder()
      return .nothing
    }
    guard files.isReadableFile(atPath: path) else {
      throw failure(.notReadable, "this user is not allowed to read the store")
    }
    if allowsSave, !files.isWritableFile(atPath: path) {
      throw failure(
        .notWritable, "this user is not allowed to write to the store: open it with 'allowsSave: false'")
    }
    var header = try DatabaseHeader.read(path)
    if !header.starts(with: Self.magic) || header.count < DatabaseHeader.length, hasJournal {
      try recover()
      header = try DatabaseHeader.read(path)
    }
    return try content(header)
  }

  /// Returns an error if a folder or a special file is at the path.
  private static func problem(at path: String) -> SwiftDataError? {
    switch FileKind(at: path) {
    case .nothing, .regular: nil
    case .folder: .opening(.isFolder, "the store's path is a folder", path: path)
    case .special:
      .opening(
        .notADatabase, "the store's path is a pipe, a socket or a device", path: path)
    }
  }

  /// The first bytes in every SQLite database.
  private static let magic = Array("SQLite format 3\0".utf8)

  /// True if there is a valid SQLite journal for the file.
  private var hasJournal: Bool {
    guard let handle = try? CompanionFile.open(path + "-journal") else { return false }
    defer { close(handle) }
    var first: UInt64 = 0
    return read(handle, &first, 8) == 8 && UInt64(bigEndian: first) == 0xD9D5_05F9_20A1_63D7
  }

  /// Lets SQLite roll back the journal. After a power failure while the first pages were written, even the header may
  /// be invalid.
  private func recover() throws {
    let connection = try Connection(path, allowsSave ? .existing : .readOnly)
    _ = try connection.rows("SELECT 1 FROM sqlite_schema LIMIT 1")
  }

  private func content(_ header: [UInt8]) throws -> Content {
    if header.isEmpty {
      if !allowsSave {
        throw failure(.missing, "the store is empty: nothing has been written to it yet")
      }
      return .nothing
    }
    guard header.starts(with: Self.magic) else {
      throw failure(.notADatabase, "the file is not a database")
    }
    guard header.count == DatabaseHeader.length else { throw failure(.damaged, "the file ends within its header") }
    let mark = header[68..<72].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return mark == Self.applicationID ? .store : .unmarked
  }

  /// Returns true if a database with no Trellis application ID has tables. Opens the database as immutable, so that a
  /// foreign file remains unchanged.
  func isForeign() throws -> Bool {
    // A non-empty WAL belongs to the app that wrote it. A journal may remain from an interrupted creation of this
    // store. Opening the store rolls it back.
    if FileStamp.size(path + "-wal") > 0 { return true }
    if FileStamp.size(path + "-journal") > 0 { return false }
    let connection = try Connection(path, .readOnly, trace, isImmutable: true)
    return try !connection.rows("SELECT 1 FROM sqlite_schema LIMIT 1").isEmpty
  }

  private func makeFolder() throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    if !isDefaultLocation, let problem = CompanionFile.missingFolder(around: folder) {
      throw failure(.noFolder, problem)
    }
    do {
      if isPrivate {
        try CompanionFile.makePrivateFolders(folder)
      } else {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      }
    } catch {
      throw failure(.noFolder, "the store's folder cannot be created: \(error)")
    }
    guard FileManager.default.isWritableFile(atPath: folder.path) else {
      throw failure(.notWritable, "this user is not allowed to write to the store's folder")
    }
  }

  func failure(_ problem: StoreProblem, _ explanation: String) -> SwiftDataError {
    .opening(problem, explanation, path: path)
  }

  /// Converts an error to a store opening error.
  func failure(_ error: any Error) -> any Error {
    guard let error = error as? SQLiteError else { return error }
    switch error.code {
    case .busy, .locked:
      return failure(.locked, "the store is locked by another process")
    case .notADatabase: return failure(.notADatabase, "the file is not a database")
    case .corrupt: return failure(.damaged, "the store is damaged: \(error.message)")
    case .readOnly where !allowsSave:
      return failure(
        .notWritable,
        "a process was killed while writing to the store, and its changes must be rolled back: open it once with "
          + "'allowsSave: true'")
    case .readOnly, .cannotOpen:
      return failure(.notWritable, "cannot write to the store or its folder: \(error.message)")
    // The write-ahead log index is also a file, and extending it may fail with an I/O error.
    case _ where error.isOutOfRoom:
      return failure(
        .diskFull, "the disk is full, and the store is unchanged: free some space and open it again")
    default: return failure(.other, "\(error)")
    }
  }
}
