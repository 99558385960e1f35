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
  var unwrapped: Any? { Scalar.isStandard(type) ? value : Self.unwrap(value) }

  static func unwrap(_ value: Any) -> Any? {
    guard let optional = value as? any Unwrappable else { return value }
    return optional.wrappedValue.flatMap(unwrap)
  }

  /// The value as a parameter, for a place that says nothing about its kind.
  func parameter(_ translation: Translation) throws -> ScalarTerm {
    guard let scalar = Scalar.of(type) else { throw Self.unsupported(type) }
    guard let value = unwrapped else {
      return ScalarTerm(sql: "\(value: .null)", scalar: scalar, isOptional: true)
    }
    let encoded = try scalar.encode(value, translation.storeIdentifier)
    var term = ScalarTerm(
      sql: fragment(encoded, scalar), scalar: scalar, isOptional: type is any OptionalValue.Type)
    term.isIrregular = encoded == .nan
    return term
  }

  /// The encoded value as a parameter.
  func fragment(_ encoded: SQLValue, _ scalar: Scalar) -> SQLFragment {
    let isReplaced =
      encoded == .noRow && scalar.isIdentifier || encoded == .nan && scalar.isNumberThatMayBeNaN
    return isCaptured && !isReplaced ? "\(captured: encoded)" : "\(value: encoded)"
  }

  static func unsupported(_ type: any Any.Type) -> Untranslatable {
    Untranslatable("values of type \(type) are compared in memory")
  }
}

protocol Unwrappable {
  var wrappedValue: Any? { get }
}

extension Optional: Unwrappable {
  var wrappedValue: Any? { self }
}

extension SQLValue {
  /// How a column keeps a number that is none.
  static let nan = SQLValue.text("NaN")

  /// The number of no row.
  static let noRow = SQLValue.integer(.min)

  init(number: Double) { self = number.isNaN ? .nan : .real(number) }
}

extension Scalar {
  /// A captured value as a column of this kind keeps it.
  func encode(_ value: Any, _ storeIdentifier: String?) throws -> SQLValue {
    switch self {
    case .text, .character: if let text = encodeText(value) { return text }
    case .integer, .unsigned: if let integer = encodeInteger(value) { return integer }
    case .boolean: if let value = value as? Bool { return .integer(value ? 1 : 0) }
    case .real: if let value = value as? Double { return SQLValue(number: value) }
    case .float: if let value = value as? Float { return SQLValue(number: Double(value)) }
    case .date:
      if let value = value as? Date {
        return SQLValue(number: value.timeIntervalSinceReferenceDate)
      }
    case .url: if let value = value as? URL { return .text(URL.stored(value)) }
    case .uuid: if let value = value as? UUID { return .text(Hexadecimal.text(value)) }
    case .data: if let value = value as? Data { return .blob([UInt8](value)) }
    case .decimal: if let value = value as? Decimal { return .text(Decimal.stored(value)) }
    case .identifier(let root):
      if let value = value as? PersistentIdentifier {
        // A row of another table or store, or one not saved yet, is no row here.
        guard let row = value.row, !value.isTemporary, root == nil || value.entityName == root,
          storeIdentifier == nil || value.storeIdentifier == storeIdentifier
        else { return .noRow }
        return .integer(row)
      }
    case .textKey(let order):
      if let value = value as? OrderedText, value.order == order { return .blob(value.key) }
    case .opaque: throw Self.unreadable
    }
    if let raw = value as? any RawRepresentable {
      return try encode(Self.rawValue(raw), storeIdentifier)
    }
    throw ConstantTerm.unsupported(Swift.type(of: value))
  }

  static var unreadable: Untranslatable {
    Untranslatable("a value stored in a form of its own is compared in memory")
  }

  private func encodeText(_ value: Any) -> SQLValue? {
    switch value {
    case let value as String: .text(TextRules.normalized(value))
    case let value as Character: .text(TextRules.normalized(String(value)))
    default: nil
    }
  }

  private func encodeInteger(_ value: Any) -> SQLValue? {
    switch value {
    case let value as Int: .integer(Int64(value))
    case let value as Int64: .integer(value)
    case let value as Int32: .integer(Int64(value))
    case let value as Int16: .integer(Int64(value))
    case let value as Int8: .integer(Int64(value))
    case let value as UInt8: .integer(Int64(value))
    case let value as UInt16: .integer(Int64(value))
    case let value as UInt32: .integer(Int64(value))
    case let value as UInt64: .integer(Int64(bitPattern: value ^ 1 << 63))
    case let value as UInt: .integer(Int64(bitPattern: UInt64(value) ^ 1 << 63))
    default: nil
    }
  }

  private static func rawValue<R: RawRepresentable>(_ value: R) -> Any { value.rawValue }
}
