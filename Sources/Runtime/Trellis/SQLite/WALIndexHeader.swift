import CSQLite
import Synchronization

/// The header of the index of a write-ahead log: memory that all connections to the file share, in all
/// processes, and that every commit changes.
///
/// SQLite compares it with its own copy to see whether anything was committed, and so does this,
/// without a lock or a call of the system. What lies where is part of SQLite's file format.
struct WALIndexHeader: @unchecked Sendable {  // reads memory that all processes share
  /// Two copies of the header, and how much of the log has been copied into the database.
  struct State: Equatable {
    fileprivate var first: SIMD8<UInt64>
    fileprivate var second: SIMD4<UInt64>
    fileprivate var copied: UInt64
  }

  private let start: UnsafeRawPointer

  static let regionSize: Int32 = 32 * 1024
  private static let knownVersion: UInt32 = 3_007_000

  /// - Parameter start: of the first region of the index, which is mapped as long as this is used.
  init(start: UnsafeRawPointer) { self.start = start }

  /// Nil where there is no log, or one of another form.
  ///
  /// - Parameter connection: has read from the file. The index is valid until it is closed.
  init?(_ connection: OpaquePointer) {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let result = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    guard result == SQLITE_OK, let file, let methods = file.pointee.pMethods,
      methods.pointee.iVersion >= 2, let map = methods.pointee.xShmMap
    else { return nil }
    var region: UnsafeMutableRawPointer?
    guard map(file, 0, Self.regionSize, 0, &region) == SQLITE_OK, let region else { return nil }
    start = UnsafeRawPointer(region)
    guard start.load(as: UInt32.self) == Self.knownVersion else { return nil }
  }

  /// A number that each commit makes greater by one, whoever commits.
  @inline(__always) var commits: UInt32 {
    atomicMemoryFence(ordering: .acquiring)
    return start.load(fromByteOffset: 8, as: UInt32.self)
  }

  /// How many pages are in the log up to the last commit.
  @inline(__always) var length: UInt32 {
    atomicMemoryFence(ordering: .acquiring)
    return start.load(fromByteOffset: 16, as: UInt32.self)
  }

  /// How many of them are in the database as well.
  @inline(__always) var copied: UInt32 {
    atomicMemoryFence(ordering: .acquiring)
    return start.load(fromByteOffset: 96, as: UInt32.self)
  }

  /// Two numbers by which one log differs from the next that is written into the same file.
  var salts: UInt64 {
    atomicMemoryFence(ordering: .acquiring)
    return start.load(fromByteOffset: 32, as: UInt64.self)
  }

  /// What the header says now.
  @inline(__always) var state: State {
    atomicMemoryFence(ordering: .acquiring)
    return State(
      first: start.load(as: SIMD8<UInt64>.self),
      second: start.load(fromByteOffset: 64, as: SIMD4<UInt64>.self),
      copied: start.load(fromByteOffset: 96, as: UInt64.self))
  }
}
