import Foundation

/// What a file looks like from outside: another one in its place, or one that was written since, differs.
struct JSONFileStamp: Equatable {
  var device: UInt64
  var file: UInt64
  var size: Int64
  var seconds: Int
  var nanoseconds: Int
  /// Who may do what with it.
  var rights: FileRights

  static func == (lhs: Self, rhs: Self) -> Bool {
    // Rights may change: what the file says does not.
    lhs.device == rhs.device && lhs.file == rhs.file && lhs.size == rhs.size
      && lhs.seconds == rhs.seconds && lhs.nanoseconds == rhs.nanoseconds
  }

  /// Of the file a path leads to; nil when there is none.
  init?(_ path: String) {
    var found = stat()
    guard stat(path, &found) == 0 else { return nil }
    self.init(found)
  }

  /// Of an open file.
  init?(_ handle: Int32) {
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

  /// Whether both are names of one file, whatever it says.
  func isSameFile(as other: JSONFileStamp) -> Bool { device == other.device && file == other.file }
}
