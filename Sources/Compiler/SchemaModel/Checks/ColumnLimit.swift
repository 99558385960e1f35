import SchemaDiagnostics

/// Counts the columns that a model hierarchy's shared table needs.
struct ColumnLimit {
  /// SQLite's default column limit.
  static let maximum = 2000

  static func check(_ schema: ResolvedSchema) -> [Diagnostic] {
    // Counts only if the limit is within reach, assuming that every property is a struct with the largest number of
    // fields.
    let properties = schema.entities.reduce(0) { $0 + $1.properties.count }
    let fields = schema.structs.map(\.fields.count).max() ?? 0
    guard properties * max(fields + 1, 2) > maximum - 2 else { return [] }
    let indices = schema.entities.positions(by: \.name)
    let roots = schema.entities.indices.map { root(of: $0, in: schema, indices) }
    let structs = Dictionary(firstOf: schema.structs.map { ($0.name, $0.fields.count) })
    // The row key, plus a class column if there are subclasses.
    var counts = schema.entities.map { _ in 1 }
    for (index, root) in roots.enumerated() where root != index { counts[root] = 2 }
    for (index, entity) in schema.entities.enumerated() {
      for property in entity.properties {
        switch property {
        case .attribute(let attribute): counts[roots[index]] += columns(of: attribute, structs)
        case .relationship(let relationship):
          switch relationship.cardinality {
          case .toOne: counts[roots[index]] += 1
          case .toMany:
            // The list position is stored in the member's row, next to the reference to the owner.
            guard relationship.isOrdered, let member = indices[relationship.destination],
              case .property(let name) = relationship.inverse, isReference(name, of: member, in: schema, indices)
            else { continue }
            counts[roots[member]] += 1
          }
        }
      }
    }
    return schema.entities.indices.filter { counts[$0] > maximum }.map {
      .tooManyColumns(schema.entities[$0], counts[$0])
    }
  }

  private static func columns(of attribute: ResolvedAttribute, _ structs: [String: Int]) -> Int {
    if attribute.isTransient || attribute.options.contains(.ephemeral) { return 0 }
    guard attribute.storage == .flattened, case .structure(let name) = attribute.type.unwrapped else { return 1 }
    // An optional struct has an additional column that records whether a value is present.
    let isOptional = if case .optional = attribute.type { 1 } else { 0 }
    return (structs[name] ?? 1) + isOptional
  }

  private static func root(of index: Int, in schema: ResolvedSchema, _ indices: [String: Int]) -> Int {
    var root = index
    var steps = 0
    while let name = schema.entities[root].superentity, let above = indices[name], steps < ResolvedSchema.maximumDepth {
      root = above
      steps += 1
    }
    return root
  }

  private static func isReference(
    _ name: String, of entity: Int, in schema: ResolvedSchema, _ indices: [String: Int]
  ) -> Bool {
    var current: Int? = entity
    var steps = 0
    while let index = current, steps <= ResolvedSchema.maximumDepth {
      for case .relationship(let relationship) in schema.entities[index].properties where relationship.name == name {
        if case .toOne = relationship.cardinality { return true }
        return false
      }
      current = schema.entities[index].superentity.flatMap { indices[$0] }
      steps += 1
    }
    return false
  }
}

extension Diagnostic {
  fileprivate static func tooManyColumns(_ entity: ResolvedEntity, _ count: Int) -> Self {
    Self(
      .tooManyColumns, at: entity.range,
      "the table for '\(entity.name)' and its subclasses needs \(count) columns, "
        + "but SQLite allows \(ColumnLimit.maximum)",
      help: "move properties to a related model, or into a struct that is stored as a whole")
  }
}
