import Foundation

/// A file that is always replaced as a whole, so that readers never see partial contents.
struct JSONFile {
  let path: String

  var url: URL { URL(filePath: path) }

  /// Runs `body` while no other store in this or any other process writes the file.
  func locked<T>(_ body: () throws -> T) throws -> T {
    // The lock is a separate file, because each save replaces the file itself. Closing it releases the lock.
    let lock = open(path + ".lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o666)
    guard lock >= 0 else { throw failure(String(cString: strerror(errno))) }
    defer { close(lock) }
    while flock(lock, LOCK_EX) != 0 {
      guard errno == EINTR else { throw failure(String(cString: strerror(errno))) }
    }
    return try body()
  }

  /// Replaces the file after the new contents have reached the disk. After an error, the file is unchanged.
  func replace(with data: Data) throws {
    let new = URL(filePath: path + ".new")
    do {
      let mode = (try? FileManager.default.attributesOfItem(atPath: path))?.filter { $0.key == .posixPermissions }
      guard FileManager.default.createFile(atPath: new.path, contents: nil, attributes: mode)
      else { throw failure("cannot create '\(new.path)'") }
      let handle = try FileHandle(forWritingTo: new)
      try handle.write(contentsOf: data)
      try handle.synchronize()
      try handle.close()
      guard rename(new.path, path) == 0 else { throw failure(String(cString: strerror(errno))) }
    } catch {
      unlink(new.path)
      throw error as? JSONFileError ?? failure("\(error)")
    }
    try? FileHandle(forReadingFrom: new.deletingLastPathComponent()).synchronize()
  }

  func failure(_ reason: String) -> JSONFileError { .unusable(path: path, reason: reason) }
}
