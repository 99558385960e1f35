/// A resolved schema's JSON form, for external tools.
///
/// These types define the format, independently of the compiler's own types. Keys that have no value are omitted;
/// arrays and Booleans are always present. The article *Exporting schemas* describes every key.
///
/// Equal schemas have byte-identical documents: source layout, comments, declaration order and file names make no
/// difference. Members remain in declaration order, which determines columns and initializers.
package struct SchemaDocument: Sendable, Equatable, Codable {
  /// Increase this on incompatible changes.
  package static let currentFormat = 1

  package var format = currentFormat
  package var name: String
  /// `major.minor.patch`
  package var version: String
  package var fingerprint: String
  package var storageFingerprint: String
  /// The imported modules, sorted.
  package var imports: [String]
  /// Sorted by name, like `enums` and `structs`.
  package var entities: [Entity]
  package var enums: [Enumeration]
  package var structs: [Structure]

  // MARK: Models

  package struct Entity: Sendable, Equatable, Codable {
    package var name: String
    package var originalName: String?
    package var superentity: String?
    package var access: String?
    /// Attributes such as `@available(…)`.
    package var swiftAttributes: [String]
    /// Protocols and superclasses that are not models.
    package var conformances: [String]
    package var documentation: String?
    /// The entity's own properties.
    package var properties: [Property]
    package var uniques: [Unique]
    package var indexes: [Index]
  }

  package struct Unique: Sendable, Equatable, Codable {
    package var properties: [String]
    /// `replace`, `keep` or `fail`.
    package var onConflict: String
  }

  package struct Index: Sendable, Equatable, Codable {
    /// `binary` or `rtree`.
    package var kind: String
    package var properties: [String]
  }

  /// A stored property. The key `kind` distinguishes attributes from relationships.
  package enum Property: Sendable, Equatable, Codable {
    case attribute(Attribute)
    case relationship(Relationship)

    private enum Key: String, CodingKey { case kind }
    private enum Kind: String, Codable { case attribute, relationship }

    package init(from decoder: any Decoder) throws {
      let kind = try decoder.container(keyedBy: Key.self).decode(Kind.self, forKey: .kind)
      switch kind {
      case .attribute: self = .attribute(try Attribute(from: decoder))
      case .relationship: self = .relationship(try Relationship(from: decoder))
      }
    }

    package func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      switch self {
      case .attribute(let attribute):
        try container.encode(Kind.attribute, forKey: .kind)
        try attribute.encode(to: encoder)
      case .relationship(let relationship):
        try container.encode(Kind.relationship, forKey: .kind)
        try relationship.encode(to: encoder)
      }
    }
  }

  package struct Attribute: Sendable, Equatable, Codable {
    package var name: String
    package var originalName: String?
    package var hashModifier: String?
    package var type: TypeForm
    /// A Swift expression on one line.
    package var defaultValue: String?
    /// Options that take no arguments, sorted.
    package var options: [String]
    /// The argument to `.transformable(by:)`.
    package var transformer: String?
    /// `json`, `flattened` or `raw`.
    package var storage: String?
    /// `fail` or `default`.
    package var unknown: String?
    package var isTransient: Bool
    /// True for `let`.
    package var isConstant: Bool
    package var access: String?
    package var setterAccess: String?
    package var documentation: String?
  }

  package struct Relationship: Sendable, Equatable, Codable {
    package var name: String
    package var originalName: String?
    package var hashModifier: String?
    package var destination: String
    package var isToMany: Bool
    package var isOptional: Bool
    /// The destination's property.
    package var inverse: String?
    /// `nullify`, `cascade`, `deny` or `noAction`.
    package var deleteRule: String
    package var denyMessage: String?
    /// Omitted if unbounded.
    package var minimumCount: Int?
    package var maximumCount: Int?
    package var isOrdered: Bool
    package var isUnique: Bool
    package var defaultValue: String?
    package var access: String?
    package var setterAccess: String?
    package var documentation: String?
  }

  // MARK: Values

  package struct Enumeration: Sendable, Equatable, Codable {
    package var name: String
    /// The raw value type.
    package var rawType: String?
    package var access: String?
    package var conformances: [String]
    package var documentation: String?
    package var cases: [Case]
    package var coding: Coding?
  }

  package struct Case: Sendable, Equatable, Codable {
    package var name: String
    package var rawValue: RawValue?
    package var payload: [Payload]
  }

  package struct Payload: Sendable, Equatable, Codable {
    package var label: String?
    package var type: TypeForm
  }

  /// A string, an integer, or an object that contains a different literal's text.
  package enum RawValue: Sendable, Equatable, Codable {
    case string(String)
    case integer(Int64)
    case literal(String)

    private enum Key: String, CodingKey { case literal }

    package init(from decoder: any Decoder) throws {
      if let container = try? decoder.container(keyedBy: Key.self) {
        self = .literal(try container.decode(String.self, forKey: .literal))
      } else if let number = try? decoder.singleValueContainer().decode(Int64.self) {
        self = .integer(number)
      } else {
        self = .string(try decoder.singleValueContainer().decode(String.self))
      }
    }

    package func encode(to encoder: any Encoder) throws {
      switch self {
      case .string(let text):
        var container = encoder.singleValueContainer()
        try container.encode(text)
      case .integer(let number):
        var container = encoder.singleValueContainer()
        try container.encode(number)
      case .literal(let text):
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(text, forKey: .literal)
      }
    }
  }

  package struct Structure: Sendable, Equatable, Codable {
    package var name: String
    package var access: String?
    package var conformances: [String]
    package var documentation: String?
    package var fields: [Field]
    package var coding: Coding?
  }

  package struct Field: Sendable, Equatable, Codable {
    package var name: String
    package var type: TypeForm
    package var defaultValue: String?
    package var isConstant: Bool
  }

  /// The JSON form for stored values, if it differs from Swift's synthesized coding. Contains either `keys` or `code`.
  package struct Coding: Sendable, Equatable, Codable {
    /// The JSON keys by property.
    package var keys: [String: String]?
    /// A digest of custom coding code.
    package var code: String?
  }

  /// A value type: `{"kind": "array", "element": {"kind": "scalar", "name": "Int"}}`.
  package indirect enum TypeForm: Sendable, Equatable, Codable {
    case scalar(String)
    case enumeration(String)
    case structure(String)
    /// A type that the schema does not declare.
    case opaque(String)
    case optional(TypeForm)
    case array(TypeForm)
    case set(TypeForm)
    case dictionary(key: TypeForm, value: TypeForm)

    private enum Key: String, CodingKey { case kind, name, wrapped, element, key, value }

    private enum Kind: String, Codable {
      case scalar
      case enumeration = "enum"
      case structure = "struct"
      case opaque, optional, array, set, dictionary
    }

    package init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      func name() throws -> String { try container.decode(String.self, forKey: .name) }
      func type(_ key: Key) throws -> TypeForm { try container.decode(TypeForm.self, forKey: key) }
      self =
        switch try container.decode(Kind.self, forKey: .kind) {
        case .scalar: .scalar(try name())
        case .enumeration: .enumeration(try name())
        case .structure: .structure(try name())
        case .opaque: .opaque(try name())
        case .optional: .optional(try type(.wrapped))
        case .array: .array(try type(.element))
        case .set: .set(try type(.element))
        case .dictionary: .dictionary(key: try type(.key), value: try type(.value))
        }
    }

    package func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      func write(_ kind: Kind, name: String) throws {
        try container.encode(kind, forKey: .kind)
        try container.encode(name, forKey: .name)
      }
      func write(_ kind: Kind, _ parts: [(Key, TypeForm)]) throws {
        try container.encode(kind, forKey: .kind)
        for (key, type) in parts { try container.encode(type, forKey: key) }
      }
      switch self {
      case .scalar(let name): try write(.scalar, name: name)
      case .enumeration(let name): try write(.enumeration, name: name)
      case .structure(let name): try write(.structure, name: name)
      case .opaque(let name): try write(.opaque, name: name)
      case .optional(let type): try write(.optional, [(.wrapped, type)])
      case .array(let type): try write(.array, [(.element, type)])
      case .set(let type): try write(.set, [(.element, type)])
      case .dictionary(let key, let value): try write(.dictionary, [(.key, key), (.value, value)])
      }
    }
  }
}
