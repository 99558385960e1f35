import Foundation

/// What the JSON of an array attribute holds.
enum ArrayElements: Hashable {
  /// Values SQL can compare as Swift does.
  case scalar(Scalar)
  case other

  /// nil for a type that is not stored as a JSON array.
  static func of(_ type: any Any.Type) -> ArrayElements? {
    let type = (type as? any OptionalValue.Type)?.wrappedType ?? type
    guard let array = type as? any JSONArrayType.Type else { return nil }
    guard Scalar.isStandard(array.elementType), let scalar = Scalar.of(array.elementType) else {
      return .other
    }
    switch scalar {
    case .text, .integer, .boolean: return .scalar(scalar)
    default: return .other
    }
  }
}

private protocol JSONArrayType {
  static var elementType: any Any.Type { get }
}

extension Array: JSONArrayType {
  fileprivate static var elementType: any Any.Type { Element.self }
}

extension Set: JSONArrayType {
  fileprivate static var elementType: any Any.Type { Element.self }
}

extension Translation {
  /// Whether an array attribute holds a value.
  func membership(of element: SQLTerm, inArray array: ScalarTerm) throws -> ScalarTerm {
    guard case .scalar(let kind)? = array.elements else {
      throw Untranslatable("elements of this kind are compared in memory")
    }
    let stored = ScalarTerm(sql: "value", scalar: kind, isIrregular: kind == .text)
    let (value, wanted) = try operands(.scalar(stored), element)
    // Without rows, the array is empty or nil; what nil means, the closure around it says.
    return .condition(
      """
      EXISTS (SELECT 1 FROM json_each(json_plain(\(array.sql))) \
      WHERE \(value.equatable) IS \(wanted.equatable))
      """, .atom)
  }

  /// How many elements an array attribute has; NULL when it is nil.
  func count(ofArray array: ScalarTerm) -> SQLFragment { "json_array_length(\(array.sql))" }
}
