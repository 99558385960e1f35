/// The step of a store that is opened without a plan: one lightweight stage from the schema that the store has recorded to that
/// of the program.
///
/// It adds, renames by `originalName`, fills with default values, and removes what has no values. Everything else is refused.
enum UnplannedStep {
  /// The differences of classes and relationships that need a plan, as far as no row decides about them.
  static func differences(from old: Schema, to new: Schema) -> [String] {
    let origins = SchemaOrigins(old, of: new)
    var found: [String] = []
    for entity in new.entities {
      guard let former = origins.models[entity.name].flatMap({ old.entitiesByName[$0] }) else { continue }
      guard entity.superentityName.map({ origins.models[$0] ?? "" }) == former.superentityName else {
        found.append("'\(entity.name)' has another superclass")
        continue
      }
      for property in entity.properties {
        guard let before = origins.former(property.name, of: entity.name) else { continue }
        let (declarer, owner) = (entity.declarer(of: property.name), former.declarer(of: before.name))
        if origins.models[declarer.name] != owner.name, declarer === entity || owner === former {
          found.append("'\(entity.name).\(property.name)' is declared by another class")
        }
        guard declarer === entity, let own = property.asRelationship, let relationship = before.asRelationship else {
          continue
        }
        found += differences(from: relationship, to: own, title: "\(entity.name).\(property.name)", origins)
      }
    }
    return found
  }

  private static func differences(
    from old: Schema.Relationship, to new: Schema.Relationship, title: String, _ origins: SchemaOrigins
  ) -> [String] {
    guard origins.models[new.destination] == old.destination else {
      return ["'\(title)' refers to '\(new.destination)' now, and to '\(old.destination)' before"]
    }
    // A new inverse, or none, is for the planner, which knows where the values are.
    guard let inverse = new.inverseName, let former = origins.former(inverse, of: new.destination),
      former.name != old.inverseName
    else { return [] }
    return ["'\(title)' has the inverse '\(new.destination).\(inverse)' now, and both had values of their own"]
  }
}

extension StageChanges {
  /// The reasons why a store needs a plan, as far as no row decides about them; to be asked of a step without one.
  var refusals: [String] {
    func isKnown(_ gap: MigrationProblem) -> Bool {
      step.differences.contains { $0.hasPrefix("'\(gap.entity).\(gap.property)' ") }
    }
    let found = step.differences + gaps.filter { !isKnown($0) }.map(\.text) + relocations
    // Moved properties are computed, too.
    return found.isEmpty ? ShapeChange(self).obstacles : found
  }

  /// The relationships whose references are in other tables or columns.
  var relocations: [String] {
    links.map { "'\($0.title)' gets its models from another relationship" }
      + moves.compactMap { move in
        if case .references = move.rows { "the pairs of '\(move.table.name)' were references" } else { nil }
      }
  }

  /// Adds a check for all values that the new version does not have.
  mutating func addLosses() {
    for table in dropped {
      let owner = old.layout.entities.first { $0.table == table.name }?.rootName ?? table.name
      let key = table.columns[0].name
      addLoss("\(name: key) IS NOT NULL", of: owner, "", table.name, key)
    }
    for move in moves {
      guard let source = move.source else { continue }
      if let entityColumn = move.oldEntityColumn, let key = move.keyColumns?.old {
        for gone in old.layout.entities where gone.table == source.name && newName(of: gone.name) == nil {
          addLoss("\(name: entityColumn) = \(literal: gone.name)", of: gone.name, "", source.name, key)
        }
      }
      for column in source.columns where !move.markers.contains(column.name) {
        let isOwn = column.name != move.keyColumns?.old && column.name != move.oldEntityColumn
        guard isOwn, !move.origins.values.contains(where: { $0.mentions(column.name) }) else { continue }
        let place = old.namedColumns.first { $0.table == source.name && $0.column == column.name }
        // The rows of a class that is gone are checked already.
        if let place, newName(of: place.owner) == nil { continue }
        addLoss(
          "\(name: column.name) IS NOT NULL",
          of: place.flatMap { newName(of: $0.owner) } ?? source.name,
          place.map { $0.property + $0.part } ?? column.name, source.name,
          move.keyColumns?.old ?? source.columns[0].name)
      }
    }
  }

  private mutating func addLoss(
    _ condition: SQLFragment, of entity: String, _ property: String, _ table: String, _ key: String
  ) {
    checks.append(
      MigrationProblem(
        entity: entity, property: property,
        reason: "is no longer in the schema, and its \(property.isEmpty ? "rows" : "values") would be lost",
        rows: .init(table: table, key: key, condition: condition), isAboutMissing: false))
  }

  /// The name of an old model in the new version; nil if it is gone.
  private func newName(of model: String) -> String? { entities.first { $0.value.name == model }?.key }
}
