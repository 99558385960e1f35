import SchemaDiagnostics
import SchemaModel
import SchemaVersions

/// The released versions of a schema, as far as they are generated: what rows have, without the code
/// that stood around it.
struct ReleasedPlans {
  let history: SchemaHistory
  /// Oldest first, without the head.
  let plans: [SchemaPlan]

  init(_ history: SchemaHistory, _ input: EmissionInput, lines: [LineTable]) {
    self.history = history
    plans = history.older.map { version in
      SchemaPlan(version, input, lines: lines, shared: Self.shared(by: version, history.head))
    }
  }

  /// The value types that are the same in both versions, and everything in them too.
  private static func shared(by version: ResolvedSchema, _ head: ResolvedSchema) -> Set<String> {
    let enums = Dictionary(head.enums.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let structs = Dictionary(
      head.structs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var parts: [String: Set<String>] = [:]
    for type in version.enums where enums[type.name].map(type.isSame) ?? false {
      parts[type.name] = Set(type.cases.flatMap(\.payload).flatMap(\.type.declaredTypes))
    }
    for type in version.structs where structs[type.name].map(type.isSame) ?? false {
      parts[type.name] = Set(type.fields.flatMap(\.type.declaredTypes))
    }
    var count = -1
    while count != parts.count {
      count = parts.count
      for (name, inside) in parts where inside.contains(where: { parts[$0] == nil }) {
        parts[name] = nil
      }
    }
    return Set(parts.keys)
  }
}

extension ResolvedEnum {
  fileprivate func isSame(_ other: Self) -> Bool {
    rawType == other.rawType && cases == other.cases && conformances == other.conformances
  }
}

extension ResolvedStruct {
  fileprivate func isSame(_ other: Self) -> Bool {
    conformances == other.conformances
      && fields.map(\.name) == other.fields.map(\.name)
      && fields.map(\.type) == other.fields.map(\.type)
      && fields.map(\.isLet) == other.fields.map(\.isLet)
  }
}

extension ResolvedSchema {
  /// Functions, initialisers and transient properties may need what the program no longer has.
  var withoutCode: ResolvedSchema {
    var schema = self
    for index in schema.entities.indices {
      var entity = schema.entities[index]
      entity.carriedMembers = []
      entity.carriedInitializers = []
      entity.conformances = []
      entity.documentation = []
      entity.properties = entity.properties.filter { property in
        guard case .attribute(let attribute) = property else { return true }
        return !attribute.isTransient
      }
      schema.entities[index] = entity
    }
    return schema
  }
}
