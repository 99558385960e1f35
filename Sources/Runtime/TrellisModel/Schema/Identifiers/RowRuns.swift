/// Row numbers in insertion order, with consecutive numbers stored as ranges.
package struct RowRuns {
  package struct Run {
    package var first: Int64
    /// The row after the last row in the run.
    package var end: Int64

    package init(first: Int64, end: Int64) {
      self.first = first
      self.end = end
    }

    package func contains(_ row: Int64) -> Bool { row >= first && row < end }
    package var keys: Range<Int64> { first..<end }
  }

  package private(set) var complete: [Run] = []
  private var current = Run(first: 0, end: 0)

  package init() {}

  @inline(__always) package mutating func append(_ row: Int64) {
    if row == current.end, current.end > current.first, row < Int64.max {
      current.end = row &+ 1
    } else {
      begin(row)
    }
  }

  /// Appends consecutive rows.
  package mutating func append(_ rows: Range<Int64>) {
    guard let first = rows.first else { return }
    append(first)
    if current.end > current.first { current.end = rows.upperBound }
  }

  @inline(never) private mutating func begin(_ row: Int64) {
    if current.end > current.first { complete.append(current) }
    current = row < Int64.max ? Run(first: row, end: row + 1) : Run(first: 0, end: 0)
  }

  /// Removes the given number of complete runs from the beginning.
  package mutating func removeFirst(_ count: Int) { complete.removeFirst(min(count, complete.count)) }

  package var isEmpty: Bool { complete.isEmpty && current.end <= current.first }

  package var keys: some Sequence<Int64> { runs.lazy.flatMap { $0.keys } }

  /// Returns the first run that ends after a row. The runs must be in ascending order.
  package func run(endingAfter row: Int64) -> Run {
    var (low, high) = (0, complete.count)
    while low < high {
      let middle = (low + high) / 2
      if complete[middle].end > row { high = middle } else { low = middle + 1 }
    }
    return low < complete.count ? complete[low] : current
  }

  /// All runs.
  package var runs: [Run] { current.end > current.first ? complete + [current] : complete }
}
