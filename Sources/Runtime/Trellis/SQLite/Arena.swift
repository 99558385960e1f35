/// Memory for the strings and blobs bound to a statement: they must not move until it has been
/// stepped, and all go at once afterwards.
final class Arena {
  /// What is longer than this is left to SQLite to copy.
  static let limit = 16 * 1024

  // Nothing that is called while they are accessed comes back to the arena.
  @exclusivity(unchecked) private var chunks: [UnsafeMutableRawBufferPointer]
  @exclusivity(unchecked) private var current = 0
  private let first: UnsafeMutableRawPointer
  /// The rest of the current chunk.
  @exclusivity(unchecked) private var next: UnsafeMutableRawPointer
  @exclusivity(unchecked) private var left = 4 * Arena.limit

  init() {
    first = .allocate(byteCount: 4 * Self.limit, alignment: 16)
    next = first
    chunks = [UnsafeMutableRawBufferPointer(start: first, count: 4 * Self.limit)]
  }

  deinit { for chunk in chunks { chunk.deallocate() } }

  /// Room for `count` bytes, which stays where it is until the arena is reset.
  @inline(__always) func allocate(_ count: Int) -> UnsafeMutableRawPointer {
    guard count <= left else { return grow(count) }
    let start = next
    next = start + count
    left &-= count
    return start
  }

  @inline(never) private func grow(_ count: Int) -> UnsafeMutableRawPointer {
    current += 1
    let size = max(4 * Self.limit, count)
    if current == chunks.count {
      chunks.append(.allocate(byteCount: size, alignment: 16))
    } else if chunks[current].count < count {
      chunks[current].deallocate()
      chunks[current] = .allocate(byteCount: size, alignment: 16)
    }
    // A buffer that was allocated with a size above zero has an address.
    let start = chunks[current].baseAddress.unsafelyUnwrapped
    next = start + count
    left = chunks[current].count - count
    return start
  }

  @inline(__always) func reset() {
    current = 0
    next = first
    left = 4 * Self.limit
  }
}
