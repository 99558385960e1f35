import CSQLite

/// What is kept behind SQLite's own description of an open database: a checkpoint of a log that another
/// connection begins anew meanwhile is left out.
///
/// A checkpoint reads which pages the log has, and then copies them. In SQLite before 3.51.3 nothing makes sure
/// that it is still the same log: where somebody commits between the two and begins the log anew, pages of the
/// new one count as copied that never were, and the next checkpoint leaves them out. Those commits are lost.
/// (SQLite's documentation calls it the WAL-reset bug.) Here the lock under which pages are copied
/// is refused when the log is another one than at the beginning, and SQLite checkpoints another time. And the
/// other way around, where another program checkpoints with such a version of SQLite: this one begins no log anew
/// while anybody's checkpoint is under way, and goes on at its end instead.
struct GuardedDatabase {
  typealias File = UnsafeMutablePointer<sqlite3_file>

  /// What SQLite calls for this file. First, so that it lies where the whole does.
  private var methods: sqlite3_io_methods
  private let base: UnsafePointer<sqlite3_io_methods>
  /// Which log this connection's checkpoint has found; nil while there is none under way.
  private var log: UInt64?
  /// Whether checkpoints of others are kept away, as the log is begun anew.
  private var isBeginning = false

  /// The first release that looks itself.
  private static let firstSafeRelease: Int32 = 3_051_003

  private init(_ base: UnsafePointer<sqlite3_io_methods>) {
    self.base = base
    methods = base.pointee
    methods.xShmLock = { file, place, count, flags in
      guard let file, let lock = GuardedDatabase.of(file).pointee.base.pointee.xShmLock else { return SQLITE_MISUSE }
      let own = GuardedDatabase.of(file)
      let isTaken = flags & SQLITE_SHM_LOCK != 0
      if isTaken, place == GuardedDatabase.marks.place, count == GuardedDatabase.marks.count, own.pointee.log == nil {
        // Refused, SQLite adds to the log there is.
        let result = lock(file, Lock.checkpoint.rawValue, 1, SQLITE_SHM_LOCK | SQLITE_SHM_SHARED)
        guard result == SQLITE_OK else { return result }
        own.pointee.isBeginning = true
      }
      let result = lock(file, place, count, flags)
      if own.pointee.isBeginning, place == GuardedDatabase.marks.place, !isTaken || result != SQLITE_OK {
        own.pointee.isBeginning = false
        _ = lock(file, Lock.checkpoint.rawValue, 1, SQLITE_SHM_UNLOCK | SQLITE_SHM_SHARED)
      }
      guard result == SQLITE_OK, flags & SQLITE_SHM_EXCLUSIVE != 0, count == 1,
        !own.pointee.follow(Lock(rawValue: place), isTaken: isTaken, file)
      else { return result }
      _ = lock(file, place, count, SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE)
      return SQLITE_BUSY
    }
  }

  /// The locks on the index of a log, as SQLite numbers them.
  private enum Lock: Int32 {
    case write, checkpoint, recovery, copying
  }

  /// Those of all readers of the log, which are taken together by nobody but who begins it anew.
  private static let marks = (place: Int32(4), count: Int32(4))

  /// Takes over a database that the file system below has opened, where its checkpoints are not safe.
  static func take(_ file: File) {
    guard sqlite3_libversion_number() < firstSafeRelease,
      let base = file.pointee.pMethods, base.pointee.iVersion >= 2
    else { return }
    let own = of(file)
    own.initialize(to: GuardedDatabase(base))
    file.pointee.pMethods = UnsafeRawPointer(own).assumingMemoryBound(to: sqlite3_io_methods.self)
  }

  private static func of(_ file: File) -> UnsafeMutablePointer<GuardedDatabase> {
    (UnsafeMutableRawPointer(file) + JoiningFileSystem.offset).assumingMemoryBound(to: GuardedDatabase.self)
  }

  /// Notes what a lock means for a checkpoint; false where it must not go on.
  private mutating func follow(_ lock: Lock?, isTaken: Bool, _ file: File) -> Bool {
    switch (lock, isTaken) {
    case (.checkpoint, true): log = current(file)
    case (.checkpoint, false): log = nil
    // After either of these SQLite reads the header, which nobody changes until then.
    case (.write, true), (.recovery, false): if log != nil { log = current(file) }
    case (.copying, true): if let log { return log == current(file) }
    default: break
    }
    return true
  }

  /// The numbers by which a log differs from the one before it.
  private func current(_ file: File) -> UInt64 {
    var region: UnsafeMutableRawPointer?
    guard base.pointee.xShmMap?(file, 0, LogIndex.regionSize, 0, &region) == SQLITE_OK, let region else { return 0 }
    return LogIndex(start: UnsafeRawPointer(region)).salts
  }
}
