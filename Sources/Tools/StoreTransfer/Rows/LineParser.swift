/// Splits bytes into lines, in parts of any size.
///
/// Lines end with LF, CR or CRLF. Blank lines and an initial byte order mark are skipped.
package struct LineParser {
  private let limit: Int
  private var bytes: [UInt8] = []
  private var line: Int64 = 1
  /// The file offsets of the current line and the next part.
  private var lineOffset: Int64
  private var partOffset: Int64
  private var isTooLong = false
  private var isAfterReturn = false

  /// - Parameters:
  ///   - limit: The maximum line length in bytes.
  ///   - offset: The file offset of the first part.
  package init(limit: Int = 1_200_000_000, at offset: Int64 = 0) {
    self.limit = limit
    lineOffset = offset
    partOffset = offset
  }

  /// Reads part of the file and calls `body` with each completed line.
  ///
  /// - Parameter body: Receives the line number, the file offset and the bytes; `nil` if the line is too long.
  package mutating func read(
    _ part: UnsafeRawBufferPointer, _ body: (Int64, Int64, UnsafeRawBufferPointer?) throws -> Void
  ) rethrows {
    defer { partOffset += Int64(part.count) }
    var start = 0
    while start < part.count {
      var end = start
      while end < part.count, part[end] != 0x0A, part[end] != 0x0D { end += 1 }
      if end > start { isAfterReturn = false }
      if bytes.count + end - start > limit {
        isTooLong = true
      } else {
        bytes.append(contentsOf: part[start..<end])
      }
      guard end < part.count else { return }
      try endLine(body)
      // The line feed after a carriage return belongs to the same line break.
      if part[end] == 0x0D || !isAfterReturn { line += 1 }
      isAfterReturn = part[end] == 0x0D
      start = end + 1
      lineOffset = partOffset + Int64(start)
    }
  }

  /// Processes the end of the file.
  package mutating func finish(_ body: (Int64, Int64, UnsafeRawBufferPointer?) throws -> Void) rethrows {
    try endLine(body)
  }

  private mutating func endLine(_ body: (Int64, Int64, UnsafeRawBufferPointer?) throws -> Void) rethrows {
    defer {
      bytes.removeAll(keepingCapacity: true)
      isTooLong = false
    }
    if isTooLong { return try body(line, lineOffset, nil) }
    try bytes.withUnsafeBytes { bytes in
      let hasMark = lineOffset == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF])
      let text = UnsafeRawBufferPointer(rebasing: bytes[(hasMark ? 3 : 0)...])
      guard text.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { return }
      try body(line, lineOffset, text)
    }
  }
}
