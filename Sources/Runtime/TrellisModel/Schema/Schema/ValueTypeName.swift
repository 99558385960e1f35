/// The name of a Swift type. It allows a schema to be encoded, and to be compared in another process.
package struct ValueTypeName: Sendable, Hashable, Codable {
  /// The qualified name: `Swift.String`, `Swift.Optional<Foundation.Date>`, `App.TripKind`.
  package let name: String

  // Equal to `String(reflecting:)`, except that a type's custom description is ignored.
  package init(_ type: any Any.Type) { name = _typeName(type, qualified: true) }

  /// Creates the name for a type that may not exist in this process.
  package init(named name: String) { self.name = name }

  /// The name with all module and type qualifiers removed: `Optional<Date>`, `TripKind`.
  package var unqualified: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(name.utf8.count)
    var start = 0
    var depth = 0
    for byte in name.utf8 {
      switch byte {
      // Skip the meaningless `(unknown context at $…)` qualifier of private types.
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      case _ where depth > 0: break
      case UInt8(ascii: "."): bytes.removeSubrange(start...)
      case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: ","), UInt8(ascii: " "):
        bytes.append(byte)
        start = bytes.count
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The named type if it is a standard value type or an optional standard value type; otherwise nil.
  var resolved: (any Any.Type)? {
    let prefix = "Swift.Optional<"
    guard name.hasPrefix(prefix), name.hasSuffix(">") else { return StandardValues.type(named: name) }
    func optional<T>(_: T.Type) -> any Any.Type { T?.self }
    let wrapped = StandardValues.type(named: String(name.dropFirst(prefix.count).dropLast()))
    return wrapped.map { _openExistential($0, do: optional) }
  }
}

// MARK: Raw values

/// The raw types for values that are stored as raw values.
///
/// ``AutomaticForm`` chooses the same types at compile time.
package enum RawValueType {
  /// Returns the raw type of a type or optional type; nil if columns store the type in a different form.
  ///
  /// Types with an optional raw value are stored as JSON, because NULL already represents a missing value.
  package static func of(_ type: any Any.Type) -> (any ColumnValue.Type)? {
    let wrapped = unwrapped(type)
    guard !StandardValues.contains(wrapped), let found = wrapped as? any RawRepresentable.Type else { return nil }
    func open<R: RawRepresentable>(_: R.Type) -> (any ColumnValue.Type)? {
      R.RawValue.self is any OptionalValue.Type ? nil : R.RawValue.self as? any ColumnValue.Type
    }
    return _openExistential(found, do: open)
  }

  /// Removes all `Optional` layers. An alias for an optional type can itself be declared optional.
  static func unwrapped(_ type: any Any.Type) -> any Any.Type {
    var type = type
    while let optional = type as? any OptionalValue.Type { type = optional.wrappedType }
    return type
  }

  /// Returns the type name with raw types replaced by standard types, as in `UInt64` or `Array<String>`; nil if the
  /// type has no raw values.
  package static func name(of type: any Any.Type) -> String? {
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

extension SQLValue {
  /// Creates a value's stored form: the column or raw value form, or JSON for any other type.
  package init(stored value: any Encodable) throws {
    if let value = value as? any ColumnValue {
      self = try ColumnForm(value).value
    } else if RawValueType.of(type(of: value)) != nil,
      let raw = (value as? any RawRepresentable)?.rawValue as? any ColumnValue
    {
      self = try ColumnForm(raw).value
    } else {
      self = .text(try JSONColumn.text(of: value))
    }
  }
}

/// A collection stored in a single column.
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
