import Foundation

/// A value as a unique constraint compares it: equal if the columns of a database are.
enum UniqueValue: Hashable {
  /// Text is compared by characters and not by bytes; 0 and -0 are equal.
  case stored(SQLValue)
  case reference(PersistentIdentifier)
  /// A collection without an order.
  case unordered(AnyHashable)

  static func text(_ text: String) -> UniqueValue { .stored(.text(text)) }

  /// Nil for nil, which equals nothing.
  init?<T: Encodable>(_ value: T) throws {
    if (value as? any OptionalValue)?.isNil == true { return nil }
    switch value as Any {
    case let value as any StandardValue: self = .stored(value.sqlValue)
    case let value as any RawRepresentable & ColumnValue:
      guard let raw = try Self.raw(of: value) else { return nil }
      self = raw
    default:
      if let value = value as? any SetAlgebra, let hashable = value as? AnyHashable {
        self = .unordered(hashable)
      } else {
        self = .text(try JSONColumn.text(of: value))
      }
    }
  }

  /// Enums and structs are stored as their raw values if these have columns.
  private static func raw<T: RawRepresentable & ColumnValue>(of value: T) throws -> UniqueValue? {
    guard let raw = value.rawValue as? any ColumnValue else {
      return .text(try JSONColumn.text(of: value))
    }
    return try UniqueValue(raw)
  }
}

/// Collects the values of the constraints of a class from a row.
final class UniqueValues: RowWriter {
  let plan: UniquePlan
  /// By part of the plan; nil for nil.
  private(set) var values: [UniqueValue?]

  init(_ plan: UniquePlan) {
    self.plan = plan
    values = Array(repeating: nil, count: plan.parts.count)
  }

  private func set(_ slot: Int, _ value: @autoclosure () throws -> UniqueValue?) rethrows {
    for part in plan.parts(slot) { values[part] = try value() }
  }

  func value<T: ColumnValue>(_ slot: Int, _ value: T) throws {
    try set(slot, UniqueValue(value))
  }

  func codable<T: Codable>(_ slot: Int, _ value: T) throws {
    try set(slot, UniqueValue(value))
  }

  func raw<T: RawRepresentable & Codable>(_ slot: Int, _ value: T?) throws
  where T.RawValue: ColumnValue {
    try set(slot, value.flatMap { try UniqueValue($0.rawValue) })
  }

  func flattened<T: FlattenedValue>(_ slot: Int, _ value: T) throws {
    for part in plan.parts(slot) {
      guard let member = plan.parts[part].member else {
        values[part] = try UniqueValue(value)
        continue
      }
      values[part] = try (value[keyPath: member.keyPath] as? any ColumnValue)
        .flatMap { try UniqueValue($0) }
    }
  }

  func flattened<T: FlattenedValue>(_ slot: Int, _ value: T?) throws {
    if let value { try flattened(slot, value) }
  }

  func reference(_ slot: Int, _ identifier: PersistentIdentifier?) throws {
    set(slot, identifier.map(UniqueValue.reference))
  }
}
