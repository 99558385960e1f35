/// What became of the temporary identifiers of one save: serial number to row.
final class KeyTable {
  /// Serial numbers of one save lie close together as a rule: then they are positions here.
  @exclusivity(unchecked) private var rows: [Int64] = []
  private var first: Int64
  /// Whether serial numbers behind the range make it longer.
  private let grows: Bool
  /// The others.
  private var scattered: [Int64: Int64] = [:]

  private static let none = Int64.min

  /// An empty table; fastest for serial numbers out of the range.
  init(from first: Int64 = 0, through last: Int64 = -1, count: Int = 0) {
    self.first = first
    grows = false
    let (span, overflow) = last.subtractingReportingOverflow(first)
    guard count > 0, !overflow, span >= 0, span < Int64(count) * 4 + 64 else { return }
    rows = [Int64](repeating: Self.none, count: Int(span) + 1)
  }

  /// An empty table for serial numbers nobody knows yet, which come in ascending order as a rule.
  init(growing: Bool) {
    first = 0
    grows = growing
  }

  /// So many numbers may be left out between two.
  private static let longestGap: Int64 = 1_024

  subscript(serial: Int64) -> Int64? {
    get {
      let (index, overflow) = serial.subtractingReportingOverflow(first)
      if !overflow, index >= 0, index < Int64(rows.count) {
        let row = rows[Int(index)]
        return row == Self.none ? nil : row
      }
      return scattered[serial]
    }
    set {
      let (index, overflow) = serial.subtractingReportingOverflow(first)
      if !overflow, index >= 0, index < Int64(rows.count) {
        rows[Int(index)] = newValue ?? Self.none
      } else if grows, let newValue, grow(to: serial) {
        rows.append(newValue)
      } else {
        scattered[serial] = newValue
      }
    }
  }

  /// Makes the range end where a serial number follows; false for one that is too far away.
  private func grow(to serial: Int64) -> Bool {
    if rows.isEmpty { first = serial }
    let (index, overflow) = serial.subtractingReportingOverflow(first)
    guard !overflow, index >= Int64(rows.count) else { return false }
    let gap = index - Int64(rows.count)
    guard gap <= Self.longestGap, scattered[serial] == nil else { return false }
    if gap > 0 { rows.append(contentsOf: repeatElement(Self.none, count: Int(gap))) }
    return true
  }
}
