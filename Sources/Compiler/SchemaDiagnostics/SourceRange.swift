/// A half-open range of UTF-8 bytes in a source file.
package struct SourceRange: Sendable, Hashable {
  /// Index into the files given to the compiler.
  package var file: Int
  package var start: Int
  package var end: Int

  package init(file: Int, start: Int, end: Int) {
    self.file = file
    self.start = start
    self.end = max(start, end)
  }

  package var isEmpty: Bool { start == end }

  /// Returns the smallest range that covers both ranges. The result is in this range's file.
  package func union(_ other: SourceRange) -> SourceRange {
    SourceRange(file: file, start: min(start, other.start), end: max(end, other.end))
  }
}

extension SourceRange: Comparable {
  package static func < (lhs: Self, rhs: Self) -> Bool {
    (lhs.file, lhs.start, lhs.end) < (rhs.file, rhs.start, rhs.end)
  }
}
