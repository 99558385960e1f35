/// The migration step for a store opened with no plan: a single lightweight stage from the recorded schema to the
/// app's schema.
///
/// It adds declarations, applies `originalName`, fills in default values, and removes empty columns and tables. All
/// other changes are rejected.
enum UnplannedStep {
  /// Returns class and relationship differences that require a plan regardless of the stored rows.
  static func differences(from old: Schema, to new: Schema) -> [String] {
    let origins = SchemaOrigins(old, of: new)
    var found: [String] = []
    for entity in new.entities {
      guard let former = origins.models[entity.name].flatMap({ old.entitiesByName[$0] }) else { continue }
      guard entity.superentityName.map({ origins.models[$0] ?? "" }) == former.superentityName else {
        found.append("'\(entity.name)' has a different superclass")
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
      return ["'\(title)' now refers to '\(new.destination)' instead of '\(old.destination)'"]
    }
    // A new or removed inverse is left to ``StageChanges``, which can locate the values.
    guard let inverse = new.inverseName, let former = origins.former(inverse, of: new.destination),
      former.name != old.inverseName
    else { return [] }
    return ["'\(title)' is now the inverse of '\(new.destination).\(inverse)', but both had separate values before"]
  }
}

extension StageChanges {
  /// Why the store requires a plan regardless of its rows. Use only for an unplanned step.
  var refusals: [String] {
    func isKnown(_ gap: MigrationProblem) -> Bool {
      step.differences.contains { $0.hasPrefix("'\(gap.entity).\(gap.property)' ") }
    }
    let found = step.differences + gaps.filter { !isKnown($0) }.map(\.text) + relocations
    // A ``ShapeChange`` would also report moved properties, as computed values.
    return found.isEmpty ? ShapeChange(self).obstacles : found
  }

  /// Relationships with references that move to different tables or columns.
  var relocations: [String] {
    links.map { "'\($0.title)' gets its models from another relationship" }
      + moves.compactMap { move in
        if case .references = move.rows { "the pairs in '\(move.table.name)' were references before" } else { nil }
      }
  }

  /// Adds checks for all values that the new version drops.
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
        // Rows of a removed class are already checked.
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

  /// Returns an old model's new name; `nil` if it was removed.
  private func newName(of model: String) -> String? { entities.first { $0.value.name == model }?.key }
}
