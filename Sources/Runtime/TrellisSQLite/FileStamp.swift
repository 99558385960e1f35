import CSQLite
package import Foundation

/// The attributes of a file. They differ if the file is replaced or written.
package struct FileStamp: Equatable {
  package var device: UInt64
  package var file: UInt64
  package var size: Int64
  package var seconds: Int
  package var nanoseconds: Int
  package let kind: FileKind
  package var rights: FileRights

  package static func == (lhs: Self, rhs: Self) -> Bool {
    // A change of the rights does not change the contents.
    lhs.device == rhs.device && lhs.file == rhs.file && lhs.size == rhs.size
      && lhs.seconds == rhs.seconds && lhs.nanoseconds == rhs.nanoseconds
  }

  /// The file at a path; nil if there is no file.
  package init?(_ path: String) {
    var found = stat()
    guard stat(path, &found) == 0 else { return nil }
    self.init(found)
  }

  /// Of an open file.
  package init?(_ handle: Int32) {
    var found = stat()
    guard fstat(handle, &found) == 0 else { return nil }
    self.init(found)
  }

  private init(_ found: stat) {
    device = UInt64(found.st_dev)
    file = UInt64(found.st_ino)
    size = Int64(found.st_size)
    seconds = Int(found.st_mtim.tv_sec)
    nanoseconds = Int(found.st_mtim.tv_nsec)
    kind = FileKind(found)
    rights = FileRights(found)
  }

  /// The length of a file; 0 if there is no file.
  package static func size(_ path: String) -> Int64 { FileStamp(path)?.size ?? 0 }

  /// True if both are names of one file, also if it was written meanwhile.
  package func isSameFile(as other: FileStamp) -> Bool { device == other.device && file == other.file }
}

/// The mode, the owner and the group of a file.
package struct FileRights: Equatable {
  package var mode: mode_t
  package var user: uid_t
  package var group: gid_t

  fileprivate init(_ status: stat) {
    mode = status.st_mode & 0o7777
    user = status.st_uid
    group = status.st_gid
  }

  /// Nil when there is nothing at the path.
  package init?(of path: String) {
    guard let file = FileStamp(path) else { return nil }
    self = file.rights
  }

  /// The same for a folder: a user who may read files may also look into the folder.
  package var forFolder: FileRights {
    var rights = self
    rights.mode = (mode & 0o666) | (mode & 0o444) >> 2 | 0o700
    return rights
  }

  package func apply(to handle: Int32) {
    // Only some users may give files away; the group may be one of the user's own.
    let isOfGroup = fchown(handle, user, group) == 0 || fchown(handle, uid_t.max, group) == 0
    // Another group may not read what the store's group may read.
    let hasGroup = isOfGroup || FileStamp(handle)?.rights.group == group
    fchmod(handle, hasGroup ? mode : mode & 0o707)
  }
}

/// The kind of a file. Links are followed.
package enum FileKind {
  case nothing, regular, folder
  /// A pipe, a socket or a device.
  case special

  package init(at path: String) { self = FileStamp(path)?.kind ?? .nothing }

  /// Of an open file.
  package init(_ handle: Int32) { self = FileStamp(handle)?.kind ?? .nothing }

  fileprivate init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .regular
    case S_IFDIR: self = .folder
    default: self = .special
    }
  }
}

/// The first bytes of a database file, read without a lock.
package enum DatabaseHeader {
  package static let length = 100

  /// Reads the header, which is shorter if the file is.
  ///
  /// Reads through SQLite, not through a file descriptor of this library: on POSIX, closing any descriptor of a file
  /// releases all locks that the process has on it, also those of open connections. Another process would then delete
  /// the write-ahead log they use.
  ///
  /// - Throws: ``SQLiteError``.
  package static func read(_ path: String) throws -> [UInt8] {
    let connection = try Connection(path, .readOnly)
    var found: UnsafeMutablePointer<sqlite3_file>?
    let result = sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_FILE_POINTER, &found)
    guard result == SQLITE_OK, let file = found, let methods = file.pointee.pMethods else {
      throw SQLiteError(connection.handle, result: SQLITE_ERROR)
    }
    var size: sqlite3_int64 = 0
    _ = methods.pointee.xFileSize?(file, &size)
    var header = [UInt8](repeating: 0, count: min(length, max(0, Int(clamping: size))))
    guard !header.isEmpty else { return header }
    let count = Int32(header.count)
    let answer = header.withUnsafeMutableBytes {
      methods.pointee.xRead?(file, $0.baseAddress, count, 0) ?? SQLITE_IOERR
    }
    guard answer == SQLITE_OK else { throw SQLiteError(connection.handle, result: answer) }
    return header
  }
}
