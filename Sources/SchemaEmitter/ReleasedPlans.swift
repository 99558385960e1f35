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
      SchemaPlan(version, of: history, input, lines: lines)
    }
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
