import CSQLite
import Foundation

/// Room at the end of a write-ahead log for what comes next.
///
/// Pages of a log lie across those of the system, and to grow a file by a page costs more than to write one:
/// twice as much on ext4. So a log grows by zeros, many pages at a time, and its own are then written over them.
/// To SQLite zeros are what it finds behind the end of every log that has begun anew: no page, because they
/// carry the salt of no log.
enum LogSpace {
  /// A log is made longer up to a multiple of this.
  private static let step: Int64 = 65_536
  private static let zeros = [UInt8](repeating: 0, count: Int(step) + largestWrite)
  /// Of what is longer, the system makes good pages by itself.
  static let largestWrite = 32_768
  /// Where the disk has no more than this, a log grows by its own pages: what it took ahead a checkpoint would
  /// miss, and a log that cannot be copied cannot begin anew.
  private static let reserve: UInt64 = 1 << 20

  /// To be called by whoever may write to the log, for nobody else makes it longer or shorter then.
  ///
  /// - Parameter path: of the file.
  /// - Returns: how long the file is. A disk that has no room is for the next write to complain of.
  static func prepare(
    _ file: UnsafeMutablePointer<sqlite3_file>, _ methods: UnsafePointer<sqlite3_io_methods>,
    at path: UnsafePointer<CChar>?, upTo end: Int64
  ) -> Int64 {
    var length: Int64 = 0
    guard methods.pointee.xFileSize(file, &length) == SQLITE_OK, length < end else { return length }
    let target = (end + step - 1) / step * step
    // There is a gap where somebody else has cut the log off: what is written now begins it anew.
    guard target - length <= Int64(zeros.count), isRoomy(path) else { return length }
    let result = zeros.withUnsafeBytes {
      methods.pointee.xWrite(file, $0.baseAddress, Int32(target - length), length)
    }
    if result == SQLITE_OK { return target }
    // A part of it is room that a checkpoint may need. Disks do not tell of quotas.
    _ = methods.pointee.xTruncate(file, length)
    return length
  }

  private static func isRoomy(_ path: UnsafePointer<CChar>?) -> Bool {
    var disk = statvfs()
    guard let path, statvfs(path, &disk) == 0 else { return false }
    return UInt64(disk.f_bavail) > reserve / max(UInt64(disk.f_frsize), 1)
  }
}
