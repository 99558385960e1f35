/// What became of the temporary identifiers of one save: serial number to row.
final class KeyTable {
  /// Serial numbers of one save lie close together as a rule: then they are positions here.
  @exclusivity(unchecked) private var rows: [Int64] = []
  private let first: Int64
  /// The others.
  private var scattered: [Int64: Int64] = [:]

  private static let none = Int64.min

  /// An empty table; fastest for serial numbers out of the range.
  init(from first: Int64 = 0, through last: Int64 = -1, count: Int = 0) {
    self.first = first
    let (span, overflow) = last.subtractingReportingOverflow(first)
    guard count > 0, !overflow, span >= 0, span < Int64(count) * 4 + 64 else { return }
    rows = [Int64](repeating: Self.none, count: Int(span) + 1)
  }

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
      } else {
        scattered[serial] = newValue
      }
    }
  }
}
