import SchemaDiagnostics

/// How a struct or an enum is written as text where that is not what Swift makes of its declaration by
/// itself.
package enum ResolvedCoding: Sendable, Equatable {
  /// What `CodingKeys` call the properties that are written, by the names of the properties.
  case names([String: String])
  /// There is code that reads or writes it. The digest is over that code and what it mentions of the
  /// type; `reads` is whether some of it is an `init(from:)`.
  case code(digest: String, reads: Bool)
}

extension ResolvedCoding? {
  /// What a property is called in the text; nil where it is not written. Code may call it anything, and
  /// is taken to call it what it is called.
  package func name(of field: String) -> String? {
    if case .names(let names)? = self { names[field] } else { field }
  }

  /// Whether a property the text does not have gets its default value.
  package var fillsDefaults: Bool {
    if case .code(_, reads: false)? = self { false } else { true }
  }
}

/// Which declared types are written as text, and which have columns for their properties.
package struct TextTypes: Sendable {
  /// Those whose own form counts.
  package private(set) var written: Set<String> = []
  package private(set) var flattened: Set<String> = []
  /// Those that have a column, or stand in a text.
  package private(set) var kept: Set<String> = []
  /// Those dictionaries have as keys.
  package private(set) var keys: Set<String> = []
  private let enums: [String: ResolvedEnum]
  private let structs: [String: ResolvedStruct]

  /// - Parameter isWanted: which properties of the models count.
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

  /// The types of one attribute.
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
    // Nothing but the raw value is kept.
    case .raw: return
    case .json: addText(attribute.type)
    case nil:
      // A transformer may leave the work to `Codable`.
      let isText = attribute.options.contains(.codable) || attribute.transformer != nil
      if isText { addText(attribute.type) } else { addColumn(attribute.type) }
    }
  }

  /// A value with a separate column, which holds the raw value of what has one.
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
  /// The forms of all types that are written as text in another form than Swift's own.
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
  /// Whether its value is kept as another one.
  package var hasRawValue: Bool {
    conformances.contains("RawRepresentable") || conformances.contains("OptionSet")
  }
}

extension ValueType {
  /// The declared types that are keys of dictionaries in it.
  fileprivate var keyTypes: [String] {
    switch self {
    case .dictionary(let key, let value): key.declaredTypes + key.keyTypes + value.keyTypes
    case .optional(let type), .array(let type), .set(let type): type.keyTypes
    case .scalar, .enumeration, .structure, .opaque: []
    }
  }
}
