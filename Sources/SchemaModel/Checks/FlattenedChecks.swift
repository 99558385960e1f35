import SchemaDiagnostics

/// Holds `.flattened` properties against the structs they are of, once all types are known.
enum FlattenedChecks {
  static func check(_ schema: ResolvedSchema) -> [Diagnostic] {
    let structs = Dictionary(
      schema.structs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let entities = Dictionary(
      schema.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return schema.entities.flatMap { entity -> [Diagnostic] in
      var diagnostics: [Diagnostic] = []
      for case .attribute(let attribute) in entity.properties where attribute.storage == .flattened {
        guard case .structure(let name) = attribute.type.unwrapped, let type = structs[name] else {
          continue
        }
        if let reason = obstacle(type) {
          diagnostics.append(.flattening(attribute, type, reason))
        }
        if attribute.options.contains(.unique) {
          diagnostics.append(.uniqueStruct(attribute))
        }
      }
      let lists =
        entity.uniques.map { ($0.properties, $0.range) }
        + entity.indexes.map { ($0.properties, $0.range) }
      for (paths, range) in lists {
        for path in paths {
          if let problem = check(path, of: entity, entities, structs, range) {
            diagnostics.append(problem)
          }
        }
      }
      return diagnostics
    }
  }

  private static func obstacle(_ type: ResolvedStruct) -> String? {
    if type.fields.isEmpty { return "has no property to store" }
    if !type.isMemberwise {
      return "has an initialiser of its own or private properties, so its parts cannot be put together"
    }
    let opaque = type.fields.first { field in !field.type.isKnown }
    return opaque.map { "has the property '\($0.name)' of a type the schema does not declare" }
  }

  /// The second name of a path into a struct.
  private static func check(
    _ path: String, of entity: ResolvedEntity, _ entities: [String: ResolvedEntity],
    _ structs: [String: ResolvedStruct], _ range: SourceRange
  ) -> Diagnostic? {
    let parts = path.split(separator: ".").map(String.init)
    guard parts.count == 2 else { return nil }
    var current: ResolvedEntity? = entity
    var steps = 0
    while let candidate = current, steps < EntityLinker.maximumDepth {
      for case .attribute(let attribute) in candidate.properties where attribute.name == parts[0] {
        guard case .structure(let name) = attribute.type.unwrapped, let type = structs[name] else {
          return nil
        }
        guard let field = type.fields.first(where: { $0.name == parts[1] }) else {
          return .unknownField(parts[1], type, range)
        }
        return field.type.unwrapped.isCollection ? .collectionField(path, range) : nil
      }
      current = candidate.superentity.flatMap { entities[$0] }
      steps += 1
    }
    return nil
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
      help: "name the properties that count: '#Unique<…>([\\.\(attribute.name).…])'")
  }

  fileprivate static func unknownField(
    _ name: String, _ type: ResolvedStruct, _ range: SourceRange
  ) -> Self {
    let nearest = NearestName.find(name, in: type.fields.map(\.name))
    return Self(
      .unresolvedReference, at: range, "'\(type.name)' has no property '\(name)'",
      help: nearest.map { "did you mean '\($0)'?" })
  }

  fileprivate static func collectionField(_ path: String, _ range: SourceRange) -> Self {
    Self(
      .collectionAttributeQueried, at: range, "'\(path)' is a collection and cannot be indexed")
  }
}
