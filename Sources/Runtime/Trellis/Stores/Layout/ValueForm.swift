/// How a column stores the values of an attribute. Types are written by name, because a program may no longer have them.
///
///     String            a value of a standard type, or the JSON of a collection of them
///     Soil=String       a raw value
///     Soil=JSON         JSON of a declared type, or of a type that an option stores as JSON
///     Array<Soil>=JSON Array<String>   the same, where values inside are raw values
///     Color=by Hex      bytes of a transformer
///     Soil              a declared type that a tool knows by its name only
enum ValueForm: Equatable {
  /// A value of a standard type.
  case standard(String)
  /// A raw value: the type and its raw type.
  case raw(String, of: String)
  /// JSON: the type with raw types in place of those that have some, and the type itself.
  case json(String, of: String)
  case transformed(String, by: String)
  /// A declared type, of which nothing else is known.
  case unknown(String)

  init(_ attribute: Schema.Attribute) { self.init(attribute.type, attribute.rawType, attribute.options) }

  init(_ property: ModelProperty, _ type: any Any.Type) {
    self.init(ValueTypeName(type), RawValueType.name(of: type), property.attribute?.options ?? [])
  }

  init(_ type: ValueTypeName, _ rawType: String?, _ options: [Schema.Attribute.Option]) {
    let name = Self.name(type)
    let isScalar = StandardValues.type(named: name) != nil
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
      self = isScalar ? .standard(name) : .json(name, of: name)
    }
  }

  /// The JSON of a property of a struct.
  init(jsonOf type: ValueTypeName) {
    let name = Self.name(type)
    self = .json(name, of: name)
  }

  init(text: Substring) {
    let parts = text.split(separator: "=", maxSplits: 1)
    let name = Self.required(parts.first.map(String.init) ?? "")
    guard parts.count == 2 else {
      let type = JSONTypeName(name)
      self = type.isScalar ? .standard(name) : type.isKnown ? .json(name, of: name) : .unknown(name)
      return
    }
    if parts[1] == "JSON" {
      self = .json(name, of: name)
    } else if parts[1].hasPrefix("JSON ") {
      self = .json(String(parts[1].dropFirst(5)), of: name)
    } else if parts[1].hasPrefix("by ") {
      self = .transformed(name, by: String(parts[1].dropFirst(3)))
    } else {
      self = .raw(String(parts[1]), of: name)
    }
  }

  var text: String {
    switch self {
    case .standard(let name), .unknown(let name): name
    case .raw(let raw, let name): "\(name)=\(raw)"
    case .json(let values, let name) where values != name: "\(name)=JSON \(values)"
    case .json(_, let name): isCollection ? name : "\(name)=JSON"
    case .transformed(let name, let transformer): "\(name)=by \(transformer)"
    }
  }

  /// True for a collection of standard values, which always is JSON.
  private var isCollection: Bool {
    guard case .json(let name, _) = self else { return false }
    let type = JSONTypeName(name)
    return type.isKnown && !type.isScalar
  }

  /// Whether values written in this form have the same meaning if they are read in the other form.
  func isReadable(as other: Self) -> Bool {
    switch (self, other) {
    case (.unknown, _), (_, .unknown): true
    case (.transformed(_, let old), .transformed(_, let new)): old == new
    case (.json(let old, _), .json(let new, _)): JSONTypeName(old).isReadable(as: JSONTypeName(new))
    default: isSameColumn(as: other)
    }
  }

  /// Whether both forms are standard values or raw values, and are read as the same values.
  func isSameColumn(as other: Self) -> Bool {
    guard let old = columnType, let new = other.columnType else { return false }
    if old == new { return true }
    if case .same = ValueConversion.from(old, to: new) { return true }
    return false
  }

  /// The standard type of a column without JSON.
  private var columnType: String? {
    switch self {
    case .standard(let name), .raw(let name, _): name
    case .json, .transformed, .unknown: nil
    }
  }

  /// The form as a part of an error message.
  var description: String {
    switch self {
    case .standard(let name), .unknown(let name): "'\(name)'"
    case .raw(let raw, let name): "'\(name)' with raw values of '\(raw)'"
    case .json(let values, let name) where values != name: "'\(name)' with the values of '\(values)'"
    case .json(_, let name): isCollection ? "'\(name)'" : "'\(name)' as JSON"
    case .transformed(let name, let transformer): "'\(name)' by '\(transformer)'"
    }
  }

  /// The name of a type without `Optional`. A declared type with the name of a standard one keeps its full name.
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

/// The forms of the columns of one attribute as text: several for a flattened struct, by the names of its properties.
enum StoredForms {
  /// Whether values written in the old forms have the same meaning if they are read in the new ones.
  static func areReadable(_ old: String, as new: String) -> Bool {
    if old == new { return true }
    let (before, after) = (old.split(separator: "/"), new.split(separator: "/"))
    guard before.count == after.count, !before.isEmpty else { return false }
    return zip(before, after).allSatisfy { old, new in
      let (old, new) = (divided(old), divided(new))
      return old.name == new.name && ValueForm(text: old.form).isReadable(as: ValueForm(text: new.form))
    }
  }

  private static func divided(_ part: Substring) -> (name: Substring, form: Substring) {
    guard let end = part.firstIndex(of: ":") else { return ("", part) }
    return (part[..<end], part[part.index(after: end)...])
  }
}

extension ModelProperty {
  /// The form of an attribute's values, or of the parts of a flattened struct.
  var storedForm: String? {
    guard case .attribute(let type) = kind else { return nil }
    let parts = flattenedMembers
    guard !parts.isEmpty else { return ValueForm(self, type).text }
    return parts.map { part in
      let form = ValueForm(ValueTypeName(part.type), RawValueType.name(of: part.type), [])
      return "\(part.name):\(form.text)"
    }.joined(separator: "/")
  }
}
