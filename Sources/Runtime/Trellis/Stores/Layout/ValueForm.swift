/// What a column has of the values of an attribute, by names that outlive the types of a program.
///
///     String        a value of a standard type, or the JSON of a collection of them
///     Soil=String   a raw value
///     Soil=JSON     JSON of a declared type, or of a type that an option stores as JSON
///     Color=by Hex  bytes of a transformer
///     Soil          a declared type, written before stores recorded raw types
enum ValueForm: Equatable {
  /// A value of a standard type.
  case standard(String)
  /// A raw value: the type and its raw type.
  case raw(String, of: String)
  case json(String)
  case transformed(String, by: String)
  /// A declared type, of which nothing else is known.
  case unknown(String)

  init(_ attribute: Schema.Attribute) { self.init(attribute.type, attribute.rawType, attribute.options) }

  init(_ type: ValueTypeName, _ rawType: String?, _ options: [Schema.Attribute.Option]) {
    let name = Self.required(type.unqualified)
    if let transformer = options.first(where: { $0.keyword == "transformable" }) {
      // A transformer may move to another module.
      self = .transformed(name, by: ValueTypeName(named: transformer.argument ?? "").unqualified)
    } else if options.contains(where: { $0.keyword == "json" || $0.keyword == "codable" }) {
      self = .json(name)
    } else if rawType == Schema.Attribute.unknownRawType {
      self = .unknown(name)
    } else if let rawType {
      self = .raw(rawType, of: name)
    } else {
      self = StandardValues.type(named: name) == nil ? .json(name) : .standard(name)
    }
  }

  /// The form of an attribute of a store that does not record raw types.
  ///
  /// The releases that wrote such stores knew the raw types of declarations that they saw, for which they generated
  /// ``ColumnValue``. Values of other types were JSON unless an option said otherwise.
  init(unrecorded former: Schema.Attribute, as attribute: Schema.Attribute) {
    self.init(former)
    guard case .json(let name) = self, !isCollection, !former.options.contains(.json),
      !former.options.contains(.codable)
    else { return }
    if former.options.contains(.raw) || attribute.valueType is any ColumnValue.Type { self = .unknown(name) }
  }

  init(text: Substring) {
    let parts = text.split(separator: "=", maxSplits: 1)
    let name = Self.required(parts.first.map(String.init) ?? "")
    guard parts.count == 2 else {
      let isScalar = StandardValues.type(named: name) != nil
      self = isScalar ? .standard(name) : Self.isStandard(name) ? .json(name) : .unknown(name)
      return
    }
    if parts[1] == "JSON" {
      self = .json(name)
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
    case .json(let name): isCollection ? name : "\(name)=JSON"
    case .transformed(let name, let transformer): "\(name)=by \(transformer)"
    }
  }

  /// True for a collection of standard values, which always is JSON.
  private var isCollection: Bool {
    if case .json(let name) = self { Self.isStandard(name) && StandardValues.type(named: name) == nil } else { false }
  }

  /// Whether values of the one form, left as they are, are the same values of the other.
  ///
  /// Of declared types only the names are known here: whether JSON is of another type shows when it is read.
  func isReadable(as other: Self) -> Bool {
    switch (self, other) {
    case (.unknown, _), (_, .unknown): true
    case (.transformed(_, let old), .transformed(_, let new)): old == new
    case (.json(let old), .json(let new)):
      !Self.isStandard(old) || !Self.isStandard(new) || Self.isSame(old, new)
    case (.standard(let old), .standard(let new)), (.standard(let old), .raw(let new, _)),
      (.raw(let old, _), .standard(let new)), (.raw(let old, _), .raw(let new, _)):
      Self.isSame(old, new)
    case (.json, _), (_, .json), (.transformed, _), (_, .transformed): false
    }
  }

  /// In words, as a property of an error.
  var description: String {
    switch self {
    case .standard(let name), .unknown(let name): "'\(name)'"
    case .raw(let raw, let name): "'\(name)' with raw values of '\(raw)'"
    case .json(let name): isCollection ? "'\(name)'" : "'\(name)' as JSON"
    case .transformed(let name, let transformer): "'\(name)' by '\(transformer)'"
    }
  }

  private static func isSame(_ old: String, _ new: String) -> Bool {
    if old == new { return true }
    if case .same = ValueConversion.from(old, to: new) { return true }
    return false
  }

  private static func required(_ name: String) -> String { inside("Optional", name) ?? name }

  private static func isStandard(_ name: String) -> Bool {
    if let element = inside("Optional", name) ?? inside("Array", name) ?? inside("Set", name) {
      return isStandard(element)
    }
    return StandardValues.type(named: name) != nil
  }

  private static func inside(_ container: String, _ name: String) -> String? {
    guard name.hasPrefix("\(container)<"), name.hasSuffix(">") else { return nil }
    return String(name.dropFirst(container.utf8.count + 1).dropLast())
  }
}

/// The forms of the columns of one attribute as text: several for a flattened struct, by the names of its properties.
enum StoredForms {
  /// Whether values, left as they are, are the same values.
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
    func form(_ type: any Any.Type, _ options: [Schema.Attribute.Option]) -> String {
      ValueForm(ValueTypeName(type), RawValueType.name(of: type), options).text
    }
    let parts = flattenedMembers
    guard !parts.isEmpty else { return form(type, attribute?.options ?? []) }
    return parts.map { "\($0.name):\(form($0.type, []))" }.joined(separator: "/")
  }
}
