/// A row of the report.
struct Row: Codable {
  var name: String
  var title: String
  var unit: String
  var bars: Bars
  /// The values of all executions, in the order of the processes.
  var raw: [Double] = []
  var ours: [Double] = []
  /// True if the limits apply to Trellis values instead of ratios.
  var isAbsolute = false
  /// True if the values of both sides were measured in pairs. The score is then the median of their ratios, because the
  /// speed of the machine can change.
  var isPaired = false
  /// The reason why a side could not be measured.
  var unavailable: String?
  /// The difference between the results of the sides.
  var mismatch: String?

  var rawMedian: Double? { Self.median(raw) }
  var oursMedian: Double? { Self.median(ours) }

  /// The value that is compared with the limits.
  var score: Double? {
    guard unavailable == nil, mismatch == nil, let oursMedian else { return nil }
    if isAbsolute { return oursMedian }
    if isPaired { return Self.median(zip(ours, raw).map(/)) }
    return rawMedian.map { oursMedian / $0 }
  }

  /// The strictest limit that the row misses, as text.
  var verdict: String {
    if mismatch != nil { return "DIFFERS" }
    if unavailable != nil { return "not available" }
    if misses(bars.first) { return "MISSES BAR" }
    if misses(bars.must) { return "MISSES MUST" }
    if misses(bars.aim) { return "misses aim" }
    return bars.must == nil ? "" : "ok"
  }

  func misses(_ bar: Double?) -> Bool {
    guard let score, let bar else { return false }
    return score > bar
  }

  private static func median(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
