import SchemaFacts

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
    if let old = ScalarType(rawValue: old) {
      return ScalarType(rawValue: new).map { from(old, to: $0) } ?? .none
    }
    let (before, after) = (JSONTypeName(old), JSONTypeName(new))
    let isSame = before.isKnown && after.isKnown ? before.isReadable(as: after) : before.isList(withElementsOf: after)
    return isSame ? .same : .none
  }

  private static func from(_ old: ScalarType, to new: ScalarType) -> ValueConversion {
    switch (old.valueType.scalar, new.valueType.scalar) {
    case (.integer, .real) where !old.fits(into: new) && old.integer != nil:
      return .checked {
        "CAST(\($0) AS REAL)"
      } isInexact: { column in
        "\(column) NOT BETWEEN -9007199254740992 AND 9007199254740992"
      }
    case _ where !old.fits(into: new): return .none
    case (.integer, .unsigned): return .expression { "(\($0) - 9223372036854775807 - 1)" }
    case (.integer, .real), (.integer, .float): return .expression { "CAST(\($0) AS REAL)" }
    case (.integer, .decimal): return .expression { "CAST(\($0) AS TEXT)" }
    case (.unsigned, .decimal):
      return .expression {
        """
        printf('%llu', CASE WHEN \($0) < 0 THEN \($0) + 9223372036854775807 + 1
        ELSE \($0) - 9223372036854775807 - 1 END)
        """
      }
    default: return .same
    }
  }

  /// The type without `Optional` and without the place it is declared in.
  private static func name(_ type: any Any.Type) -> String {
    ValueTypeName(wrappedType(of: type)).unqualified
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
    let wrapped = wrappedType(of: type)
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
