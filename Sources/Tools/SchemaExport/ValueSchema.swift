import SchemaDiagnostics
package import SchemaFacts
package import SchemaModel

/// JSON Schema for property values stored as JSON: collections, structs, and enums that have no raw values.
///
/// Values have the form of Swift's synthesized `Codable`; dates are seconds since 2001. Types with custom coding code,
/// and types declared outside the schema, accept any value.
package struct ValueSchema {
  private let enums: [String: ResolvedEnum]
  private let structs: [String: ResolvedStruct]
  private let schema: ResolvedSchema

  package init(_ schema: ResolvedSchema) {
    self.schema = schema
    enums = schema.enums.keyed(by: \.name)
    structs = schema.structs.keyed(by: \.name)
  }

  /// Schemas by type name, for the types in `roots` and all types that they contain.
  package func definitions(for roots: [ValueType]) -> [String: JSONNode] {
    var found: [String: JSONNode] = [:]
    var waiting = roots.flatMap(\.declaredTypes)
    while let name = waiting.popLast() {
      guard found[name] == nil else { continue }
      if let type = enums[name] {
        found[name] = node(of: type)
        waiting += type.cases.flatMap(\.payload).flatMap(\.type.declaredTypes)
      } else if let type = structs[name] {
        found[name] = node(of: type)
        waiting += type.fields.flatMap(\.type.declaredTypes)
      }
    }
    return found
  }

  /// Returns a type's schema. Declared types become references to `$defs`.
  package func node(of type: ValueType) -> JSONNode {
    switch type {
    case .scalar(let scalar): Self.node(of: scalar)
    case .enumeration(let name), .structure(let name): ["$ref": .string("#/$defs/\(Self.pointer(name))")]
    case .opaque: true
    case .optional(let type): node(of: type).orNull
    case .array(let element): ["type": "array", "items": node(of: element)]
    case .set(let element): ["type": "array", "items": node(of: element), "uniqueItems": true]
    case .dictionary(.scalar(.string), let value), .dictionary(.scalar(.int), let value):
      ["type": "object", "additionalProperties": node(of: value)]
    // With any other key type, keys and values alternate in an array.
    case .dictionary: true
    }
  }

  private func node(of type: ResolvedEnum) -> JSONNode {
    var node: JSONNode
    if type.coding != nil {
      node = [:]
    } else if let raw = type.rawType {
      node = Self.rawValues(type).map { ["enum": .array($0)] } ?? Self.node(of: raw)
    } else {
      let cases: [JSONNode] = type.cases.map { one in
        let values = one.payload.enumerated().map { index, field in
          (field.label ?? "_\(index)", self.node(of: field.type), field.type)
        }
        let payload = Self.object(values.map { ($0, $1, isRequired: $2.unwrapped == $2) })
        return Self.object([(one.name, payload, isRequired: true)])
      }
      node = ["oneOf": .array(cases)]
    }
    return described(node, type.documentation)
  }

  private func node(of type: ResolvedStruct) -> JSONNode {
    var node: JSONNode = [:]
    if type.hasRawValue {
      let raw = type.fields.first { $0.name == "rawValue" }
      if type.coding == nil, let raw { node = self.node(of: raw.type) }
    } else {
      switch type.coding {
      case .code: break
      case .names, nil:
        let fields = type.parameters.compactMap { field in
          type.coding.name(of: field.name).map { key -> (key: String, node: JSONNode, isRequired: Bool) in
            // Rows written before a property was added lack the key.
            let isRequired = field.defaultValue == nil && field.type.unwrapped == field.type
            return (key, self.node(of: field.type), isRequired: isRequired)
          }
        }
        node = Self.object(fields)
      }
    }
    return described(node, type.documentation)
  }

  private func described(_ node: JSONNode, _ documentation: [String]) -> JSONNode {
    documentation.isEmpty ? node : node.adding(["description": .string(documentation.joined(separator: "\n"))])
  }

  /// The raw values, or `nil` if any is neither a string nor an integer.
  package static func rawValues(_ type: ResolvedEnum) -> [JSONNode]? {
    let values = type.cases.compactMap { one -> JSONNode? in
      switch one.rawValue {
      case .string(let text): .string(text)
      case .integer(let number): .integer(number)
      case .other, nil: nil
      }
    }
    return values.count == type.cases.count ? values : nil
  }

  /// Returns the schema for an object with exactly these keys.
  package static func object(_ values: [(key: String, node: JSONNode, isRequired: Bool)]) -> JSONNode {
    [
      "type": "object", "additionalProperties": false,
      "properties": .object(Dictionary(values.map { ($0.key, $0.node) }, uniquingKeysWith: { first, _ in first })),
      "required": .array(values.filter(\.isRequired).map { .string($0.key) }),
    ]
  }

  /// Escapes a name for a JSON pointer.
  package static func pointer(_ name: String) -> String {
    name.replacing("~", with: "~0").replacing("/", with: "~1")
  }

  private static func node(of scalar: ScalarType) -> JSONNode {
    switch scalar {
    case .bool: ["type": "boolean"]
    case .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64: integer(scalar)
    case .float, .double, .date: floating
    case .decimal: ["type": "number"]
    case .string, .character, .url: ["type": "string"]
    case .uuid: ["type": "string", "format": "uuid"]
    case .data: ["type": "string", "contentEncoding": "base64"]
    case .duration: ["type": "array", "items": ["type": "integer"], "minItems": 2, "maxItems": 2]
    }
  }

  /// A number, or text for a value that JSON numbers cannot represent.
  package static let floating: JSONNode = ["anyOf": [["type": "number"], ["enum": ["NaN", "Infinity", "-Infinity"]]]]

  /// Returns an integer type's schema, including the bounds.
  package static func integer(_ scalar: ScalarType) -> JSONNode {
    let node: JSONNode = ["type": "integer"]
    guard let (isSigned, bits) = scalar.integer else { return node }
    guard isSigned else {
      let positive = node.adding(["minimum": 0])
      return bits < 64 ? positive.adding(["maximum": .integer((1 << bits) - 1)]) : positive
    }
    guard bits < 64 else { return node }
    return node.adding(["minimum": .integer(-(1 << (bits - 1))), "maximum": .integer((1 << (bits - 1)) - 1)])
  }
}
