public import Trellis

extension Level: SummableValue {}

/// Ordered by case. The raw values have a different order.
extension Status: OrderedValue, Comparable {
  public static func < (lhs: Status, rhs: Status) -> Bool {
    allCases.firstIndex(of: lhs) ?? 0 < allCases.firstIndex(of: rhs) ?? 0
  }
}
