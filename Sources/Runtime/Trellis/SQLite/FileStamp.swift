import Foundation

/// What a file looks like from outside: another one in its place, or one that was written since, differs.
package struct FileStamp: Equatable {
  package var device: UInt64
  package var file: UInt64
  package var size: Int64
  package var seconds: Int
  package var nanoseconds: Int
  /// Who may do what with it.
  package var rights: FileRights

  package static func == (lhs: Self, rhs: Self) -> Bool {
    // Rights may change: what the file says does not.
    lhs.device == rhs.device && lhs.file == rhs.file && lhs.size == rhs.size
      && lhs.seconds == rhs.seconds && lhs.nanoseconds == rhs.nanoseconds
  }

  /// Of the file a path leads to; nil when there is none.
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
    rights = FileRights(found)
  }

  /// The length of a file; 0 without a file.
  static func size(_ path: String) -> Int64 { FileStamp(path)?.size ?? 0 }

  /// Whether both are names of one file, whatever it says.
  package func isSameFile(as other: FileStamp) -> Bool { device == other.device && file == other.file }
}
