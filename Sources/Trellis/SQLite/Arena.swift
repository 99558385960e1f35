/// Memory for the strings and blobs bound to a statement: they must not move until it has been
/// stepped, and all go at once afterwards.
final class Arena {
  /// What is longer than this is left to SQLite to copy.
  static let limit = 16 * 1024

  // Nothing that is called while they are accessed comes back to the arena.
  @exclusivity(unchecked) private var chunks: [UnsafeMutableRawBufferPointer]
  @exclusivity(unchecked) private var current = 0
  @exclusivity(unchecked) private var used = 0

  init() { chunks = [.allocate(byteCount: 4 * Self.limit, alignment: 16)] }

  deinit { for chunk in chunks { chunk.deallocate() } }

  /// Room for `count` bytes, which stays where it is until the arena is reset.
  @inline(__always) func allocate(_ count: Int) -> UnsafeMutableRawPointer {
    let chunk = chunks[current]
    if let base = chunk.baseAddress, chunk.count - used >= count {
      let start = base + used
      used += count
      return start
    }
    return grow(count)
  }

  @inline(never) private func grow(_ count: Int) -> UnsafeMutableRawPointer {
    current += 1
    used = count
    let size = max(4 * Self.limit, count)
    if current == chunks.count {
      chunks.append(.allocate(byteCount: size, alignment: 16))
    } else if chunks[current].count < count {
      chunks[current].deallocate()
      chunks[current] = .allocate(byteCount: size, alignment: 16)
    }
    // A buffer that was allocated with a size above zero has an address.
    return chunks[current].baseAddress.unsafelyUnwrapped
  }

  @inline(__always) func reset() {
    current = 0
    used = 0
  }
}
