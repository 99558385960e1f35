import Foundation

/// Buffers bytes and outputs them in blocks, so that writing a value needs no allocation.
///
/// After an output error, further bytes are dropped, and ``finish()`` and ``check()`` throw the error.
package struct ByteSink: ~Copyable {
  private let start: UnsafeMutablePointer<UInt8>
  private let capacity: Int
  private var count = 0
  /// The number of bytes already output.
  private var passed = 0
  private var failure: (any Error)?
  private let output: (UnsafeRawBufferPointer) throws -> Void

  /// The number of bytes written so far.
  package var total: Int { passed + count }

  /// - Parameters:
  ///   - capacity: The block size, at least 64 bytes.
  ///   - output: Receives each full block.
  package init(capacity: Int = 1 << 18, output: @escaping (UnsafeRawBufferPointer) throws -> Void) {
    self.capacity = max(64, capacity)
    start = .allocate(capacity: self.capacity)
    self.output = output
  }

  deinit { start.deallocate() }

  @inline(__always) package mutating func append(_ byte: UInt8) {
    if count == capacity { flush() }
    start[count] = byte
    count += 1
  }

  /// Removes the byte that was appended last.
  mutating func removeLast() { if count > 0 { count -= 1 } }

  package mutating func append(_ text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  package mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  @inline(__always) package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    if bytes.count <= capacity - count {
      UnsafeMutableRawPointer(start + count).copyMemory(from: source, byteCount: bytes.count)
      count += bytes.count
    } else {
      appendLong(bytes)
    }
  }

  @inline(never) private mutating func appendLong(_ bytes: UnsafeRawBufferPointer) {
    flush()
    guard bytes.count < capacity else { return pass(bytes) }
    guard let source = bytes.baseAddress else { return }
    UnsafeMutableRawPointer(start).copyMemory(from: source, byteCount: bytes.count)
    count = bytes.count
  }

  /// Outputs the buffered bytes.
  @inline(never) package mutating func flush() {
    pass(UnsafeRawBufferPointer(start: start, count: count))
    count = 0
  }

  private mutating func pass(_ bytes: UnsafeRawBufferPointer) {
    passed += bytes.count
    guard failure == nil, !bytes.isEmpty else { return }
    do { try output(bytes) } catch { failure = error }
  }

  /// - Throws: The first output error.
  package func check() throws {
    if let failure { throw failure }
  }

  /// Outputs the remaining bytes.
  ///
  /// - Throws: The first output error.
  package mutating func finish() throws {
    flush()
    try check()
  }

  /// Makes room for `size` bytes in the block.
  @inline(__always) private mutating func reserve(_ size: Int) {
    if capacity - count < size { flush() }
  }
}

// MARK: Numbers

extension ByteSink {
  @inline(__always) package mutating func append(_ number: Int64) {
    if number < 0 { append(UInt8(ascii: "-")) }
    append(number.magnitude)
  }

  package mutating func append(_ number: UInt64) {
    reserve(20)
    var size = 1
    var bound: UInt64 = 10
    while number >= bound {
      size += 1
      let (next, overflow) = bound.multipliedReportingOverflow(by: 10)
      if overflow { break }
      bound = next
    }
    var rest = number
    var place = count + size
    repeat {
      place -= 1
      start[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while rest > 0
    count += size
  }

  /// Appends a number with leading zeros.
  @inline(__always) package mutating func append(_ number: Int, digits: Int) {
    reserve(20)
    var rest = number
    for place in stride(from: count + digits - 1, through: count, by: -1) {
      start[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += digits
  }

  /// Appends a finite number in the shortest notation that reads back as the same number.
  package mutating func append(_ number: Double) {
    // Whole numbers need no search for the shortest notation.
    if number.magnitude < 1e15, number == number.rounded(.towardZero), number != 0 {
      append(Int64(number))
      append(".0")
    } else {
      append(number.description)
    }
  }
}
