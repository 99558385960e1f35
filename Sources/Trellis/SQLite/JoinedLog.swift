import CSQLite

/// What is kept behind SQLite's own description of an open log; see ``CommitJoiner``.
struct JoinedLog {
  typealias File = UnsafeMutablePointer<sqlite3_file>

  /// What SQLite calls for this file. First, so that it lies where the whole does; see ``isOne(_:)``.
  private var methods: sqlite3_io_methods
  private let base: UnsafePointer<sqlite3_io_methods>
  /// SQLite keeps it as long as the file is open.
  private let path: UnsafePointer<CChar>?
  private var bytes: UnsafeMutableRawPointer?
  /// How many of them wait to be written, and where the first one belongs in the file.
  private(set) var count = 0
  private var start: Int64 = 0
  /// Whether the last header was that of the last page of a commit.
  private var endsCommit = false
  /// Whether pages wait for each other: in a commit, up to its last page. What is written after it are headers
  /// once more, without their pages.
  private var isJoining = false

  /// How long the file is, as far as is known; 0 when one has to look.
  private var length: Int64 = 0

  private static let headerSize = 24
  /// Sixteen pages of 4 KiB.
  private static let capacity = 16 * (4_096 + headerSize)

  private init(_ base: UnsafePointer<sqlite3_io_methods>, at path: UnsafePointer<CChar>?) {
    self.base = base
    self.path = path
    methods = base.pointee
    methods.xWrite = { file, bytes, count, place in
      guard let file, let bytes else { return SQLITE_MISUSE }
      return JoinedLog.of(file).pointee.write(file, bytes, Int(count), place)
    }
    methods.xRead = { file, bytes, count, place in
      JoinedLog.afterFlush(file) { $1.pointee.xRead($0, bytes, count, place) }
    }
    methods.xTruncate = { file, size in
      if let file { JoinedLog.of(file).pointee.length = 0 }
      return JoinedLog.afterFlush(file) { $1.pointee.xTruncate($0, size) }
    }
    methods.xSync = { file, flags in JoinedLog.afterFlush(file) { $1.pointee.xSync($0, flags) } }
    methods.xFileSize = { file, size in JoinedLog.afterFlush(file) { $1.pointee.xFileSize($0, size) } }
    methods.xClose = { file in
      guard let file else { return SQLITE_MISUSE }
      let own = JoinedLog.of(file)
      let base = own.pointee.base
      own.pointee.bytes?.deallocate()
      own.deinitialize(count: 1)
      return base.pointee.xClose(file)
    }
  }

  /// Takes over a log that the file system below has opened.
  static func take(_ file: File, at path: UnsafePointer<CChar>?) {
    guard let base = file.pointee.pMethods else { return }
    let own = of(file)
    own.initialize(to: JoinedLog(base, at: path))
    file.pointee.pMethods = UnsafeRawPointer(own).assumingMemoryBound(to: sqlite3_io_methods.self)
  }

  static func of(_ file: File) -> UnsafeMutablePointer<JoinedLog> {
    (UnsafeMutableRawPointer(file) + JoiningFileSystem.offset).assumingMemoryBound(to: JoinedLog.self)
  }

  /// Whether a file was taken over: only then is there something behind it.
  static func isOne(_ file: File) -> Bool {
    file.pointee.pMethods.map(UnsafeRawPointer.init) == UnsafeRawPointer(of(file))
  }

  private static func afterFlush(
    _ file: File?, _ body: (File, UnsafePointer<sqlite3_io_methods>) -> Int32
  ) -> Int32 {
    guard let file else { return SQLITE_MISUSE }
    let own = of(file)
    if own.pointee.count > 0 {
      let result = own.pointee.flush(file)
      if result != SQLITE_OK { return result }
    }
    return body(file, own.pointee.base)
  }

  /// Writes what waits.
  mutating func flush(_ file: File) -> Int32 {
    let count = count
    self.count = 0
    guard let bytes else { return SQLITE_OK }
    return put(file, bytes, count, start)
  }

  /// To be called before a commit.
  mutating func begin() {
    endsCommit = false
    isJoining = true
  }

  /// To be called after it, or after its failure.
  mutating func end() { isJoining = false }

  /// Forgets what waits.
  mutating func drop() { count = 0 }

  private mutating func write(_ file: File, _ source: UnsafeRawPointer, _ size: Int, _ place: Int64) -> Int32 {
    if count > 0, place != start + Int64(count) || count + size > Self.capacity {
      let result = flush(file)
      if result != SQLITE_OK { return result }
    }
    if size == Self.headerSize {
      guard isJoining else { return put(file, source, size, place) }
      if count == 0 { start = place }
      endsCommit = source.loadUnaligned(fromByteOffset: 4, as: UInt32.self) != 0
      append(source, size)
      return SQLITE_OK
    }
    if endsCommit { isJoining = false }
    guard count > 0 else { return put(file, source, size, place) }
    append(source, size)
    return isJoining ? SQLITE_OK : flush(file)
  }

  private mutating func put(_ file: File, _ source: UnsafeRawPointer, _ size: Int, _ place: Int64) -> Int32 {
    // The log begins anew: somebody may have made it shorter meanwhile.
    if place == 0 { length = 0 }
    let end = place + Int64(size)
    if end > length, size <= LogSpace.largestWrite {
      length = LogSpace.prepare(file, base, at: path, upTo: end)
    }
    return base.pointee.xWrite(file, source, Int32(size), place)
  }

  private mutating func append(_ source: UnsafeRawPointer, _ size: Int) {
    let bytes = self.bytes ?? .allocate(byteCount: Self.capacity, alignment: 16)
    self.bytes = bytes
    (bytes + count).copyMemory(from: source, byteCount: size)
    count += size
  }
}
