import Foundation

/// The file of a store, looked at before SQLite touches it.
struct StoreFile {
  let path: String
  let allowsSave: Bool
  /// True if the program did not choose the path, so that all missing folders of it are made.
  var isDefaultLocation = false
  /// Whether folders that are made for the store are for this user alone.
  var isPrivate = false
  /// Receives the statements that look at the file.
  var trace: StatementTrace? = nil

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
    let files = FileManager.default
    if let problem = Self.problem(at: path) { throw problem }
    // SQLite opens these by itself, and would wait at a pipe.
    for suffix in ["-journal", "-wal", "-shm"] {
      let kind = FileKind(at: path + suffix)
      guard kind == .regular || kind == .nothing else {
        throw failure(
          .other, "'\(path)\(suffix)' is a folder, a pipe, a socket or a device: take it away")
      }
    }
    guard files.fileExists(atPath: path) else {
      guard allowsSave else {
        throw failure(.missing, "there is no store to read: open it once with 'allowsSave: true'")
      }
      try makeFolder()
      return .nothing
    }
    guard files.isReadableFile(atPath: path) else {
      throw failure(.notReadable, "this user may not read the store")
    }
    if allowsSave, !files.isWritableFile(atPath: path) {
      throw failure(
        .notWritable, "this user may not write the store: open it with 'allowsSave: false'")
    }
    var header = try DatabaseHeader.read(path)
    if !header.starts(with: Self.magic) || header.count < DatabaseHeader.length, hasJournal {
      try recover()
      header = try DatabaseHeader.read(path)
    }
    return try content(header)
  }

  /// What keeps a path from being a store: there is something other than a regular file.
  private static func problem(at path: String) -> SwiftDataError? {
    switch FileKind(at: path) {
    case .nothing, .regular: nil
    case .folder: .opening(.isFolder, "there is a folder in the place of the store", path: path)
    case .special:
      .opening(
        .notADatabase, "in the place of the store there is a pipe, a socket or a device", path: path)
    }
  }

  /// The bytes that every database begins with.
  private static let magic = Array("SQLite format 3\0".utf8)

  /// Whether there is a journal of SQLite's beside the file, and not something else of that name.
  private var hasJournal: Bool {
    guard let handle = try? CompanionFile.open(path + "-journal") else { return false }
    defer { close(handle) }
    var first: UInt64 = 0
    return read(handle, &first, 8) == 8 && UInt64(bigEndian: first) == 0xD9D5_05F9_20A1_63D7
  }

  /// Has SQLite undo what the journal beside the file says: a power cut may have come while the first pages were
  /// written, and then not even the header means anything.
  private func recover() throws {
    let connection = try Connection(path, allowsSave ? .existing : .readOnly)
    _ = try connection.rows("SELECT 1 FROM sqlite_schema LIMIT 1")
  }

  private func content(_ header: [UInt8]) throws -> Content {
    if header.isEmpty {
      if !allowsSave {
        throw failure(.missing, "the store is empty: nothing was written to it yet")
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

  /// Whether a database without our mark has tables. It is looked at without taking part in it, so
  /// that a file of another program stays as it is.
  func isForeign() throws -> Bool {
    // A WAL with content belongs to the program that wrote it. A journal may be left from an interrupted
    // creation of this store, which opening rolls back.
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
    // The index of a write-ahead log is a file too: to make it longer may be an I/O error.
    case _ where error.isOutOfRoom:
      return failure(
        .diskFull, "there is no room on the disk, and the store is as it was: free some and open it again")
    default: return failure(.other, "\(error)")
    }
  }
}
