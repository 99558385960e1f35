import SchemaDiagnostics

/// Values by source range. Ranges are added in file and text order.
struct PlaceTable<Value: Sendable>: Sendable {
  private var ranges: [SourceRange] = []
  private var values: [Value] = []

  mutating func append(_ value: Value, at range: SourceRange) {
    ranges.append(range)
    values.append(value)
  }

  /// The value for exactly this range.
  subscript(_ range: SourceRange) -> Value? {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle] < range { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low] == range ? values[low] : nil
  }
}
