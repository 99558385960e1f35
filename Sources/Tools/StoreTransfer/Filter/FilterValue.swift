import Foundation
import Trellis

/// A value type for filter expressions.
protocol FilterValue: Equatable, Sendable {
  /// A value for key paths that only name a property.
  static var unread: Self { get }
  static func read(_ cell: FilterCell) throws -> Self
}

/// An element type for lists.
protocol FilterElement: FilterValue {
  static func readList(_ cell: FilterCell) throws -> [Self]
}

/// A standard value type.
protocol FilterScalar: FilterElement, StandardValue, Hashable {}

extension FilterScalar {
  static var unread: Self { placeholder }
  static func read(_ cell: FilterCell) throws -> Self { try cell.value() }
  static func readList(_ cell: FilterCell) throws -> [Self] { try cell.json() }
}

extension Bool: FilterScalar {}
extension Int: FilterScalar {}
extension Int8: FilterScalar {}
extension Int16: FilterScalar {}
extension Int32: FilterScalar {}
extension Int64: FilterScalar {}
extension UInt: FilterScalar {}
extension UInt8: FilterScalar {}
extension UInt16: FilterScalar {}
extension UInt32: FilterScalar {}
extension UInt64: FilterScalar {}
extension Float: FilterScalar {}
extension Double: FilterScalar {}
extension Decimal: FilterScalar {}
extension String: FilterScalar {}
extension Character: FilterScalar {}
extension Date: FilterScalar {}
extension Duration: FilterScalar {}
extension UUID: FilterScalar {}
extension URL: FilterScalar {}
extension Data: FilterScalar {}

extension Optional: FilterValue where Wrapped: FilterValue {
  static var unread: Wrapped? { nil }
  static func read(_ cell: FilterCell) throws -> Wrapped? { try cell.isNull() ? nil : Wrapped.read(cell) }
}

extension FilterRow: FilterValue {
  static func read(_ cell: FilterCell) throws -> FilterRow {
    guard let row = try cell.rows().first else { throw FilterError.unreadable("a required reference is missing") }
    return row
  }
}

extension FilterRow: FilterElement {
  static func readList(_ cell: FilterCell) throws -> [FilterRow] { try cell.rows() }
}

extension Array: FilterValue where Element: FilterElement {
  static var unread: [Element] { [] }
  static func read(_ cell: FilterCell) throws -> [Element] { try Element.readList(cell) }
}

extension Set: FilterValue where Element: FilterElement & Hashable {
  static var unread: Set<Element> { [] }
  static func read(_ cell: FilterCell) throws -> Set<Element> { Set(try Element.readList(cell)) }
}
