/// The raw types of types whose values are stored as their raw values.
///
/// The overloads of `automatic` choose the same types at compile time, see ``StatementBinder``.
enum RawValueType {
  /// The raw type of a type or of an optional of it; nil for a type with another form in columns.
  ///
  /// A type whose raw value is an optional is stored as JSON, because NULL says that there is no value.
  static func of(_ type: any Any.Type) -> (any ColumnValue.Type)? {
    let wrapped = unwrapped(type)
    guard !StandardValues.contains(wrapped), let found = wrapped as? any RawRepresentable.Type else { return nil }
    func open<R: RawRepresentable>(_: R.Type) -> (any ColumnValue.Type)? {
      R.RawValue.self is any OptionalValue.Type ? nil : R.RawValue.self as? any ColumnValue.Type
    }
    return _openExistential(found, do: open)
  }

  /// The type without `Optional`. An alias of an optional type may have been made optional.
  static func unwrapped(_ type: any Any.Type) -> any Any.Type {
    var type = type
    while let optional = type as? any OptionalValue.Type { type = optional.wrappedType }
    return type
  }

  /// The name of the type with standard types in place of types with raw values, as in `UInt64` or `Array<String>`; nil for
  /// a type without raw values.
  static func name(of type: any Any.Type) -> String? {
    let wrapped = unwrapped(type)
    if let raw = of(wrapped) { return name(of: raw) ?? ValueTypeName(raw).unqualified }
    guard let collection = wrapped as? any ValueCollection.Type else { return nil }
    guard collection.parts.contains(where: { name(of: $0) != nil }) else { return nil }
    let names = collection.parts.map { part in
      let name = name(of: part) ?? ValueTypeName(unwrapped(part)).unqualified
      return part is any OptionalValue.Type ? "Optional<\(name)>" : name
    }
    return "\(ValueTypeName(wrapped).unqualified.prefix { $0 != "<" })<\(names.joined(separator: ", "))>"
  }
}

/// A collection that one column keeps.
protocol ValueCollection {
  static var parts: [any Any.Type] { get }
}

extension Array: ValueCollection {
  static var parts: [any Any.Type] { [Element.self] }
}

extension Set: ValueCollection {
  static var parts: [any Any.Type] { [Element.self] }
}

extension Dictionary: ValueCollection {
  static var parts: [any Any.Type] { [Key.self, Value.self] }
}
