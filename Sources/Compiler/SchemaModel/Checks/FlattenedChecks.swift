import SchemaDiagnostics

/// Checks `.flattened` properties against the structs once all types are resolved.
final class FlattenedChecks {
  private let schema: ResolvedSchema
  private let suggestions: Suggestions
  private let entities: [String: Int]
  private let structs: [String: Int]
  /// Attribute and field positions by name, cached per entity and struct.
  private var attributes: [Int: [String: Int]] = [:]
  private var fields: [Int: [String: Int]] = [:]
  private var diagnostics: [Diagnostic] = []

  static func check(_ schema: ResolvedSchema, _ suggestions: Suggestions) -> [Diagnostic] {
    guard schema.entities.contains(where: isConcerned) else { return [] }
    let checks = FlattenedChecks(schema, suggestions)
    for index in schema.entities.indices where isConcerned(schema.entities[index]) { checks.check(index) }
    return checks.diagnostics
  }

  private static func isConcerned(_ entity: ResolvedEntity) -> Bool {
    for case .attribute(let attribute) in entity.properties where attribute.storage == .flattened { return true }
    return entity.uniques.contains { $0.properties.contains(where: isPath) }
      || entity.indexes.contains { $0.properties.contains(where: isPath) }
  }

  private static func isPath(_ name: String) -> Bool { name.utf8.contains(UInt8(ascii: ".")) }

  private init(_ schema: ResolvedSchema, _ suggestions: Suggestions) {
    self.schema = schema
    self.suggestions = suggestions
    entities = schema.entities.positions(by: \.name)
    structs = schema.structs.positions(by: \.name)
  }

  private func check(_ index: Int) {
    let entity = schema.entities[index]
    for case .attribute(let attribute) in entity.properties where attribute.storage == .flattened {
      guard case .structure(let name) = attribute.type.unwrapped, let place = structs[name] else { continue }
      let type = schema.structs[place]
      if let reason = Self.obstacle(type) { diagnostics.append(.flattening(attribute, type, reason)) }
      if attribute.options.contains(.unique) { diagnostics.append(.uniqueStruct(attribute)) }
    }
    for unique in entity.uniques { check(unique.properties, of: index, unique.range) }
    for other in entity.indexes { check(other.properties, of: index, other.range) }
  }

  private static func obstacle(_ type: ResolvedStruct) -> String? {
    if type.fields.isEmpty { return "has no properties to store" }
    if !type.isMemberwise {
      return "has a custom initializer or private properties, so it cannot be created from its fields"
    }
    let opaque = type.fields.first { field in !field.type.isKnown }
    return opaque.map { "has a property '\($0.name)' whose type is not declared in the schema" }
  }

  private func check(_ paths: [String], of entity: Int, _ range: SourceRange) {
    for path in paths where Self.isPath(path) {
      if let problem = problem(path, of: entity, range) { diagnostics.append(problem) }
    }
  }

  /// Checks the field name in a path into a struct.
  private func problem(_ path: String, of entity: Int, _ range: SourceRange) -> Diagnostic? {
    let parts = path.parts(separatedBy: ".")
    guard parts.count == 2 else { return nil }
    var current: Int? = entity
    var steps = 0
    while let candidate = current, steps < ResolvedSchema.maximumDepth {
      if let attribute = attribute(parts[0], of: candidate) {
        guard case .structure(let name) = attribute.type.unwrapped, let place = structs[name] else { return nil }
        guard let field = field(parts[1], of: place) else {
          let type = schema.structs[place]
          return .unknownField(
            parts[1], type, suggestions.nearest(to: parts[1], in: type.fields.map(\.name)), range)
        }
        return field.type.unwrapped.isCollection ? .collectionField(path, range) : nil
      }
      current = schema.entities[candidate].superentity.flatMap { entities[$0] }
      steps += 1
    }
    return nil
  }

  private func attribute(_ name: String, of entity: Int) -> ResolvedAttribute? {
    let properties = schema.entities[entity].properties
    if attributes[entity] == nil {
      attributes[entity] = Dictionary(
        firstOf: properties.indices.compactMap { place in
          if case .attribute(let attribute) = properties[place] { (attribute.name, place) } else { nil }
        })
    }
    guard let place = attributes[entity]?[name], case .attribute(let found) = properties[place] else { return nil }
    return found
  }

  private func field(_ name: String, of structure: Int) -> ResolvedStruct.Field? {
    let all = schema.structs[structure].fields
    if fields[structure] == nil {
      fields[structure] = all.positions(by: \.name)
    }
    return fields[structure]?[name].map { all[$0] }
  }
}

extension ValueType {
  fileprivate var isCollection: Bool {
    switch self {
    case .array, .set, .dictionary: true
    default: false
    }
  }

  fileprivate var isKnown: Bool {
    switch self {
    case .opaque: false
    case .optional(let type), .array(let type), .set(let type): type.isKnown
    case .dictionary(let key, let value): key.isKnown && value.isKnown
    case .scalar, .enumeration, .structure: true
    }
  }
}

extension Diagnostic {
  fileprivate static func flattening(
    _ attribute: ResolvedAttribute, _ type: ResolvedStruct, _ reason: String
  ) -> Self {
    Self(
      .optionNotApplicable, at: attribute.range,
      "'\(attribute.name)' cannot be '.flattened': '\(type.name)' \(reason)",
      related: [.init(type.range, "'\(type.name)' is declared here")],
      help: "store it as '.json'")
  }

  fileprivate static func uniqueStruct(_ attribute: ResolvedAttribute) -> Self {
    Self(
      .conflictingOptions, at: attribute.range,
      "'.flattened' property '\(attribute.name)' has several columns and cannot be '.unique'",
      help: "list the unique properties: '#Unique<…>([\\.\(attribute.name).…])'")
  }

  fileprivate static func unknownField(
    _ name: String, _ type: ResolvedStruct, _ nearest: String?, _ range: SourceRange
  ) -> Self {
    Self(
      .unresolvedReference, at: range, "'\(type.name)' has no property '\(name)'",
      help: nearest.map { "did you mean '\($0)'?" })
  }

  fileprivate static func collectionField(_ path: String, _ range: SourceRange) -> Self {
    Self(
      .collectionAttributeQueried, at: range, "'\(path)' is a collection and cannot be indexed")
  }
}
