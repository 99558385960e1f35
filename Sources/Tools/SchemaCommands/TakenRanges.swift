import SchemaDiagnostics

/// Source ranges that are reserved for edits. Ranges do not overlap, but an empty range can touch another range.
struct TakenRanges {
  /// The ranges, sorted by start.
  private var ranges: [SourceRange] = []

  /// Returns true if a range neither overlaps nor equals a reserved range.
  func isFree(_ range: SourceRange) -> Bool {
    // Find the ranges that begin inside this range or at its end.
    var place = firstPlace(from: range.start)
    // Checking the preceding range is enough: ranges do not overlap, so no earlier range ends later.
    if place > 0, range.start < ranges[place - 1].end, ranges[place - 1].start < range.end { return false }
    while place < ranges.count, ranges[place].start <= range.end {
      let other = ranges[place]
      if other == range || (other.start < range.end && range.start < other.end) { return false }
      place += 1
    }
    return true
  }

  mutating func insert(_ range: SourceRange) {
    // Fixes usually come in source order.
    if let last = ranges.last, last.start <= range.start {
      ranges.append(range)
    } else {
      ranges.insert(range, at: firstPlace(from: range.start))
    }
  }

  /// Returns the index of the first range that begins at or after an offset.
  private func firstPlace(from offset: Int) -> Int {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].start < offset { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
