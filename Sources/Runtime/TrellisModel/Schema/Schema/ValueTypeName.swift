/// A Swift type by name, so that a schema can be written down and compared in another program.
package struct ValueTypeName: Sendable, Hashable, Codable {
  /// `Swift.String`, `Swift.Optional<Foundation.Date>`, `App.TripKind`.
  package let name: String

  // What `String(reflecting:)` gives, without asking first whether the type describes itself.
  package init(_ type: any Any.Type) { name = _typeName(type, qualified: true) }

  /// Of a type this program may not have.
  package init(named name: String) { self.name = name }

  /// The name without the places the types are declared in: `Optional<Date>`, `TripKind`.
  package var unqualified: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(name.utf8.count)
    var start = 0
    var depth = 0
    for byte in name.utf8 {
      switch byte {
      // A private type is declared in `(unknown context at $…)`, which says nothing.
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

  /// The type, if it is one of the standard value types or an optional of one.
  var resolved: (any Any.Type)? {
    let prefix = "Swift.Optional<"
    guard name.hasPrefix(prefix), name.hasSuffix(">") else { return StandardValues.type(named: name) }
    func optional<T>(_: T.Type) -> any Any.Type { T?.self }
    let wrapped = StandardValues.type(named: String(name.dropFirst(prefix.count).dropLast()))
    return wrapped.map { _openExistential($0, do: optional) }
  }
}

// MARK: Raw values

/// The raw types of types whose values are stored as their raw values.
///
/// ``AutomaticForm`` chooses the same types at compile time.
package enum RawValueType {
  /// The raw type of a type or of an optional of it; nil for a type with another form in columns.
  ///
  /// A type whose raw value is an optional is stored as JSON, because NULL says that there is no value.
  package static func of(_ type: any Any.Type) -> (any ColumnValue.Type)? {
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
  /// The stored form of a value: that of its column or of its raw value, and JSON for any other type.
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
