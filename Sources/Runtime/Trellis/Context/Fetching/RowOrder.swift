import Foundation

/// One sort descriptor as an order of models in memory: the same one that SQL gives.
///
/// It is that of the descriptor, except where that one is no order: NaN, which `SortDescriptor`
/// takes for equal to everything, comes behind every number here, and text that is not in
/// normalization form C is compared as if it were.
struct RowOrder<T> {
  let compare: (T, T) -> ComparisonResult

  init(_ descriptor: SortDescriptor<T>) {
    let settled = descriptor.settled
    guard let keyPath = descriptor.keyPath, descriptor.stringComparator?.isLexical != false,
      let type = Swift.type(of: keyPath).valueType as? any TotallyOrdered.Type,
      let compare = Self.total(keyPath, type)
    else {
      compare = { settled.compare($0, $1) }
      return
    }
    let isReverse = descriptor.order == .reverse
    self.compare = { isReverse ? compare($1, $0) : compare($0, $1) }
  }

  /// Whether a model comes first in the first of the orders that tells the two apart; nil if none does.
  static func isBefore(_ lhs: T, _ rhs: T, _ orders: [RowOrder]) -> Bool? {
    for order in orders {
      let result = order.compare(lhs, rhs)
      if result != .orderedSame { return result == .orderedAscending }
    }
    return nil
  }

  private static func total<V: TotallyOrdered>(
    _ keyPath: PartialKeyPath<T>, _: V.Type
  ) -> ((T, T) -> ComparisonResult)? {
    guard let keyPath = keyPath as? KeyPath<T, V> else { return nil }
    return { V.order($0[keyPath: keyPath], $1[keyPath: keyPath]) }
  }
}

/// A type whose `<` needs help to be an order of all its values.
private protocol TotallyOrdered {
  static func order(_ lhs: Self, _ rhs: Self) -> ComparisonResult
}

extension Double: TotallyOrdered {
  fileprivate static func order(_ lhs: Double, _ rhs: Double) -> ComparisonResult {
    if lhs < rhs { return .orderedAscending }
    if rhs < lhs { return .orderedDescending }
    if lhs.isNaN == rhs.isNaN { return .orderedSame }
    return rhs.isNaN ? .orderedAscending : .orderedDescending
  }
}

extension Float: TotallyOrdered {
  fileprivate static func order(_ lhs: Float, _ rhs: Float) -> ComparisonResult {
    Double.order(Double(lhs), Double(rhs))
  }
}

extension Date: TotallyOrdered {
  fileprivate static func order(_ lhs: Date, _ rhs: Date) -> ComparisonResult {
    Double.order(lhs.timeIntervalSinceReferenceDate, rhs.timeIntervalSinceReferenceDate)
  }
}

extension String: TotallyOrdered {
  fileprivate static func order(_ lhs: String, _ rhs: String) -> ComparisonResult {
    TextRules.order(lhs, rhs)
  }
}

extension Character: TotallyOrdered {
  fileprivate static func order(_ lhs: Character, _ rhs: Character) -> ComparisonResult {
    TextRules.order(String(lhs), String(rhs))
  }
}

extension Optional: TotallyOrdered where Wrapped: TotallyOrdered {
  fileprivate static func order(_ lhs: Wrapped?, _ rhs: Wrapped?) -> ComparisonResult {
    switch (lhs, rhs) {
    case (nil, nil): .orderedSame
    case (nil, _): .orderedAscending
    case (_, nil): .orderedDescending
    case (let lhs?, let rhs?): Wrapped.order(lhs, rhs)
    }
  }
}

extension TextRules {
  /// Swift's order of text, by the bytes of normalization form C.
  package static func order(_ lhs: String, _ rhs: String) -> ComparisonResult {
    var (lhs, rhs) = (lhs, rhs)
    let arePlain = lhs.withUTF8(isPlain) && rhs.withUTF8(isPlain)
    if !arePlain { (lhs, rhs) = (normalized(lhs), normalized(rhs)) }
    return lhs.withUTF8 { first in
      rhs.withUTF8 { second in
        if first.lexicographicallyPrecedes(second) { return .orderedAscending }
        return first.elementsEqual(second) ? .orderedSame : .orderedDescending
      }
    }
  }
}
