import Foundation

/// A captured value, kept as it is until it is known what it meets.
struct ConstantTerm {
  let value: Any
  let type: any Any.Type
  /// Whether the value is the `nil` of the source text.
  var isLiteral = false
  /// True if the value may become a parameter of a statement that other predicates share.
  var isCaptured = false

  /// The value with its optionals taken off; nil when one of them is nil.
  var unwrapped: Any? { ScalarKind.isStandard(type) ? value : Self.unwrap(value) }

  static func unwrap(_ value: Any) -> Any? {
    guard let optional = value as? any OptionalValue else { return value }
    return optional.wrappedValue.flatMap(unwrap)
  }

  /// The value as a parameter, for a place that says nothing about its kind.
  func parameter(_ translation: Translation) throws -> ScalarTerm {
    guard let scalar = ScalarKind.of(type) else { throw Self.unsupported(type) }
    guard let value = unwrapped else {
      return ScalarTerm(
        sql: translation.dialect.typed("\(value: .null)", scalar), scalar: scalar, isOptional: true)
    }
    let encoded = try scalar.encode(value, translation.storeIdentifier)
    var term = ScalarTerm(
      sql: fragment(encoded, scalar, translation), scalar: scalar, isOptional: type is any OptionalValue.Type)
    term.isIrregular = encoded == .nan
    return term
  }

  /// The encoded value as a parameter.
  func fragment(_ encoded: SQLValue, _ scalar: ScalarKind, _ translation: Translation) -> SQLFragment {
    let isReplaced =
      encoded == .noRow && scalar.isIdentifier || encoded == .nan && scalar.isNumberThatMayBeNaN
    let stored = translation.dialect.stored(encoded, scalar)
    return translation.dialect.typed(
      isCaptured && !isReplaced ? "\(captured: stored)" : "\(value: stored)", scalar)
  }

  static func unsupported(_ type: any Any.Type) -> Untranslatable {
    Untranslatable("values of type \(type) are compared in memory")
  }
}

extension ScalarKind {
  /// A captured value as a column of this kind keeps it.
  package func encode(_ value: Any, _ storeIdentifier: String?) throws -> SQLValue {
    switch self {
    case .identifier(let root):
      if let captured = value as? PersistentIdentifier {
        let value = CapturedIdentifiers.current(captured)
        // A row of another table or store, or one not saved yet, is no row here.
        guard let row = value.row, !value.isTemporary, root == nil || value.entityName == root,
          storeIdentifier == nil || value.storeIdentifier == storeIdentifier
        else { return .noRow }
        return .integer(row)
      }
    case .textKey(let order):
      if let value = value as? CollatedText, value.order == order { return .blob(value.key) }
    case .opaque: throw Self.unreadable
    default: if let stored = encodeStandard(value) { return stored }
    }
    if let raw = value as? any RawRepresentable {
      return try encode(Self.rawValue(raw), storeIdentifier)
    }
    throw ConstantTerm.unsupported(Swift.type(of: value))
  }

  package static var unreadable: Untranslatable {
    Untranslatable("a value stored in a form of its own is compared in memory")
  }

  private func encodeStandard(_ value: Any) -> SQLValue? {
    // The types of most captured collections: a cast to a type takes less time than one to a protocol.
    if case .text = self, let text = value as? String { return .text(TextRules.normalized(text)) }
    if case .integer = self, let integer = value as? Int { return .integer(Int64(integer)) }
    guard let value = value as? any StandardValue else { return nil }
    let other = Swift.type(of: value).scalar
    guard self == other || (isText && other.isText) || (isInteger && other.isInteger) else { return nil }
    let stored = value.sqlValue
    if isText, case .text(let text) = stored { return .text(TextRules.normalized(text)) }
    return stored
  }

  private static func rawValue<R: RawRepresentable>(_ value: R) -> Any { value.rawValue }
}
