/// The rows of the temporary identifiers of one save, by serial number.
package final class KeyTable {
  /// Rows by serial number minus `first`. The serial numbers of one save are usually consecutive.
  @exclusivity(unchecked) private var rows: [Int64] = []
  private var first: Int64
  /// True if serial numbers after the range extend it.
  private let grows: Bool
  /// Rows of serial numbers outside of the range.
  private var scattered: [Int64: Int64] = [:]

  private static let none = Int64.min

  /// An empty table, fastest for serial numbers in the range.
  package init(from first: Int64 = 0, through last: Int64 = -1, count: Int = 0) {
    self.first = first
    grows = false
    let (span, overflow) = last.subtractingReportingOverflow(first)
    guard count > 0, !overflow, span >= 0, span < Int64(count) * 4 + 64 else { return }
    rows = [Int64](repeating: Self.none, count: Int(span) + 1)
  }

  /// An empty table for unknown serial numbers, which usually ascend.
  package init(growing: Bool) {
    first = 0
    grows = growing
  }

  /// The longest gap between serial numbers that the range includes.
  private static let longestGap: Int64 = 1_024

  package subscript(serial: Int64) -> Int64? {
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

  /// Extends the range up to a serial number; false if the number is too far away.
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
