public import Foundation

/// A value type supported by ``Aggregate/sum(_:)`` and ``Aggregate/average(_:)``: all integers, `Double`, `Float`,
/// `Decimal`, `Duration` and optionals of these types, whose `nil` values are ignored.
///
/// Narrow integers are summed as `Int` and `Float` as `Double`, so that the sum of many small numbers fits the type.
///
/// A type whose raw value has one of these types only needs to declare the conformance:
///
/// ```swift
/// extension Priority: SummableValue {}  // an enum with `Int` raw values
///
/// func averagePriority(_ context: ModelContext) throws -> Double? {
///   try context.aggregate(.average(\BucketListItem.priority))
/// }
/// ```
public protocol SummableValue {
  /// The type of a sum.
  associatedtype Total
  /// The type of an average: `Double`, or `Decimal` and `Duration` for values of these types.
  associatedtype Mean

  static func _$add(_ value: Self, to summation: inout Summation)
  /// Returns `nil` if the sum does not fit.
  static func _$total(_ summation: Summation) -> Total?
  static func _$mean(_ summation: Summation) -> Mean?
}

extension SummableValue where Self: FixedWidthInteger {
  public static func _$add(_ value: Self, to summation: inout Summation) {
    summation.add(integer: value)
  }

  /// The exact sum divided by the number of values, rounded to `Double`.
  public static func _$mean(_ summation: Summation) -> Double? {
    Double(summation.integer) / Double(summation.count)
  }
}

extension SummableValue where Self: FixedWidthInteger, Total: FixedWidthInteger {
  public static func _$total(_ summation: Summation) -> Total? {
    Total(exactly: summation.integer)
  }
}

extension SummableValue where Self: RawRepresentable, RawValue: SummableValue {
  public static func _$add(_ value: Self, to summation: inout Summation) {
    RawValue._$add(value.rawValue, to: &summation)
  }
  public static func _$total(_ summation: Summation) -> RawValue.Total? { RawValue._$total(summation) }
  public static func _$mean(_ summation: Summation) -> RawValue.Mean? { RawValue._$mean(summation) }
}

extension Int: SummableValue { public typealias Total = Int }
extension Int8: SummableValue { public typealias Total = Int }
extension Int16: SummableValue { public typealias Total = Int }
extension Int32: SummableValue { public typealias Total = Int }
extension Int64: SummableValue { public typealias Total = Int64 }
extension UInt8: SummableValue { public typealias Total = Int }
extension UInt16: SummableValue { public typealias Total = Int }
extension UInt32: SummableValue { public typealias Total = Int }
extension UInt: SummableValue { public typealias Total = UInt }
extension UInt64: SummableValue { public typealias Total = UInt64 }

extension SummableValue where Self: BinaryFloatingPoint {
  public static func _$add(_ value: Self, to summation: inout Summation) {
    summation.add(real: Double(value))
  }
  public static func _$total(_ summation: Summation) -> Double? { summation.realTotal }
  public static func _$mean(_ summation: Summation) -> Double? { summation.realMean }
}

extension Double: SummableValue { public typealias Total = Double }
extension Float: SummableValue { public typealias Total = Double }

extension Decimal: SummableValue {
  public static func _$add(_ value: Decimal, to summation: inout Summation) {
    summation.add(decimal: value.stored.utf8)
  }

  public static func _$total(_ summation: Summation) -> Decimal? {
    DecimalSum.value(summation.decimalTotal)
  }

  public static func _$mean(_ summation: Summation) -> Decimal? {
    guard let total = _$total(summation) else { return nil }
    return total.isNaN ? total : total / Decimal(summation.count)
  }
}

extension Duration: SummableValue {
  public static func _$add(_ value: Duration, to summation: inout Summation) {
    summation.add(integer: value.wholeNanoseconds)
  }

  public static func _$total(_ summation: Summation) -> Duration? {
    Int64(exactly: summation.integer).map { .nanoseconds($0) }
  }

  public static func _$mean(_ summation: Summation) -> Duration? {
    Duration(attoseconds: summation.integer * 1_000_000_000 / Int128(summation.count))
  }
}

extension Optional: SummableValue where Wrapped: SummableValue {
  public typealias Total = Wrapped.Total
  public typealias Mean = Wrapped.Mean

  public static func _$add(_ value: Wrapped?, to summation: inout Summation) {
    if let value { Wrapped._$add(value, to: &summation) }
  }
  public static func _$total(_ summation: Summation) -> Wrapped.Total? { Wrapped._$total(summation) }
  public static func _$mean(_ summation: Summation) -> Wrapped.Mean? { Wrapped._$mean(summation) }
}
