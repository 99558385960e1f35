package import CSQLite
import Foundation

/// Works around the WAL-reset bug of SQLite before 3.51.3, which loses commits.
///
/// A checkpoint reads the number of pages in the write-ahead log and then copies them into the database. Old releases
/// do not verify that the log is still the same one: another connection may commit in between and reset the log. The
/// checkpoint then counts pages of the new log as copied that it has never seen, and the next checkpoint skips them.
///
/// Connections of a store open their files through a virtual file system that passes every call on to SQLite's
/// default one, except locks on the WAL index:
///
/// - If the log has been reset since the checkpoint began, the lock for copying is refused with `SQLITE_BUSY`. SQLite
///   then checkpoints another time.
/// - If another program's checkpoint is running, which may have the bug, the lock for resetting the log is refused.
///   SQLite then appends to the log.
///
/// SQLite 3.51.3 and later are not wrapped.
package struct WALResetGuard {
  package typealias File = UnsafeMutablePointer<sqlite3_file>

  /// The name of the file system, registered at the first use; nil if SQLite needs no guard.
  package nonisolated(unsafe) static let fileSystem: UnsafePointer<CChar>? = register()  // a constant C string

  nonisolated(unsafe) private static let base = sqlite3_vfs_find(nil)  // set once, by SQLite
  private static let firstFixedRelease: Int32 = 3_051_003
  /// The guard follows SQLite's own `sqlite3_file` in memory, aligned to 16 bytes.
  private static let offset = base.map { (Int($0.pointee.szOsFile) + 15) & ~15 } ?? 0

  private static func register() -> UnsafePointer<CChar>? {
    guard sqlite3_libversion_number() < firstFixedRelease, let base else { return nil }
    let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    own.initialize(to: base.pointee)
    // Several copies of this library may be loaded, so the name contains an address.
    let name = strdup("trellis-\(UInt(bitPattern: own))")
    own.pointee.zName = UnsafePointer(name)
    own.pointee.pNext = nil
    own.pointee.szOsFile = Int32(offset + MemoryLayout<WALResetGuard>.stride)
    own.pointee.xOpen = { _, path, file, flags, opened in
      guard let base = WALResetGuard.base else { return SQLITE_CANTOPEN }
      let result = base.pointee.xOpen(base, path, file, flags, opened)
      if result == SQLITE_OK, let file, flags & SQLITE_OPEN_MAIN_DB != 0 { WALResetGuard.wrap(file) }
      return result
    }
    return name != nil && sqlite3_vfs_register(own, 0) == SQLITE_OK ? UnsafePointer(name) : nil
  }

  /// The methods that SQLite calls for this file. SQLite reads a pointer to them.
  private var methods: sqlite3_io_methods
  private let base: UnsafePointer<sqlite3_io_methods>
  /// The salts of the log that a running checkpoint of this connection has found; nil without a checkpoint.
  private var log: UInt64?
  /// True while this connection resets the log and therefore excludes other checkpoints.
  private var isResetting = false

  private init(_ base: UnsafePointer<sqlite3_io_methods>) {
    self.base = base
    methods = base.pointee
    methods.xShmLock = { file, offset, count, flags in
      guard let file else { return SQLITE_MISUSE }
      return WALResetGuard.lock(file, offset, count, flags)
    }
  }

  /// Replaces the methods of a file that the default file system has opened.
  private static func wrap(_ file: File) {
    guard let base = file.pointee.pMethods, base.pointee.iVersion >= 2 else { return }
    let own = of(file)
    own.initialize(to: WALResetGuard(base))
    file.pointee.pMethods = UnsafeRawPointer(own).assumingMemoryBound(to: sqlite3_io_methods.self)
  }

  private static func of(_ file: File) -> UnsafeMutablePointer<WALResetGuard> {
    (UnsafeMutableRawPointer(file) + offset).assumingMemoryBound(to: WALResetGuard.self)
  }

  /// The locks on the WAL index, as SQLite numbers them.
  private enum Lock: Int32 { case write, checkpoint, recovery, copying }

  /// The locks of the readers of the log. Only a connection that resets the log takes them together.
  private static let readers = (offset: Int32(4), count: Int32(4))

  private static func lock(_ file: File, _ offset: Int32, _ count: Int32, _ flags: Int32) -> Int32 {
    let own = of(file)
    guard let lock = own.pointee.base.pointee.xShmLock else { return SQLITE_MISUSE }
    let isTaken = flags & SQLITE_SHM_LOCK != 0
    if isTaken, offset == readers.offset, count == readers.count, own.pointee.log == nil {
      let result = lock(file, Lock.checkpoint.rawValue, 1, SQLITE_SHM_LOCK | SQLITE_SHM_SHARED)
      guard result == SQLITE_OK else { return result }
      own.pointee.isResetting = true
    }
    let result = lock(file, offset, count, flags)
    if own.pointee.isResetting, offset == readers.offset, !isTaken || result != SQLITE_OK {
      own.pointee.isResetting = false
      _ = lock(file, Lock.checkpoint.rawValue, 1, SQLITE_SHM_UNLOCK | SQLITE_SHM_SHARED)
    }
    guard result == SQLITE_OK, flags & SQLITE_SHM_EXCLUSIVE != 0, count == 1,
      !own.pointee.allows(Lock(rawValue: offset), isTaken: isTaken, file)
    else { return result }
    _ = lock(file, offset, count, SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE)
    return SQLITE_BUSY
  }

  /// Follows the locks of a checkpoint; false if it must not copy, because the log has been reset.
  private mutating func allows(_ lock: Lock?, isTaken: Bool, _ file: File) -> Bool {
    switch (lock, isTaken) {
    case (.checkpoint, true): log = salts(file)
    case (.checkpoint, false): log = nil
    // SQLite reads the header again after either of these, and no other connection changes it until then.
    case (.write, true), (.recovery, false): if log != nil { log = salts(file) }
    case (.copying, true): if let log { return log == salts(file) }
    default: break
    }
    return true
  }

  /// The salts of the current log, which differ after each reset.
  private func salts(_ file: File) -> UInt64 {
    var region: UnsafeMutableRawPointer?
    guard base.pointee.xShmMap?(file, 0, WALIndexHeader.regionSize, 0, &region) == SQLITE_OK, let region
    else { return 0 }
    return WALIndexHeader(start: UnsafeRawPointer(region)).salts
  }
}
