import SchemaModel
import SchemaVersions

/// The Swift names for a schema's types in a module.
struct TypeNames {
  let module: String
  /// The types that enclose a released version's declarations; empty for the head.
  let scope: [String]
  /// The scopes for value types that a released version shares with a later version.
  let homes: [String: [String]]

  init(_ schema: ResolvedSchema, of history: SchemaHistory, module: String) {
    let head = history.head.version
    self.module = module
    scope = schema.version == head ? [] : Self.scope(of: schema)
    homes =
      schema.version == head
      ? schema.homes : history.typeHomes(of: schema).mapValues { $0.version == head ? [] : Self.scope(of: $0) }
  }

  private static func scope(of schema: ResolvedSchema) -> [String] {
    let version = schema.version
    return [schema.name + "Schema", "V\(version.major)_\(version.minor)_\(version.patch)"]
  }

  func own(_ name: String) -> String {
    ([module] + (homes[name] ?? scope) + [name]).joined(separator: ".")
  }

  func name(_ type: ValueType) -> String {
    switch type {
    case .scalar(let scalar): String(reflecting: scalar.type)
    case .enumeration(let name), .structure(let name): own(name)
    // An unknown type's scope is not known, and the store fingerprint does not contain it.
    case .opaque(let text): text.contains(".") ? text : "\(module).\(text)"
    case .optional(let wrapped): Self.optional(name(wrapped))
    case .array(let element): Self.array(name(element))
    case .set(let element): "Swift.Set<\(name(element))>"
    case .dictionary(let key, let value): "Swift.Dictionary<\(name(key)), \(name(value))>"
    }
  }

  static func optional(_ name: String) -> String { "Swift.Optional<\(name)>" }
  static func array(_ name: String) -> String { "Swift.Array<\(name)>" }
}
