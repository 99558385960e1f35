import CSQLite
import Synchronization

/// The header of the WAL index, which is memory that all connections to the file share, in all processes.
///
/// Every commit changes the header. SQLite compares it with a copy to find out whether another connection has
/// committed, and so does this type, without a lock or a system call. The offsets are part of SQLite's documented file
/// format (section "WAL-Index Format").
package struct WALIndexHeader: @unchecked Sendable {  // reads shared memory, never writes
  /// The two copies of the header and the number of checkpointed frames.
  package struct State: Equatable {
    fileprivate var first: SIMD8<UInt64>
    fileprivate var second: SIMD4<UInt64>
    fileprivate var copied: UInt64
  }

  private let start: UnsafeRawPointer

  package static let regionSize: Int32 = 32 * 1024
  private static let knownVersion: UInt32 = 3_007_000

  /// - Parameter start: the address of the first region of the index, mapped as long as the header is used.
  package init(start: UnsafeRawPointer) { self.start = start }

  /// Nil without a write-ahead log, or if its index has another version.
  ///
  /// - Parameter connection: has read from the file. The header is valid until it is closed.
  package init?(_ connection: OpaquePointer) {
    guard let (file, methods) = openFile(of: connection), methods.pointee.iVersion >= 2,
      let map = methods.pointee.xShmMap
    else { return nil }
    var region: UnsafeMutableRawPointer?
    guard map(file, 0, Self.regionSize, 0, &region) == SQLITE_OK, let region else { return nil }
    start = UnsafeRawPointer(region)
    guard start.load(as: UInt32.self) == Self.knownVersion else { return nil }
  }

  /// Increases by one with each commit of any connection.
  @inline(__always) package var commits: UInt32 {
    atomicMemoryFence(ordering: .acquiring)
    return start.load(fromByteOffset: 8, as: UInt32.self)
  }

  /// The number of pages in the log up to the last commit.
  @inline(__always) package var length: UInt32 {
    atomicMemoryFence(ordering: .acquiring)
    return start.load(fromByteOffset: 16, as: UInt32.self)
  }

  /// The number of pages in the log that checkpoints have copied into the database.
  @inline(__always) package var copied: UInt32 {
    atomicMemoryFence(ordering: .acquiring)
    return start.load(fromByteOffset: 96, as: UInt32.self)
  }

  /// The salts, which differ after each reset of the log.
  package var salts: UInt64 {
    atomicMemoryFence(ordering: .acquiring)
    return start.load(fromByteOffset: 32, as: UInt64.self)
  }

  /// The current header.
  @inline(__always) package var state: State {
    atomicMemoryFence(ordering: .acquiring)
    return State(
      first: start.load(as: SIMD8<UInt64>.self),
      second: start.load(fromByteOffset: 64, as: SIMD4<UInt64>.self),
      copied: start.load(fromByteOffset: 96, as: UInt64.self))
  }
}
