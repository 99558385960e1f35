import Foundation

/// The kinds of value that one column holds and SQL can compare as Swift does.
package enum ScalarKind: Sendable, Hashable {
  case boolean, integer
  /// Unsigned words, kept as signed ones with the highest bit flipped.
  case unsigned
  case real, float, date
  case text, character
  case decimal, uuid, url, data
  /// The identity of a row of the hierarchy with this root; nil where that is not known.
  case identifier(root: String?)
  /// The key of a text that is ordered by other rules than Swift's.
  case textKey(TextOrder)
  /// A form that says nothing but whether there is a value.
  case opaque

  /// The kind of a Swift type; optionals are looked through, enums count as their raw values.
  package static func of(_ type: any Any.Type) -> ScalarKind? {
    if let scalar = standard[ObjectIdentifier(type)] { return scalar }
    if let optional = type as? any OptionalValue.Type { return of(optional.wrappedType) }
    if let raw = type as? any RawRepresentable.Type { return rawKind(raw) }
    return nil
  }

  /// The kind of a type whose `<` SQL knows: not of enums, which may define their own.
  package static func ordered(_ type: any Any.Type) -> ScalarKind? {
    if type == CollatedText.self { return .textKey(.localizedStandard) }
    if let scalar = standard[ObjectIdentifier(type)] { return scalar }
    if let optional = type as? any OptionalValue.Type { return ordered(optional.wrappedType) }
    return nil
  }

  /// Whether a type is one of the kinds itself, neither optional nor an enum.
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

  /// Whether a column as declared keeps the kind the way this file expects.
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

  /// The number of no row.
  static let noRow = SQLValue.integer(.min)

  package init(number: Double) { self = number.isNaN ? .nan : .real(number) }
}
