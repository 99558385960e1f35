import SchemaDiagnostics

/// The JSON form of a struct or enum, if it differs from Swift's synthesized coding.
package enum ResolvedCoding: Sendable, Equatable {
  /// The keys from `CodingKeys`, by property name. Omitted properties are not written.
  case names([String: String])
  /// Custom coding code. The digest covers this code and the members it refers to; `reads` is true if it includes an
  /// `init(from:)`.
  case code(digest: String, reads: Bool)
}

extension ResolvedCoding? {
  /// Returns a property's JSON key, or `nil` if the property is not written. Custom code is assumed to use the
  /// property's name.
  package func name(of field: String) -> String? {
    if case .names(let names)? = self { names[field] } else { field }
  }

  /// True if a property that is missing from the JSON gets its default value.
  package var fillsDefaults: Bool {
    if case .code(_, reads: false)? = self { false } else { true }
  }
}

/// The declared types that are written as JSON, and those whose properties have columns.
package struct TextTypes: Sendable {
  /// Types written as JSON, for which a custom form applies.
  package private(set) var written: Set<String> = []
  package private(set) var flattened: Set<String> = []
  /// Types of values in columns or in JSON.
  package private(set) var kept: Set<String> = []
  /// Types used as dictionary keys.
  package private(set) var keys: Set<String> = []
  private let enums: [String: ResolvedEnum]
  private let structs: [String: ResolvedStruct]

  /// - Parameter isWanted: Selects the model properties to include.
  package init(_ schema: ResolvedSchema, where isWanted: (ResolvedAttribute) -> Bool = { _ in true }) {
    enums = schema.enums.keyed(by: \.name)
    structs = schema.structs.keyed(by: \.name)
    for entity in schema.entities {
      for case .attribute(let attribute) in entity.properties
      where !attribute.isTransient && !attribute.options.contains(.ephemeral) && isWanted(attribute) {
        add(attribute)
      }
    }
  }

  /// Collects the types of a single attribute.
  init(of attribute: ResolvedAttribute, in schema: TextTypes) {
    enums = schema.enums
    structs = schema.structs
    add(attribute)
  }

  private mutating func add(_ attribute: ResolvedAttribute) {
    switch attribute.storage {
    case .flattened:
      guard case .structure(let name) = attribute.type.unwrapped, let type = structs[name] else { return }
      flattened.insert(name)
      for field in type.fields { addColumn(field.type) }
    // Only the raw value is stored.
    case .raw: return
    case .json: addText(attribute.type)
    case nil:
      // A transformer may delegate to `Codable`.
      let isText = attribute.options.contains(.codable) || attribute.transformer != nil
      if isText { addText(attribute.type) } else { addColumn(attribute.type) }
    }
  }

  /// Adds the type of a value with a separate column. A type with raw values stores the raw value there.
  private mutating func addColumn(_ type: ValueType) {
    switch type.unwrapped {
    case .enumeration(let name) where enums[name]?.rawType != nil: kept.insert(name)
    case .structure(let name) where structs[name]?.hasRawValue ?? false: kept.insert(name)
    default: addText(type)
    }
  }

  private mutating func addText(_ type: ValueType) {
    var waiting = [type]
    while let type = waiting.popLast() {
      keys.formUnion(type.keyTypes)
      for name in type.declaredTypes where written.insert(name).inserted {
        kept.insert(name)
        waiting += enums[name]?.cases.flatMap(\.payload).map(\.type) ?? []
        guard let type = structs[name] else { continue }
        waiting += type.fields.filter { type.coding.name(of: $0.name) != nil }.map(\.type)
      }
    }
  }
}

extension ResolvedSchema {
  /// The custom forms of all types written as JSON.
  package var codings: [String: ResolvedCoding] {
    var codings: [String: ResolvedCoding] = [:]
    for type in enums { codings[type.name] = type.coding }
    for type in structs { codings[type.name] = type.coding }
    guard !codings.isEmpty else { return [:] }
    let written = TextTypes(self).written
    return codings.filter { written.contains($0.key) }
  }
}

extension ResolvedStruct {
  /// True if the value is stored as a raw value.
  package var hasRawValue: Bool {
    conformances.contains("RawRepresentable") || conformances.contains("OptionSet")
  }
}

extension ValueType {
  /// The declared types used as dictionary keys in this type.
  fileprivate var keyTypes: [String] {
    switch self {
    case .dictionary(let key, let value): key.declaredTypes + key.keyTypes + value.keyTypes
    case .optional(let type), .array(let type), .set(let type): type.keyTypes
    case .scalar, .enumeration, .structure, .opaque: []
    }
  }
}
