/// Memory for strings and blobs bound to a statement. It must not move until the statement has been stepped. All of it
/// is released together afterwards.
package final class Arena {
  /// The maximum size in bytes. SQLite copies longer values.
  package static let limit = 16 * 1024

  // No call during an access reenters the arena.
  @exclusivity(unchecked) private var chunks: [UnsafeMutableRawBufferPointer]
  @exclusivity(unchecked) private var current = 0
  private let first: UnsafeMutableRawPointer
  /// The current chunk's free bytes.
  @exclusivity(unchecked) private var next: UnsafeMutableRawPointer
  @exclusivity(unchecked) private var left = 4 * Arena.limit

  package init() {
    first = .allocate(byteCount: 4 * Self.limit, alignment: 16)
    next = first
    chunks = [UnsafeMutableRawBufferPointer(start: first, count: 4 * Self.limit)]
  }

  deinit { for chunk in chunks { chunk.deallocate() } }

  /// Allocates `count` bytes, which are valid until the arena is reset.
  @inline(__always) package func allocate(_ count: Int) -> UnsafeMutableRawPointer {
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
    // A nonempty buffer has a base address.
    let start = chunks[current].baseAddress.unsafelyUnwrapped
    next = start + count
    left = chunks[current].count - count
    return start
  }

  @inline(__always) package func reset() {
    current = 0
    next = first
    left = 4 * Self.limit
  }
}
