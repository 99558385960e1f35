/// A location as shown by editors and compilers. Lines and columns are counted from 1, columns in UTF-8 bytes.
package struct SourcePosition: Sendable, Hashable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// The line starts of a file. Created once per file, when a location must be shown.
package struct LineTable: Sendable {
  /// The offset of each line's first byte. The first element is always 0.
  package let starts: [Int]
  private let count: Int

  package init(_ file: SourceFile) {
    count = file.bytes.count
    starts = file.bytes.withUnsafeBufferPointer { bytes in
      var starts = [0]
      guard let base = bytes.baseAddress else { return starts }
      var offset = 0
      let end = bytes.count
      while offset < end {
        let byte = base[offset]
        offset += 1
        // "\r\n" is a single line break and a lone "\r" counts as well, as in the Swift compiler.
        if byte == 0x0A || (byte == 0x0D && !(offset < end && base[offset] == 0x0A)) {
          starts.append(offset)
        }
      }
      return starts
    }
  }

  package func position(at offset: Int) -> SourcePosition {
    let clamped = min(max(offset, 0), count)
    let line = line(at: clamped)
    return SourcePosition(line: line, column: clamped - starts[line - 1] + 1)
  }

  /// Returns the line number of an offset, counted from 1.
  package func line(at offset: Int) -> Int {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return low + 1
  }

  /// Returns the bytes of a line, excluding the line break.
  package func range(ofLine line: Int, in file: SourceFile) -> Range<Int> {
    guard line >= 1, line <= starts.count else { return 0..<0 }
    let start = starts[line - 1]
    var end = line < starts.count ? starts[line] : count
    while end > start, file.bytes[end - 1] == 0x0A || file.bytes[end - 1] == 0x0D { end -= 1 }
    return start..<end
  }
}
