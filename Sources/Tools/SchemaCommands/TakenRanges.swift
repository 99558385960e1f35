import SchemaDiagnostics

/// Ranges of a file that edits have been promised to; no two overlap, but empty ones may be where another one is.
struct TakenRanges {
  /// By their beginnings.
  private var ranges: [SourceRange] = []

  /// Whether a range overlaps none of them, and is none of them.
  func isFree(_ range: SourceRange) -> Bool {
    // Those that begin in it, or right behind it.
    var place = firstPlace(from: range.start)
    // The one before reaches farther than those in front of it: they do not overlap.
    if place > 0, range.start < ranges[place - 1].end, ranges[place - 1].start < range.end { return false }
    while place < ranges.count, ranges[place].start <= range.end {
      let other = ranges[place]
      if other == range || (other.start < range.end && range.start < other.end) { return false }
      place += 1
    }
    return true
  }

  mutating func insert(_ range: SourceRange) {
    // Fixes come in the order of the source, mostly.
    if let last = ranges.last, last.start <= range.start {
      ranges.append(range)
    } else {
      ranges.insert(range, at: firstPlace(from: range.start))
    }
  }

  /// The first that begins at an offset or behind it.
  private func firstPlace(from offset: Int) -> Int {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].start < offset { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
