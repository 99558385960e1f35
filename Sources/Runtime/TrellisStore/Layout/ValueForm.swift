import SchemaFacts

/// How a column stores an attribute's values. Types are recorded by name because the app may no longer declare them.
package enum ValueForm: Hashable, Codable, Sendable {
  /// A value of a standard type.
  case standard(String)
  /// A raw value: the raw type, and the declared type.
  case raw(String, of: String)
  /// JSON: the type with raw types substituted, and the declared type.
  case json(String, of: String)
  case transformed(String, by: String)
  /// A declared type for which a tool knows only the name.
  case unknown(String)

  init(_ attribute: Schema.Attribute) { self.init(attribute.type, attribute.rawType, attribute.options) }

  /// Creates the form for a property's attribute; `nil` for a relationship.
  package init?(_ property: ModelProperty) {
    guard case .attribute(let type) = property.kind else { return nil }
    // A class attribute has no recorded type.
    if let attribute = property.attribute, attribute.valueType != Any.self {
      self.init(attribute)
    } else {
      self.init(type, property.attribute?.options ?? [])
    }
  }

  package init(_ type: any Any.Type, _ options: [Schema.Attribute.Option] = []) {
    self.init(ValueTypeName(type), RawValueType.name(of: type), options)
  }

  private init(_ type: ValueTypeName, _ rawType: String?, _ options: [Schema.Attribute.Option]) {
    let name = Self.name(type)
    if let transformer = options.first(where: { $0.keyword == "transformable" }) {
      // A transformer may move to another module.
      self = .transformed(name, by: ValueTypeName(named: transformer.argument ?? "").unqualified)
    } else if options.contains(where: { $0.keyword == "json" || $0.keyword == "codable" }) {
      self = .json(name, of: name)
    } else if rawType == Schema.Attribute.unknownRawType {
      self = .unknown(name)
    } else if let rawType {
      self = rawType.last == ">" ? .json(rawType, of: name) : .raw(rawType, of: name)
    } else {
      self = StandardValues.type(named: name) != nil ? .standard(name) : .json(name, of: name)
    }
  }

  /// Creates the JSON form for a struct member.
  init(jsonOf type: ValueTypeName) {
    let name = Self.name(type)
    self = .json(name, of: name)
  }

  /// Returns true if values written in this form keep their meaning when read in the other form.
  func isReadable(as other: Self) -> Bool { if case .same = conversion(to: other) { true } else { false } }

  /// Returns the conversion from this form to the other form.
  func conversion(to other: Self) -> ValueConversion {
    switch (self, other) {
    case (.unknown, _), (_, .unknown): .same
    case (.json(let old, _), .json(let new, _)): JSONTypeName(old).isReadable(as: JSONTypeName(new)) ? .same : .none
    case (.standard(let old), .standard(let new)), (.standard(let old), .raw(let new, _)),
      (.raw(let old, _), .standard(let new)), (.raw(let old, _), .raw(let new, _)):
      .from(old, to: new)
    default: self == other ? .same : .none
    }
  }

  /// The form as it appears in error messages.
  var description: String {
    switch self {
    case .standard(let name), .unknown(let name): "'\(name)'"
    case .raw(let raw, let name): "'\(name)' with raw values of '\(raw)'"
    case .json(let values, let name) where values != name: "'\(name)' with the values of '\(values)'"
    case .json(_, let name): JSONTypeName(name).isCollection ? "'\(name)'" : "'\(name)' as JSON"
    case .transformed(let name, let transformer): "'\(name)' by '\(transformer)'"
    }
  }

  /// Returns the type name with `Optional` removed. A declared type that shadows a standard type keeps its full name.
  private static func name(_ type: ValueTypeName) -> String {
    let (name, full) = (required(type.unqualified), required(type.name))
    return StandardValues.type(named: name) != nil && StandardValues.type(named: full) == nil ? full : name
  }

  private static func required(_ name: String) -> String {
    var name = name[...]
    while name.last == ">", let prefix = ["Optional<", "Swift.Optional<"].first(where: name.hasPrefix) {
      name = name.dropFirst(prefix.count).dropLast()
    }
    return String(name)
  }
}

/// The value form for a single attribute column.
package struct StoredPart: Hashable, Codable, Sendable {
  /// The flattened struct member; empty for other attributes.
  var name: String
  var form: ValueForm
}

extension [StoredPart] {
  /// Returns true if values written in these forms keep their meaning when read in the other forms.
  func areReadable(as others: [StoredPart]) -> Bool {
    !isEmpty && count == others.count
      && zip(self, others).allSatisfy { $0.name == $1.name && $0.form.isReadable(as: $1.form) }
  }
}

extension ModelProperty {
  /// The value forms for the attribute's columns; several for a flattened struct.
  var storedParts: [StoredPart] {
    let members = flattenedMembers
    guard members.isEmpty else { return members.map { StoredPart(name: $0.name, form: ValueForm($0.type)) } }
    return ValueForm(self).map { [StoredPart(name: "", form: $0)] } ?? []
  }
}

/// How stored values are converted to a different type. Except for `checked`, every value is valid in the new type.
enum ValueConversion {
  /// The stored value is unchanged.
  case same
  /// An SQL expression on the column.
  case expression((_ column: SQLFragment) -> SQLFragment)
  /// Like `expression`. `isInexact` is a condition for values that the new type cannot represent exactly.
  case checked((_ column: SQLFragment) -> SQLFragment, isInexact: (SQLFragment) -> SQLFragment)
  /// Some values cannot be converted.
  case none

  static func from(_ old: ModelProperty, to new: ModelProperty) -> ValueConversion {
    guard let before = ValueForm(old), let after = ValueForm(new) else { return .none }
    // External bytes may be stored in the row or in a file. Converting back would require reading the files.
    if old.isExternal, !new.isExternal { return .none }
    return before.conversion(to: after)
  }

  /// Returns the column conversion between two standard types.
  static func from(_ old: String, to new: String) -> ValueConversion {
    guard let old = ScalarType(rawValue: old), let new = ScalarType(rawValue: new) else { return .none }
    return from(old, to: new)
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
}
