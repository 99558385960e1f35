public import Trellis

extension Level: SummableValue {}

/// The order of the cases. The raw values are ordered differently.
extension Status: OrderedValue, Comparable {
  public static func < (lhs: Status, rhs: Status) -> Bool {
    allCases.firstIndex(of: lhs) ?? 0 < allCases.firstIndex(of: rhs) ?? 0
  }
}
