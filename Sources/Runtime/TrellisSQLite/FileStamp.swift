import CSQLite
package import Foundation

/// File attributes that change if the file is replaced or written.
package struct FileStamp: Equatable {
  package var device: UInt64
  package var file: UInt64
  package var size: Int64
  package var seconds: Int
  package var nanoseconds: Int
  package let kind: FileKind
  package var rights: FileRights

  package static func == (lhs: Self, rhs: Self) -> Bool {
    // The access rights are ignored, because they do not affect the contents.
    lhs.device == rhs.device && lhs.file == rhs.file && lhs.size == rhs.size
      && lhs.seconds == rhs.seconds && lhs.nanoseconds == rhs.nanoseconds
  }

  /// Creates the stamp of the file at a path; `nil` if the file is missing.
  package init?(_ path: String) {
    var found = stat()
    guard stat(path, &found) == 0 else { return nil }
    self.init(found)
  }

  /// Creates the stamp of an open file.
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

  /// A file's size in bytes; 0 if the file is missing.
  package static func size(_ path: String) -> Int64 { FileStamp(path)?.size ?? 0 }

  /// True if both stamps describe the same file, even if it was written in between.
  package func isSameFile(as other: FileStamp) -> Bool { device == other.device && file == other.file }
}

/// A file's mode, owner and group.
package struct FileRights: Equatable {
  package var mode: mode_t
  package var user: uid_t
  package var group: gid_t

  fileprivate init(_ status: stat) {
    mode = status.st_mode & 0o7777
    user = status.st_uid
    group = status.st_gid
  }

  /// Reads the access rights of the file at a path; `nil` if nothing exists there.
  package init?(of path: String) {
    guard let file = FileStamp(path) else { return nil }
    self = file.rights
  }

  /// The corresponding rights for a folder: users who may read files may also list the folder.
  package var forFolder: FileRights {
    var rights = self
    rights.mode = (mode & 0o666) | (mode & 0o444) >> 2 | 0o700
    return rights
  }

  package func apply(to handle: Int32) {
    // Only some users may change a file's owner. Changing only the group also succeeds if the user belongs to the
    // group.
    let isOfGroup = fchown(handle, user, group) == 0 || fchown(handle, uid_t.max, group) == 0
    // If the group differs from the store's, remove the group's permissions.
    let hasGroup = isOfGroup || FileStamp(handle)?.rights.group == group
    fchmod(handle, hasGroup ? mode : mode & 0o707)
  }
}

/// The kind of file at a path. Symbolic links are followed.
package enum FileKind {
  case nothing, regular, folder
  /// A pipe, a socket or a device.
  case special

  package init(at path: String) { self = FileStamp(path)?.kind ?? .nothing }

  /// Determines the kind of an open file.
  package init(_ handle: Int32) { self = FileStamp(handle)?.kind ?? .nothing }

  fileprivate init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .regular
    case S_IFDIR: self = .folder
    default: self = .special
    }
  }
}

/// The header of a database file, read without a lock.
package enum DatabaseHeader {
  package static let length = 100

  /// Reads the header. The result is shorter if the file is shorter than a header.
  ///
  /// Reads through SQLite, not through a file descriptor of this library: on POSIX, closing any descriptor for a file
  /// releases all locks that the process holds on it, including locks of open connections. A concurrent process would
  /// then delete the write-ahead log that those connections use.
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
