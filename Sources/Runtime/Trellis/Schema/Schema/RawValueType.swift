/// The raw types of types whose values are stored as their raw values.
///
/// The overloads of `automatic` choose the same types at compile time, see ``StatementBinder``.
enum RawValueType {
  /// The raw type of a type or of its optional; nil for a type with a separate form in columns.
  ///
  /// A type whose raw value is an optional is stored as JSON, because NULL says that there is no value.
  static func of(_ type: any Any.Type) -> (any ColumnValue.Type)? {
    let wrapped = (type as? any OptionalValue.Type)?.wrappedType ?? type
    guard !StandardValues.contains(wrapped), let found = wrapped as? any RawRepresentable.Type else { return nil }
    func open<R: RawRepresentable>(_: R.Type) -> (any ColumnValue.Type)? {
      R.RawValue.self is any OptionalValue.Type ? nil : R.RawValue.self as? any ColumnValue.Type
    }
    return _openExistential(found, do: open)
  }

  /// The name of the standard type that the column has, as in `UInt64`. A raw value may have a raw value itself.
  static func name(of type: any Any.Type) -> String? {
    guard let raw = of(type) else { return nil }
    return name(of: raw) ?? ValueTypeName(raw).unqualified
  }
}
