import Foundation

/// Values of one row in the form they have in columns, one after the other: two such rows of one model are
/// compared byte by byte.
final class RowImage: ColumnSink {
  private enum Kind: UInt64 { case null, integer, real, text, blob }

  /// The header of each value.
  private struct Head {
    var parameter: Int32
    /// The size of the bytes that follow, rounded up to whole words.
    var room: Int32
    /// The number of bytes of the value, with its kind in the lowest three bits.
    var length: UInt64

    static let size = MemoryLayout<Head>.stride
  }

  private var start: UnsafeMutableRawPointer
  private var used = 0
  private var capacity: Int

  init(capacity: Int = 512) {
    self.capacity = capacity
    start = .allocate(byteCount: capacity, alignment: 8)
  }

  deinit { start.deallocate() }

  func removeAll() { used = 0 }

  func bindNull(_ parameter: Int32) { _ = add(parameter, .null, count: 0) }

  func bind(_ integer: Int64, _ parameter: Int32) {
    add(parameter, .integer, count: 8).storeBytes(of: integer, as: Int64.self)
  }

  func bind(_ real: Double, _ parameter: Int32) {
    add(parameter, .real, count: 8).storeBytes(of: real.bitPattern, as: UInt64.self)
  }

  func bind(text bytes: UnsafeRawBufferPointer, _ parameter: Int32) { add(parameter, .text, bytes) }

  func bind(blob bytes: UnsafeRawBufferPointer, _ parameter: Int32) { add(parameter, .blob, bytes) }

  private func add(_ parameter: Int32, _ kind: Kind, _ bytes: UnsafeRawBufferPointer) {
    let place = add(parameter, kind, count: bytes.count)
    if let source = bytes.baseAddress { place.copyMemory(from: source, byteCount: bytes.count) }
  }

  /// Where the bytes of the next value go.
  private func add(_ parameter: Int32, _ kind: Kind, count: Int) -> UnsafeMutableRawPointer {
    let room = (count + 7) & ~7
    let end = used + Head.size + room
    if end > capacity { grow(to: end) }
    let head = Head(
      parameter: parameter, room: Int32(truncatingIfNeeded: room >> 3),
      length: UInt64(count) << 3 | kind.rawValue)
    (start + used).storeBytes(of: head, as: Head.self)
    let place = start + used + Head.size
    used = end
    return place
  }

  private func grow(to needed: Int) {
    capacity = max(needed, capacity * 2)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
    larger.copyMemory(from: start, byteCount: used)
    start.deallocate()
    start = larger
  }

  /// The slots whose values differ in an image of the same slots.
  func differing(from other: RowImage) -> PropertySet {
    var differing = PropertySet()
    var (own, its) = (0, 0)
    while own < used, its < other.used {
      let head = (start + own).load(as: Head.self)
      let otherHead = (other.start + its).load(as: Head.self)
      let isSame =
        head.parameter == otherHead.parameter && head.length == otherHead.length
        && memcmp(start + own + Head.size, other.start + its + Head.size, Int(head.length >> 3)) == 0
      if !isSame { differing.insert(Int(head.parameter - StatementBinder.firstParameter)) }
      own += Head.size + Int(head.room) << 3
      its += Head.size + Int(otherHead.room) << 3
    }
    return differing
  }
}
