import CSQLite
import Foundation

/// The file system that connections open their files with: SQLite's own, but for logs, see
/// ``CommitJoiner``, and for checkpoints, see ``GuardedDatabase``.
enum JoiningFileSystem {
  /// Where SQLite knows it by; nil for its own, where there is nothing to build on.
  nonisolated(unsafe) static let name: UnsafePointer<CChar>? = register()  // never written

  nonisolated(unsafe) private static let base = {  // never written
    // Settings come before the first call.
    _ = SQLiteLibrary.prepared
    return sqlite3_vfs_find(nil)
  }()

  /// How far behind the description of a file there is room for what is added to it.
  static let offset = base.map { (Int($0.pointee.szOsFile) + 15) & ~15 } ?? 0

  private static func register() -> UnsafePointer<CChar>? {
    guard let base else { return nil }
    let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    own.initialize(to: base.pointee)
    // A program may have several copies of this library in it, of several versions.
    let name = strdup("trellis-\(UInt(bitPattern: own))")
    own.pointee.zName = UnsafePointer(name)
    own.pointee.pNext = nil
    own.pointee.szOsFile = Int32(
      offset + max(MemoryLayout<JoinedLog>.stride, MemoryLayout<GuardedDatabase>.stride))
    own.pointee.xOpen = { _, path, file, flags, opened in
      guard let base = JoiningFileSystem.base else { return SQLITE_CANTOPEN }
      let result = base.pointee.xOpen(base, path, file, flags, opened)
      guard result == SQLITE_OK, let file else { return result }
      if flags & SQLITE_OPEN_WAL != 0 { JoinedLog.take(file, at: path) }
      if flags & SQLITE_OPEN_MAIN_DB != 0 { GuardedDatabase.take(file) }
      return result
    }
    return name != nil && sqlite3_vfs_register(own, 0) == SQLITE_OK ? UnsafePointer(name) : nil
  }
}
