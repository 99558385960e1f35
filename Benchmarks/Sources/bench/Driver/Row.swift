/// A report row.
struct Row: Codable {
  var name: String
  var title: String
  var unit: String
  var limit: Double?
  /// The values of all executions, in process order.
  var raw: [Double] = []
  var ours: [Double] = []
  /// True if the limit applies to Trellis values instead of ratios.
  var isAbsolute = false
  /// True if both sides were measured in pairs. The score is then the median ratio, because the machine's speed can
  /// change.
  var isPaired = false
  /// The reason why a side could not be measured.
  var unavailable: String?
  /// The difference between the two sides' results.
  var mismatch: String?

  var rawMedian: Double? { Self.median(raw) }
  var oursMedian: Double? { Self.median(ours) }

  /// The value to compare with the limit.
  var score: Double? {
    guard unavailable == nil, mismatch == nil, let oursMedian else { return nil }
    if isAbsolute { return oursMedian }
    if isPaired { return Self.median(zip(ours, raw).map(/)) }
    return rawMedian.map { oursMedian / $0 }
  }

  /// The comparison with the limit, as text.
  var verdict: String {
    if mismatch != nil { return "DIFFERS" }
    if unavailable != nil { return "not available" }
    guard let limit, let score else { return "" }
    return score > limit ? "EXCEEDS LIMIT" : "ok"
  }

  private static func median(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
