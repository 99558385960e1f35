import SchemaDiagnostics

/// A value in the JSON of a struct or enum.
package struct JSONField: Sendable, Equatable {
  /// The key. For an associated value, the keys of the case and the value, as in `due._0`. Empty for a raw value,
  /// which replaces the struct or enum.
  package var key: String
  package var type: ValueType
}

extension ResolvedStruct {
  /// The properties written by Swift's synthesized code, or `nil` for a struct with custom code.
  var jsonFields: [JSONField]? {
    if conformances.contains(where: ["RawRepresentable", "OptionSet"].contains) {
      let raw = fields.first { $0.name == "rawValue" }
      return coding == nil ? raw.map { [JSONField(key: "", type: $0.type)] } : nil
    }
    switch coding {
    case .code: return nil
    case .names(let names):
      return parameters.compactMap { field in names[field.name].map { JSONField(key: $0, type: field.type) } }
    case nil: return parameters.map { JSONField(key: $0.name, type: $0.type) }
    }
  }
}

extension ResolvedEnum {
  /// The associated values or raw value written by Swift's synthesized code, or `nil` for an enum with custom code.
  var jsonFields: [JSONField]? {
    guard coding == nil, !conformances.contains("RawRepresentable") else { return nil }
    if let rawType { return [JSONField(key: "", type: .scalar(rawType))] }
    return cases.flatMap { enumCase in
      enumCase.payload.enumerated().map { index, field in
        JSONField(key: "\(enumCase.name).\(field.label ?? "_\(index)")", type: field.type)
      }
    }
  }
}

/// The types of the values in each attribute's JSON. Stores record these types.
///
/// If a type changes, the JSON in existing stores may be read as a different value: a date as a number, data as text.
///
///     Array<Leg>;Leg(at=Date picture=_ stop=Optional<Stop>);Stop(name=String)
package struct JSONFields: Sendable {
  fileprivate var types: [String: [JSONField]]
  /// The name of a type whose values are unknown.
  static let unknown = "_"

  package init(_ schema: ResolvedSchema) {
    types = schema.swiftFields
    for type in schema.structs { types[type.name] = type.jsonFields }
    for type in schema.enums where type.swift == nil { types[type.name] = type.jsonFields }
  }

  /// Returns an attribute's type and the structs and enums in it, or `nil` if there are none or the values are not
  /// JSON.
  package func text(of attribute: ResolvedAttribute) -> String? {
    guard !attribute.isTransient, !attribute.options.contains(.ephemeral), attribute.transformer == nil,
      attribute.storage != .flattened, let root = name(of: attribute.type)
    else { return nil }
    var entries: [String] = []
    var waiting = attribute.type.namedTypes
    var seen = Set<String>()
    while let next = waiting.popLast() {
      guard seen.insert(next).inserted, let fields = types[next], fields.first?.key.isEmpty != true else { continue }
      // For a field of any other type, only the key is known.
      let texts = fields.map { "\(escaping: $0.key)=\(name(of: $0.type) ?? Self.unknown)" }
      entries.append("\(next)(\(texts.joined(separator: " ")))")
      waiting += fields.flatMap(\.type.namedTypes)
    }
    return entries.isEmpty ? nil : ([root] + entries.ordered()).joined(separator: ";")
  }

  /// Returns the name of a type with values of standard types inside, or `nil` for any other type.
  fileprivate func name(of type: ValueType) -> String? {
    switch type {
    case .scalar(let scalar): scalar.rawValue
    case .enumeration(let name), .structure(let name), .opaque(let name): self.name(ofDeclared: name)
    case .optional(let type): name(of: type).map { "Optional<\($0)>" }
    case .array(let type): name(of: type).map { "Array<\($0)>" }
    case .set(let type): name(of: type).map { "Set<\($0)>" }
    case .dictionary(let key, let value):
      name(of: value).flatMap { value in name(ofKey: key).map { "Dictionary<\($0),\(value)>" } }
    }
  }
}

extension JSONFields {
  /// A declared type keeps its name even if it has a raw value, because a dictionary with such keys is a JSON array.
  private func name(ofKey type: ValueType) -> String? {
    switch type {
    case .enumeration(let name), .structure(let name), .opaque(let name): types[name].map { _ in name }
    default: name(of: type)
    }
  }

  private func name(ofDeclared name: String) -> String? {
    guard let fields = types[name] else { return Self.isRange(name) ? name : nil }
    return fields.first { $0.key.isEmpty }.map { self.name(of: $0.type) } ?? name
  }

  /// True for a range of values of a standard type.
  private static func isRange(_ name: String) -> Bool {
    guard name.last == ">", let prefix = ["Range<", "ClosedRange<"].first(where: name.hasPrefix) else { return false }
    return ScalarType(rawValue: String(name.dropFirst(prefix.count).dropLast())) != nil
  }
}

extension ValueType {
  /// The names of the declared types in this type.
  var namedTypes: [String] {
    switch self {
    case .scalar: []
    case .enumeration(let name), .structure(let name), .opaque(let name): [name]
    case .optional(let type), .array(let type), .set(let type): type.namedTypes
    case .dictionary(let key, let value): key.namedTypes + value.namedTypes
    }
  }
}

extension DefaultStringInterpolation {
  /// Appends a key, which may contain any text.
  fileprivate mutating func appendInterpolation(escaping key: String) {
    appendInterpolation(ResolvedCoding.escaped(key))
  }
}
