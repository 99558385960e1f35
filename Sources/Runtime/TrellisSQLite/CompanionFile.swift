package import Foundation

/// Files and folders that a store creates next to the store file: backups, external data, locks, histories.
///
/// Each receives the store file's access rights, so that no copy is more readable than the store. Only regular files
/// are read: a device may never end, and opening a pipe waits for another process.
package enum CompanionFile {
  /// The maximum length of a store's file name in bytes: file systems allow 255, and SQLite appends "-journal".
  package static let longestStoreName = 255 - "-journal".utf8.count

  /// Creates a file and opens it for writing. Nothing may exist at `path`, not even a link.
  ///
  /// - Parameter rights: The store file's rights; `nil` if that file does not exist yet.
  /// - Throws: ``FileError``.
  package static func make(at path: String, _ rights: FileRights?) throws -> Int32 {
    // Other users must not be able to open the file before it has the store file's access rights.
    let handle = Foundation.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, rights == nil ? 0o644 : 0o600)
    guard handle >= 0 else { throw FileError(errno) }
    rights?.apply(to: handle)
    return handle
  }

  /// Creates a folder, unless it exists. Restricts an existing folder if more users can open it than the store.
  ///
  /// - Throws: ``FileError``.
  package static func makeFolder(at path: String, _ rights: FileRights?) throws {
    let isNew = mkdir(path, rights == nil ? 0o755 : 0o700) == 0
    let code = errno
    guard isNew || code == EEXIST && FileKind(at: path) == .folder else { throw FileError(code) }
    guard let rights = rights?.forFolder else { return }
    // A folder behind a symbolic link is left unchanged.
    let handle = Foundation.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard handle >= 0 else {
      if isNew { throw FileError(errno) }
      return
    }
    defer { close(handle) }
    if isNew {
      rights.apply(to: handle)
    } else if let now = FileRights(of: path), now.mode & ~rights.mode & 0o777 != 0 {
      // The folder may have been created before the store's access rights were changed.
      fchmod(handle, now.mode & rights.mode)
    }
  }

  /// Returns the reason for not creating a store's folder if its parent folder is missing as well; `nil` otherwise. A
  /// mistyped path must not create folders.
  package static func missingFolder(around folder: URL) -> String? {
    let around = folder.deletingLastPathComponent().path
    guard FileKind(at: folder.path) == .nothing, FileKind(at: around) == .nothing else { return nil }
    return "there is no folder '\(around)': correct the path or create this folder, because only the path's last "
      + "folder is created automatically"
  }

  /// Creates a folder and any missing parent folders, accessible only to the current user.
  ///
  /// - Throws: ``FileError``.
  package static func makePrivateFolders(_ folder: URL) throws {
    guard FileKind(at: folder.path) == .nothing, folder.path != "/" else { return }
    try makePrivateFolders(folder.deletingLastPathComponent())
    guard mkdir(folder.path, 0o700) == 0 || errno == EEXIST else { throw FileError(errno) }
  }

  /// Opens a regular file.
  ///
  /// - Throws: ``FileError``.
  package static func open(_ path: String, _ flags: Int32 = O_RDONLY) throws -> Int32 {
    // Opening a device may already have side effects.
    guard [.nothing, .regular].contains(FileKind(at: path)) else { throw FileError.notRegular }
    let handle = Foundation.open(path, flags | O_NONBLOCK | O_CLOEXEC)
    guard handle >= 0 else { throw FileError(errno) }
    guard FileKind(handle) == .regular else {
      close(handle)
      throw FileError.notRegular
    }
    return handle
  }

  /// The contents of a regular file.
  ///
  /// - Throws: ``FileError``, and errors from reading.
  package static func read(_ path: String) throws -> Data {
    let handle = try open(path)
    defer { close(handle) }
    return try FileHandle(fileDescriptor: handle, closeOnDealloc: false).readToEnd() ?? Data()
  }

  /// Writes all bytes starting at `offset` and waits for the disk.
  ///
  /// - Throws: ``FileError``.
  package static func write(_ bytes: some ContiguousBytes, to handle: Int32, at offset: Int64 = 0) throws {
    try bytes.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
        let count = pwrite(handle, rest.baseAddress, rest.count, off_t(offset) + off_t(written))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw FileError(errno) }
        written += count
      }
    }
    guard fsync(handle) == 0 else { throw FileError(errno) }
  }

  /// Waits until the names in a path's folder are on the disk, if the file system supports that.
  package static func synchronizeFolder(around path: String) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let handle = Foundation.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    fsync(handle)
    close(handle)
  }

  /// Returns true for a regular file, but not for a symbolic link to one.
  package static func isRegular(_ path: String) -> Bool {
    var found = stat()
    return lstat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFREG
  }

  /// Copies a regular file to an unused path. A failed copy is removed.
  ///
  /// - Throws: ``FileError``, and errors from reading.
  package static func copy(_ path: String, to copy: String, _ rights: FileRights?) throws {
    let source = try open(path)
    defer { close(source) }
    let target = try make(at: copy, rights)
    defer { close(target) }
    do {
      let reader = FileHandle(fileDescriptor: source, closeOnDealloc: false)
      var end: Int64 = 0
      while let part = try reader.read(upToCount: 1 << 20), !part.isEmpty {
        try write(part, to: target, at: end)
        end += Int64(part.count)
      }
    } catch {
      unlink(copy)
      throw error
    }
  }
}

/// A failed file system call.
package struct FileError: Error, CustomStringConvertible {
  /// The system's error number; 0 for ``notRegular``.
  package let code: Int32

  package init(_ code: Int32) { self.code = code }

  /// The path refers to something other than a regular file.
  package static let notRegular = FileError(0)

  package var description: String {
    code == 0 ? "it is a folder, a pipe, a socket or a device" : String(cString: strerror(code))
  }

  /// True if the disk is full, or if the user's quota or the maximum file size is reached.
  package static func isOutOfRoom(_ code: Int32) -> Bool { [ENOSPC, EDQUOT, EFBIG].contains(code) }

  /// True if the user lacks permission or the file system is read-only.
  package var isDenied: Bool { [EACCES, EPERM, EROFS].contains(code) }
}

extension Error {
  /// True if the disk is full or a size limit is reached.
  package var isOutOfRoom: Bool {
    switch self {
    case let error as FileError: FileError.isOutOfRoom(error.code)
    case let error as SQLiteError: error.code == .full || FileError.isOutOfRoom(error.systemCode)
    case let error as CocoaError: error.code == .fileWriteOutOfSpace
    default: false
    }
  }
}
