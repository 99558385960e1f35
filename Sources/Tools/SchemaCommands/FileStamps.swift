import Foundation
import SchemaDriver

/// The states of a schema's files. Two values are equal if no file was saved, added or removed.
package struct FileStamps: Equatable {
  private struct Stamp: Equatable {
    /// The inode number, because editors may save to a new file and rename it.
    var number: UInt64
    var size: Int
    var changed: [Int]
  }

  private var stamps: [String: Stamp] = [:]

  /// - Parameters:
  ///   - folders: The folders to search, including subfolders that are not hidden.
  ///   - excluded: A folder that is not searched.
  package init(_ folders: [String], except excluded: String?) {
    for folder in folders { read(folder, excluded) }
  }

  private mutating func read(_ folder: String, _ excluded: String?) {
    guard folder != excluded else { return }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where !name.hasPrefix(".") {
      let path = Session.join(folder, name)
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        read(path, excluded)
      } else if Self.isRead(name), stat(path, &status) == 0 {
        #if canImport(Darwin)
          let time = status.st_mtimespec
        #else
          let time = status.st_mtim
        #endif
        stamps[path] = Stamp(
          number: UInt64(status.st_ino), size: Int(status.st_size), changed: [Int(time.tv_sec), Int(time.tv_nsec)])
      }
    }
  }

  private static func isRead(_ name: String) -> Bool {
    [SchemaPaths.suffix, SchemaPaths.swiftSuffix, SchemaPaths.lockSuffix].contains { name.hasSuffix($0) }
      || name == "schema.config.json"
  }
}
