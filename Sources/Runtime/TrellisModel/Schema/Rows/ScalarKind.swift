import Foundation

/// The kinds of single-column values that SQL can compare as Swift does.
package enum ScalarKind: Sendable, Hashable {
  case boolean, integer
  /// Unsigned 64-bit integers, stored as signed integers with the highest bit flipped.
  case unsigned
  case real, float, date
  case text, character
  case decimal, uuid, url, data
  /// A row's identifier in the hierarchy with this root; nil if the root is unknown.
  case identifier(root: String?)
  /// The sort key for text in a custom order.
  case textKey(TextOrder)
  /// A form that only indicates whether there is a value.
  case opaque

  /// Returns a Swift type's kind. Optionals are unwrapped, and enums have the raw value's kind.
  package static func of(_ type: any Any.Type) -> ScalarKind? {
    if let scalar = standard[ObjectIdentifier(type)] { return scalar }
    if let optional = type as? any OptionalValue.Type { return of(optional.wrappedType) }
    if let raw = type as? any RawRepresentable.Type { return rawKind(raw) }
    return nil
  }

  /// Returns the kind of a type if SQL can reproduce the type's `<`. Enums are excluded, because they may define a
  /// custom `<`.
  package static func ordered(_ type: any Any.Type) -> ScalarKind? {
    if type == CollatedText.self { return .textKey(.localizedStandard) }
    if let scalar = standard[ObjectIdentifier(type)] { return scalar }
    if let optional = type as? any OptionalValue.Type { return ordered(optional.wrappedType) }
    return nil
  }

  /// Returns true if a type is itself a standard type, not an optional or an enum.
  static func isStandard(_ type: any Any.Type) -> Bool { standard[ObjectIdentifier(type)] != nil }

  private static func rawKind<R: RawRepresentable>(_: R.Type) -> ScalarKind? {
    standard[ObjectIdentifier(R.RawValue.self)]
  }

  private static let standard: [ObjectIdentifier: ScalarKind] = {
    var scalars = Dictionary(
      StandardValues.all.map { (ObjectIdentifier($0), $0.scalar) }, uniquingKeysWith: { first, _ in first })
    scalars[ObjectIdentifier(PersistentIdentifier.self)] = .identifier(root: nil)
    return scalars
  }()

  package var isText: Bool { self == .text || self == .character }
  var isInteger: Bool { self == .integer || self == .unsigned }
  var isBytes: Bool { if case .textKey = self { true } else { self == .data } }
  package var isIdentifier: Bool { if case .identifier = self { true } else { false } }
  package var isNumberThatMayBeNaN: Bool { self == .real || self == .float || self == .date }

  /// Returns true if a declared column stores the kind in the expected form.
  package func fits(_ type: ColumnType) -> Bool {
    switch self {
    case .boolean, .integer, .unsigned, .identifier: type.affinity == .integer
    case .real, .float, .date: type.affinity == .any
    case .text, .character, .uuid, .url: type.affinity == .text && type.comparison != .none
    case .decimal: type.affinity == .text && type.comparison == .decimal
    case .data, .textKey: type.affinity == .blob
    case .opaque: true
    }
  }
}

extension SQLValue {
  /// The stored form of NaN.
  static let nan = SQLValue.text("NaN")

  /// A row key that no row has.
  static let noRow = SQLValue.integer(.min)

  package init(number: Double) { self = number.isNaN ? .nan : .real(number) }
}
