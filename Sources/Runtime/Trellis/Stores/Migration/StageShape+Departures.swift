/// References to rows that are no longer of the class the reference is to: their class has another
/// superclass now, or the reference another class.
extension StageShape {
  /// References in the new tables that cannot stay.
  struct Departure {
    let table: String
    let column: String
    /// Whether the table has pairs, which go as a whole.
    let isPair: Bool
    /// The rows they lead to: a table, its key, and the column with the class where it has several.
    let target: String
    let key: String
    let entityColumn: String?
    let classes: [String]
  }

  /// - Parameter accepted: the properties, as `Model.property`, whose references may go.
  mutating func addDepartures(filling fills: Set<String>, accepting accepted: Set<String>) {
    var seen = Set<String>()
    for entity in new.layout.entities {
      let names = new.layout.entities.filter { entity.definition.isKind(of: $0.definition) }.map(\.name)
      let settled = { (names: [String], list: Set<String>, property: String) in
        names.contains { list.contains("\($0).\(property)") }
      }
      for column in entity.columns {
        guard let destination = column.destination, !settled(names, fills, column.property.name)
        else { continue }
        let isRequired = new.tables.first { $0.name == entity.table }?.column(named: column.name)?.isRequired
        let mayGo = settled(names, accepted, column.property.name) && isRequired != true
        guard seen.insert("\(entity.table).\(column.name)").inserted else { continue }
        depart(column.property, of: entity, to: destination, entity.table, column.name, isPair: false, mayGo)
      }
      for list in entity.lists {
        guard case .join(let table, let owner, let member, _) = list.kind,
          seen.insert("\(table).\(member)").inserted
        else { continue }
        let mayGo = settled(names, accepted, list.property.name)
        depart(list.property, of: entity, to: list.destination, table, member, isPair: true, mayGo)
        departOwners(of: list.property, entity, table, owner)
      }
    }
  }

  private mutating func depart(
    _ property: ModelProperty, of entity: EntityLayout, to destination: String, _ table: String,
    _ column: String, isPair: Bool, _ mayGo: Bool
  ) {
    guard let former = formerProperty(of: property, in: entity), former.kind.isToMany == property.kind.isToMany
        || isPair,
      let pairs = pairs(of: former, in: entity, to: destination),
      let origin = former.kind.destination?._$definition.entityName,
      let before = old.layout.entity(named: origin), let after = new.layout.entity(named: destination)
    else { return }
    let gone = new.layout.entities.filter { candidate in
      guard let was = entities[candidate.name] else { return false }
      return was.definition.isKind(of: before.definition) && !candidate.definition.isKind(of: after.definition)
    }
    guard !gone.isEmpty else { return }
    if !mayGo {
      let classes = gone.compactMap { entities[$0.name]?.name }.map { "\(literal: $0)" as SQLFragment }
      var rows: SQLFragment = "SELECT \(name: before.keyColumn) FROM \(name: before.table)"
      if !before.discriminators.isEmpty {
        rows += " WHERE \(name: before.entityColumn) IN (\(classes.joined(separator: ", ")))"
      }
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
    // Those of other tables are not found any more, and go with what leads nowhere.
    let here = gone.filter { $0.table == after.table }.map(\.name)
    guard !here.isEmpty else { return }
    departures.append(
      Departure(
        table: table, column: column, isPair: isPair, target: after.table, key: after.keyColumn,
        entityColumn: after.discriminators.isEmpty ? nil : after.entityColumn, classes: here))
  }

  /// Pairs of rows whose class does not have the list any more.
  private mutating func departOwners(
    of property: ModelProperty, _ entity: EntityLayout, _ table: String, _ owner: String
  ) {
    guard let former = formerProperty(of: property, in: entity), let was = entities[entity.name],
      was.lists.indices ~= former.slot
    else { return }
    let gone = new.layout.entities.filter { candidate in
      guard candidate.table == entity.table, let was = entities[candidate.name],
        was.definition.layout.property(named: former.name)?.slot == former.slot
      else { return false }
      return !candidate.lists.contains { list in
        if case .join(table, owner, _, _) = list.kind { true } else { false }
      }
    }
    guard !gone.isEmpty, !entity.discriminators.isEmpty else { return }
    departures.append(
      Departure(
        table: table, column: owner, isPair: true, target: entity.table, key: entity.keyColumn,
        entityColumn: entity.entityColumn, classes: gone.map(\.name)))
  }
}

extension StagePass {
  /// Takes away what refers to rows of other classes.
  func depart(_ departure: StageShape.Departure) throws {
    var rows: SQLFragment = "SELECT \(name: departure.key) FROM \(name: departure.target)"
    if let column = departure.entityColumn {
      let classes = departure.classes.map { "\(literal: $0)" as SQLFragment }.joined(separator: ", ")
      rows += " WHERE \(name: column) IN (\(classes))"
    }
    try connection.execute(
      departure.isPair
        ? "DELETE FROM \(name: departure.table) WHERE \(name: departure.column) IN (\(rows))"
        : """
        UPDATE \(name: departure.table) SET \(name: departure.column) = NULL
        WHERE \(name: departure.column) IN (\(rows))
        """)
  }
}
