import CSQLite

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

  /// To be called by whoever may write to the log, for nobody else makes it longer or shorter then.
  ///
  /// - Returns: how long the file is. A disk that has no room is for the next write to complain of.
  static func prepare(
    _ file: UnsafeMutablePointer<sqlite3_file>, _ methods: UnsafePointer<sqlite3_io_methods>, upTo end: Int64
  ) -> Int64 {
    var length: Int64 = 0
    guard methods.pointee.xFileSize(file, &length) == SQLITE_OK, length < end else { return length }
    let target = (end + step - 1) / step * step
    // There is a gap where somebody else has cut the log off: what is written now begins it anew.
    guard target - length <= Int64(zeros.count) else { return length }
    let result = zeros.withUnsafeBytes {
      methods.pointee.xWrite(file, $0.baseAddress, Int32(target - length), length)
    }
    return result == SQLITE_OK ? target : length
  }
}
