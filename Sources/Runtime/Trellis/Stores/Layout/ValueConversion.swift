/// How the stored form of a value becomes that of another type, where every value of the one is a value
/// of the other.
enum ValueConversion {
  /// The stored form stays as it is.
  case same
  /// An expression over the column.
  case expression((_ column: SQLFragment) -> SQLFragment)
  /// As `expression`, where the second one is true for values that cannot be kept exactly.
  case checked((_ column: SQLFragment) -> SQLFragment, isInexact: (SQLFragment) -> SQLFragment)
  /// Some values have no known counterpart.
  case none

  static func from(_ old: ModelProperty, to new: ModelProperty) -> ValueConversion {
    guard case .attribute(let oldType) = old.kind, case .attribute(let newType) = new.kind else {
      return .none
    }
    let (oldForm, newForm) = (AttributeForm(old), AttributeForm(new))
    let (before, after) = (Self.name(oldType), Self.name(newType))
    if oldForm == .plain, newForm == .plain, ValueForm(old, oldType).isSameColumn(as: ValueForm(new, newType)) {
      return .same
    }
    if before == after {
      // An enum may have got raw values of another type, also one inside a collection.
      guard rawNames(oldType) == rawNames(newType) else { return .none }
      if oldForm == newForm { return .same }
      // Bytes may be in the row as well as in a file; the other way they would have to be read.
      if oldForm == .plain, newForm == .external { return .same }
      return oldForm.isText && newForm.isText && isComposite(oldType) ? .same : .none
    }
    guard oldForm == .plain, newForm == .plain else { return .none }
    if rawName(oldType) == after { return .same }
    return from(before, to: after)
  }

  /// The conversion between the properties of two flattened structs.
  static func from(_ old: any ColumnValue.Type, to new: any ColumnValue.Type) -> ValueConversion {
    let (before, after) = (name(old), name(new))
    if before != after { return from(before, to: after) }
    return rawName(old) == rawName(new) ? .same : .none
  }

  static func from(_ old: String, to new: String) -> ValueConversion {
    if let old = integers[old] {
      if let new = integers[new] { return integer(from: old, to: new) }
      return number(from: old, to: new)
    }
    switch (old, new) {
    case ("Float", "Double"), ("Character", "String"): return .same
    default:
      let (before, after) = (JSONTypeName(old), JSONTypeName(new))
      guard !before.isScalar else { return .none }
      let isSame =
        before.isKnown && after.isKnown ? before.isReadable(as: after) : before.isList(withElementsOf: after)
      return isSame ? .same : .none
    }
  }

  /// Whether JSON of the one standard type is JSON of the other, with the same values.
  static func isReadable(_ old: String, as new: String) -> Bool {
    if old == new || (old, new) == ("Character", "String") { return true }
    guard let first = integers[old] else { return false }
    if let second = integers[new] { return second.holds(first) }
    switch new {
    case "Decimal": return true
    case "Double": return first.bits <= 32
    case "Float": return first.bits <= 16
    default: return false
    }
  }

  private struct IntegerType {
    let isSigned: Bool
    let bits: Int
    /// Stored with the sign bit flipped.
    var isShifted: Bool { !isSigned && bits == 64 }

    func holds(_ other: IntegerType) -> Bool {
      isSigned == other.isSigned ? other.bits <= bits : isSigned && other.bits < bits
    }
  }

  private static let integers: [String: IntegerType] = Dictionary(
    StandardValues.all.compactMap { type in
      (type as? any FixedWidthInteger.Type).map { ("\(type)", IntegerType(isSigned: $0.isSigned, bits: $0.bitWidth)) }
    }, uniquingKeysWith: { first, _ in first })

  private static func integer(from old: IntegerType, to new: IntegerType) -> ValueConversion {
    guard new.holds(old) else { return .none }
    guard new.isShifted, !old.isShifted else { return .same }
    return .expression { "(\($0) - 9223372036854775807 - 1)" }
  }

  private static func number(from old: IntegerType, to new: String) -> ValueConversion {
    switch new {
    case "Decimal" where old.isShifted:
      return .expression {
        """
        printf('%llu', CASE WHEN \($0) < 0 THEN \($0) + 9223372036854775807 + 1
        ELSE \($0) - 9223372036854775807 - 1 END)
        """
      }
    case "Decimal": return .expression { "CAST(\($0) AS TEXT)" }
    case "Double" where old.bits <= 32: return .expression { "CAST(\($0) AS REAL)" }
    case "Float" where old.bits <= 16: return .expression { "CAST(\($0) AS REAL)" }
    case "Double" where !old.isShifted:
      return .checked {
        "CAST(\($0) AS REAL)"
      } isInexact: { column in
        "\(column) NOT BETWEEN -9007199254740992 AND 9007199254740992"
      }
    default: return .none
    }
  }

  /// The type without `Optional` and without the place it is declared in.
  private static func name(_ type: any Any.Type) -> String {
    ValueTypeName((type as? any OptionalValue.Type)?.wrappedType ?? type).unqualified
  }

  private static func rawName(_ type: any Any.Type) -> String? { RawValueType.name(of: type) }

  /// The raw types of the enums that a type is made of, in their order; nothing for any other type.
  private static func rawNames(_ type: any Any.Type) -> [String] {
    if let collection = type as? any ValueCollection.Type { return collection.parts.flatMap(rawNames) }
    if let optional = type as? any OptionalValue.Type { return rawNames(optional.wrappedType) }
    return rawName(type).map { [$0] } ?? []
  }

  /// Whether values are JSON text in any of the forms that are text.
  private static func isComposite(_ type: any Any.Type) -> Bool {
    let wrapped = (type as? any OptionalValue.Type)?.wrappedType ?? type
    return !StandardValues.contains(wrapped) && RawValueType.of(wrapped) == nil
  }
}

/// What options make of the values of an attribute in their column.
private enum AttributeForm: Equatable {
  case plain, json, flattened, external
  case transformed(String)

  init(_ property: ModelProperty) {
    self = .plain
    for option in property.attribute?.options ?? [] {
      switch option.keyword {
      case "json", "codable": self = .json
      case "flattened": self = .flattened
      case "externalStorage": self = property.isExternal ? .external : self
      case "transformable": self = .transformed(option.argument ?? "")
      default: break
      }
    }
  }

  var isText: Bool { self == .plain || self == .json }
}
