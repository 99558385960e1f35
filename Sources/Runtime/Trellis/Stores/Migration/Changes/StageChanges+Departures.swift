/// References to rows that have another class in the new version: the class of the rows has another superclass, or the
/// reference has another destination.
extension StageChanges {
  mutating func addDepartures() {
    var seen = Set<String>()
    for entity in new.layout.entities {
      let names = new.layout.entities.filter { entity.definition.isKind(of: $0.definition) }.map(\.name)
      for column in entity.columns {
        let property = column.property.name
        guard let destination = column.destination, !names.contains(where: { fills.contains("\($0).\(property)") }),
          seen.insert("\(entity.table).\(column.name)").inserted
        else { continue }
        let mayGo =
          names.contains { accepted.contains("\($0).\(property)") }
          && !new.isRequired(column.name, in: entity.table)
        addDeparture(column.property, of: entity, to: destination, entity.table, column.name, isPair: false, mayGo)
      }
      for list in entity.lists {
        guard case .join(let table, let owner, let member, _) = list.kind, seen.insert("\(table).\(member)").inserted
        else { continue }
        let mayGo = names.contains { accepted.contains("\($0).\(list.property.name)") }
        addDeparture(list.property, of: entity, to: list.destination, table, member, isPair: true, mayGo)
        addDepartedOwners(of: list.property, entity, table, owner)
      }
    }
  }

  private mutating func addDeparture(
    _ property: ModelProperty, of entity: EntityLayout, to destination: String, _ table: String,
    _ column: String, isPair: Bool, _ mayGo: Bool
  ) {
    guard let former = formerProperty(of: property, in: entity),
      former.kind.isToMany == property.kind.isToMany || isPair,
      let pairs = pairs(of: property, in: entity, to: destination),
      let origin = former.kind.destination?._$definition.entityName,
      let before = old.layout.entity(named: origin), let after = new.layout.entity(named: destination)
    else { return }
    let gone = new.layout.entities.filter { candidate in
      guard let old = entities[candidate.name] else { return false }
      return old.definition.isKind(of: before.definition) && !candidate.definition.isKind(of: after.definition)
    }
    guard !gone.isEmpty else { return }
    if !mayGo {
      let rows = before.keys(ofClasses: gone.compactMap { entities[$0.name]?.name })
      checks.append(
        MigrationCheck(
          entity: entity.name, property: property.name, table: pairs.table, keyColumn: pairs.row,
          condition: "\(name: pairs.row) IS NOT NULL AND \(name: pairs.value) IN (\(rows))",
          reason: "refers to models that are no '\(destination)' in the new version "
            + "(\(gone.map { "'\($0.name)'" }.joined(separator: ", "))): give it others in a custom step, or "
            + "let these references go with '.accept([\"\(entity.name).\(property.name)\"])' where it may be "
            + "without",
          isAboutMissing: true))
    }
    // Rows of other tables are gone, and references to them are removed as references to no row.
    let here = gone.filter { $0.table == after.table }
    if !here.isEmpty { remove(column, of: table, isPair: isPair, to: after, here) }
  }

  /// Removes the pairs of owners whose class does not have the list any more.
  private mutating func addDepartedOwners(
    of property: ModelProperty, _ entity: EntityLayout, _ table: String, _ owner: String
  ) {
    guard let former = formerList(of: property, in: entity) else { return }
    let gone = new.layout.entities.filter { candidate in
      guard candidate.table == entity.table,
        entities[candidate.name]?.definition.layout.property(named: former.property.name)?.slot == former.slot
      else { return false }
      return !candidate.lists.contains { list in
        if case .join(table, owner, _, _) = list.kind { true } else { false }
      }
    }
    if !gone.isEmpty, !entity.discriminators.isEmpty { remove(owner, of: table, isPair: true, to: entity, gone) }
  }

  /// - Parameter isPair: true for a table of pairs, whose rows are deleted; other references become NULL.
  private mutating func remove(
    _ column: String, of table: String, isPair: Bool, to target: EntityLayout, _ classes: [EntityLayout]
  ) {
    let condition: SQLFragment = "\(name: column) IN (\(target.keys(ofClasses: classes.map(\.name))))"
    departures.append(
      isPair
        ? "DELETE FROM \(name: table) WHERE \(condition)"
        : "UPDATE \(name: table) SET \(name: column) = NULL WHERE \(condition)")
  }
}

extension EntityLayout {
  /// A statement for the keys of the rows of some classes of the table.
  fileprivate func keys(ofClasses classes: [String]) -> SQLFragment {
    let keys: SQLFragment = "SELECT \(name: keyColumn) FROM \(name: table)"
    return discriminators.isEmpty ? keys : "\(keys) WHERE \(name: entityColumn) IN (\(literals: classes))"
  }
}
