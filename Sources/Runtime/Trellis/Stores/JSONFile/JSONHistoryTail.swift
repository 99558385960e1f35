import Foundation

/// The lines of a file that only grows, from the last one to the first.
///
/// The file stays open: who deletes it, or puts another one in its place, takes nothing away.
final class JSONHistoryTail: @unchecked Sendable {  // used by whoever has the lock of the history
  /// Where the line after the head begins.
  let start: Int64
  /// Where the last line ends; one without an end was being written when the program was killed.
  let end: Int64
  /// The first line.
  let head: [UInt8]
  private let handle: Int32
  /// What was read last.
  private var window: [UInt8] = []
  private var windowStart: Int64 = 0

  private static let portion: Int64 = 64 * 1_024

  private init(_ handle: Int32, head: [UInt8], end: Int64) {
    self.handle = handle
    self.head = head
    start = Int64(head.count)
    self.end = end
  }

  deinit { close(handle) }

  /// - Returns: nil where there is no file, or no whole line in it.
  /// - Throws: ``Damage``.
  static func open(_ path: String) throws -> JSONHistoryTail? {
    let handle: Int32
    do {
      handle = try CompanionFile.open(path)
    } catch let error as FileError {
      if error.code == ENOENT { return nil }
      throw Damage("it cannot be read: \(error)")
    }
    do {
      let size = JSONFileStamp(handle)?.size ?? 0
      var head: [UInt8] = []
      while head.last != newline {
        guard Int64(head.count) < size else {
          close(handle)
          return nil
        }
        let part = try bytes(Int64(head.count)..<min(size, Int64(head.count) + portion), of: handle)
        head += part.prefix { $0 != newline }
        if part.contains(newline) { head.append(newline) }
      }
      return JSONHistoryTail(
        handle, head: head, end: try end(Int64(head.count)..<size, of: handle))
    } catch {
      close(handle)
      throw error
    }
  }

  /// Where the last whole line of a part ends.
  private static func end(_ lines: Range<Int64>, of handle: Int32) throws -> Int64 {
    var end = lines.upperBound
    while end > lines.lowerBound {
      let part = try bytes(max(lines.lowerBound, end - portion)..<end, of: handle)
      if let last = part.lastIndex(of: newline) { return end - Int64(part.count - last - 1) }
      end -= Int64(part.count)
    }
    return lines.lowerBound
  }

  /// The line that ends at a position, and where it begins; nil at the head.
  func line(before position: Int64) throws -> (text: Data, start: Int64)? {
    guard position > start else { return nil }
    var reach = Self.portion
    while true {
      if windowStart + Int64(window.count) >= position, windowStart < position {
        let length = Int(position - windowStart)
        let before = window[..<(length - 1)].lastIndex(of: Self.newline)
        if before != nil || windowStart == start {
          let begin = before.map { $0 + 1 } ?? 0
          return (Data(window[begin..<(length - 1)]), windowStart + Int64(begin))
        }
      }
      // Nothing, or not enough of it: from further back on.
      windowStart = max(start, position - reach)
      window = try Self.bytes(windowStart..<position, of: handle)
      reach *= 2
    }
  }

  /// The number of the line that begins at a position.
  func number(at position: Int64) -> Int {
    var number = 1
    var place: Int64 = 0
    while place < position, let part = try? Self.bytes(place..<min(position, place + Self.portion), of: handle) {
      number += part.count { $0 == Self.newline }
      place += Int64(part.count)
    }
    return number
  }

  private static func bytes(_ range: Range<Int64>, of handle: Int32) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      while count < range.count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
        let found = pread(handle, rest.baseAddress, rest.count, off_t(range.lowerBound) + off_t(count))
        if found < 0, errno == EINTR { continue }
        guard found >= 0 else { throw Damage.unreadable }
        guard found > 0 else { throw Damage("somebody has made it shorter") }
        count += found
      }
    }
  }

  private static let newline = UInt8(ascii: "\n")

  /// Why nobody can read a history.
  struct Damage: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
    static var unreadable: Damage { Damage("it cannot be read: \(String(cString: strerror(errno)))") }
  }
}
