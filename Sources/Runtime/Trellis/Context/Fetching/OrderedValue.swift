public import Foundation

/// A value type supported by ``Aggregate/minimum(_:)`` and ``Aggregate/maximum(_:)``: numbers, dates, durations, text,
/// UUIDs and optionals of these types, whose `nil` values are ignored.
///
/// Values are compared as in Swift. NaN is returned only if there is no other value, zero is returned as +0, and text
/// is returned in normalization form C.
///
/// A `Comparable` type only needs to declare the conformance. The values are then compared in memory:
///
/// ```swift
/// extension Priority: OrderedValue, Comparable {
///   public static func < (lhs: Priority, rhs: Priority) -> Bool { lhs.rawValue < rhs.rawValue }
/// }
///
/// func highestPriority(_ context: ModelContext) throws -> Priority? {
///   try context.aggregate(.maximum(\BucketListItem.priority))
/// }
/// ```
public protocol OrderedValue {
  /// The compared type: the type itself, or an optional's wrapped type.
  associatedtype Ordered: Comparable

  static func _$ordered(_ value: Self) -> Ordered?
  /// Returns true if `lhs` is ordered before `rhs`. Not meaningful for NaN, which callers handle separately.
  static func _$isBefore(_ lhs: Ordered, _ rhs: Ordered) -> Bool
  static func _$isNaN(_ value: Ordered) -> Bool
  static func _$settled(_ value: Ordered) -> Ordered
}

extension OrderedValue where Self: Comparable {
  public static func _$ordered(_ value: Self) -> Self? { value }
  public static func _$isBefore(_ lhs: Self, _ rhs: Self) -> Bool { lhs < rhs }
  public static func _$isNaN(_ value: Self) -> Bool { false }
  public static func _$settled(_ value: Self) -> Self { value }
}

extension Int: OrderedValue { public typealias Ordered = Int }
extension Int8: OrderedValue { public typealias Ordered = Int8 }
extension Int16: OrderedValue { public typealias Ordered = Int16 }
extension Int32: OrderedValue { public typealias Ordered = Int32 }
extension Int64: OrderedValue { public typealias Ordered = Int64 }
extension UInt: OrderedValue { public typealias Ordered = UInt }
extension UInt8: OrderedValue { public typealias Ordered = UInt8 }
extension UInt16: OrderedValue { public typealias Ordered = UInt16 }
extension UInt32: OrderedValue { public typealias Ordered = UInt32 }
extension UInt64: OrderedValue { public typealias Ordered = UInt64 }
extension UUID: OrderedValue { public typealias Ordered = UUID }

extension OrderedValue where Self: BinaryFloatingPoint {
  public static func _$isNaN(_ value: Self) -> Bool { value.isNaN }
  public static func _$settled(_ value: Self) -> Self { value == 0 ? 0 : value }
}

extension Double: OrderedValue { public typealias Ordered = Double }
extension Float: OrderedValue { public typealias Ordered = Float }

extension Date: OrderedValue {
  public static func _$isNaN(_ value: Date) -> Bool {
    value.timeIntervalSinceReferenceDate.isNaN
  }
  public static func _$settled(_ value: Date) -> Date {
    value.timeIntervalSinceReferenceDate == 0 ? Date(timeIntervalSinceReferenceDate: 0) : value
  }
}

extension Duration: OrderedValue {
  public static func _$settled(_ value: Duration) -> Duration { Duration(stored: value.stored) ?? value }
}

extension Decimal: OrderedValue {
  public static func _$isNaN(_ value: Decimal) -> Bool { value.isNaN }
}

extension String: OrderedValue {
  public static func _$isBefore(_ lhs: String, _ rhs: String) -> Bool {
    TextRules.order(lhs, rhs) == .orderedAscending
  }
  public static func _$settled(_ value: String) -> String { TextRules.normalized(value) }
}

extension Character: OrderedValue {
  public static func _$isBefore(_ lhs: Character, _ rhs: Character) -> Bool {
    TextRules.order(String(lhs), String(rhs)) == .orderedAscending
  }
  public static func _$settled(_ value: Character) -> Character {
    TextRules.normalized(String(value)).first ?? value
  }
}

extension Optional: OrderedValue where Wrapped: OrderedValue {
  public typealias Ordered = Wrapped.Ordered

  public static func _$ordered(_ value: Wrapped?) -> Wrapped.Ordered? {
    value.flatMap(Wrapped._$ordered)
  }
  public static func _$isBefore(_ lhs: Wrapped.Ordered, _ rhs: Wrapped.Ordered) -> Bool {
    Wrapped._$isBefore(lhs, rhs)
  }
  public static func _$isNaN(_ value: Wrapped.Ordered) -> Bool { Wrapped._$isNaN(value) }
  public static func _$settled(_ value: Wrapped.Ordered) -> Wrapped.Ordered {
    Wrapped._$settled(value)
  }
}

/// A sort descriptor's order for models in memory, consistent with the SQL order.
///
/// The descriptor's own order applies except where it is not a total order: NaN, which `SortDescriptor` treats as equal
/// to all numbers, sorts after every number, and text is compared in normalization form C.
struct RowOrder<T> {
  let compare: (T, T) -> ComparisonResult

  init(_ descriptor: SortDescriptor<T>) {
    let settled = descriptor.settled
    guard let keyPath = descriptor.keyPath, descriptor.stringComparator?.isLexical != false,
      // Foundation and SQL both sort a `Decimal` NaN first.
      let type = Swift.type(of: keyPath).valueType as? any OrderedValue.Type, ScalarKind.of(type) != .decimal,
      let compare = Self.total(keyPath, type)
    else {
      compare = { settled.compare($0, $1) }
      return
    }
    let isReverse = descriptor.order == .reverse
    self.compare = { isReverse ? compare($1, $0) : compare($0, $1) }
  }

  /// Returns true if `lhs` comes before `rhs` in the first order that distinguishes them, or `nil` if no order does.
  static func isBefore(_ lhs: T, _ rhs: T, _ orders: [RowOrder]) -> Bool? {
    for order in orders {
      let result = order.compare(lhs, rhs)
      if result != .orderedSame { return result == .orderedAscending }
    }
    return nil
  }

  private static func total<V: OrderedValue>(
    _ keyPath: PartialKeyPath<T>, _: V.Type
  ) -> ((T, T) -> ComparisonResult)? {
    guard let keyPath = keyPath as? KeyPath<T, V> else { return nil }
    return { lhs, rhs in
      guard let lhs = V._$ordered(lhs[keyPath: keyPath]) else {
        return V._$ordered(rhs[keyPath: keyPath]) == nil ? .orderedSame : .orderedAscending
      }
      guard let rhs = V._$ordered(rhs[keyPath: keyPath]) else { return .orderedDescending }
      switch (V._$isNaN(lhs), V._$isNaN(rhs)) {
      case (true, true): return .orderedSame
      case (true, false): return .orderedDescending
      case (false, true): return .orderedAscending
      case (false, false):
        return V._$isBefore(lhs, rhs) ? .orderedAscending : V._$isBefore(rhs, lhs) ? .orderedDescending : .orderedSame
      }
    }
  }
}
