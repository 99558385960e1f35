/// One line of the report.
struct Row: Codable {
  var name: String
  var title: String
  var unit: String
  var bars: Bars
  /// One value for each execution, in the order of the processes.
  var raw: [Double] = []
  var ours: [Double] = []
  /// Whether the bars are values of ours, not ratios to the raw side.
  var isAbsolute = false
  /// Whether each value of ours was taken right beside one of the raw side: the ratio is then the median of theirs,
  /// for a machine may be half as fast a second later.
  var isPaired = false
  /// Why a side could not be measured.
  var unavailable: String?
  /// How the results of the sides differ.
  var mismatch: String?

  var rawMedian: Double? { Self.median(raw) }
  var oursMedian: Double? { Self.median(ours) }

  /// What the bars speak about.
  var score: Double? {
    guard unavailable == nil, mismatch == nil, let oursMedian else { return nil }
    if isAbsolute { return oursMedian }
    if isPaired { return Self.median(zip(ours, raw).map(/)) }
    return rawMedian.map { oursMedian / $0 }
  }

  /// The strictest thing the row misses, in the words of the table.
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
