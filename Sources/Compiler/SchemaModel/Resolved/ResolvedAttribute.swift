package import SchemaDiagnostics

/// A stored property with a value type.
package final class ResolvedAttribute: Sendable {
  package let name: String
  package let originalName: String?
  package let hashModifier: String?
  package let type: ValueType
  /// The default expression as written, or `nil` if there is none. A `T?` without a default is nil.
  package let defaultValue: SwiftText?
  package let options: Set<AttributeOption>
  /// The argument of `.transformable(by:)`, as written.
  package let transformer: String?
  /// `@Attribute(.json | .flattened | .raw)`. `nil` means the type's default.
  package let storage: ValueStorage?
  /// `@Attribute(.unknown(…))`; nil means `.fail`.
  package let unknown: UnknownPolicy?
  package let isTransient: Bool
  package let isLet: Bool
  package let access: AccessLevel?
  /// The access level of the setter, as in `private(set)`.
  package let setterAccess: AccessLevel?
  package let documentation: [String]
  package let range: SourceRange

  package init(
    name: String, originalName: String? = nil, hashModifier: String? = nil, type: ValueType,
    defaultValue: SwiftText? = nil, options: Set<AttributeOption> = [], transformer: String? = nil,
    storage: ValueStorage? = nil, unknown: UnknownPolicy? = nil, isTransient: Bool = false, isLet: Bool = false,
    access: AccessLevel? = nil, setterAccess: AccessLevel? = nil, documentation: [String] = [],
    range: SourceRange
  ) {
    self.name = name
    self.originalName = originalName
    self.hashModifier = hashModifier
    self.type = type
    self.defaultValue = defaultValue
    self.options = options
    self.transformer = transformer
    self.storage = storage
    self.unknown = unknown
    self.isTransient = isTransient
    self.isLet = isLet
    self.access = access
    self.setterAccess = setterAccess
    self.documentation = documentation
    self.range = range
  }
}

/// An `@Attribute` option that takes no arguments, spelled as in SwiftData.
package enum AttributeOption: String, Sendable, CaseIterable {
  case unique, externalStorage, preserveValueOnDeletion, ephemeral, allowsCloudEncryption
  case spotlight, codable
  /// Not supported. Only released versions may still contain this option: it is part of their store fingerprints and
  /// has no other effect.
  case fullText
}

/// The storage layout of a Codable value.
package enum ValueStorage: String, Sendable, CaseIterable {
  case json, flattened, raw
}

/// The result of reading a stored value that matches no enum case.
package enum UnknownPolicy: String, Sendable, CaseIterable {
  case fail, `default`
}

/// The resolved type of an attribute.
package indirect enum ValueType: Sendable, Hashable {
  case scalar(ScalarType)
  /// An `enum` declared in this schema.
  case enumeration(String)
  /// A `struct` declared in this schema.
  case structure(String)
  /// A type that the schema does not declare, as written.
  case opaque(String)
  case optional(ValueType)
  case array(ValueType)
  case set(ValueType)
  case dictionary(key: ValueType, value: ValueType)
}

extension ValueType {
  /// The names of the schema's enums and structs in this type.
  package var declaredTypes: [String] {
    switch self {
    case .enumeration(let name), .structure(let name): [name]
    case .optional(let type), .array(let type), .set(let type): type.declaredTypes
    case .dictionary(let key, let value): key.declaredTypes + value.declaredTypes
    case .scalar, .opaque: []
    }
  }

  /// The type with the outer optional removed.
  package var unwrapped: ValueType {
    if case .optional(let wrapped) = self { wrapped } else { self }
  }
}
