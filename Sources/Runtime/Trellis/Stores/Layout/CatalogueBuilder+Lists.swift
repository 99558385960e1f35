/// Where the members of to-many relationships are kept.
extension CatalogueBuilder {
  /// Makes the tables of pairs for the lists an entity declares.
  mutating func addJoins(of entity: Schema.Entity) throws {
    for list in relationships[entity.name]?.own ?? [] where list.isToMany {
      guard let destination = schema.entitiesByName[list.destination] else {
        throw missingDestination(list, in: entity)
      }
      let inverse = list.inverseName.flatMap { relationships[list.destination]?.byName[$0] }
      if let inverse, inverse.isToOneRelationship {
        if list.isOrdered { addOrderColumn(list, in: entity, inverse, destination) }
      } else if !isCalledAfter(inverse, in: destination, not: list, in: entity) {
        addJoin(list, in: entity, inverse, destination)
      }
    }
  }

  /// Whether the store calls the table of pairs after the other list, today or before it was renamed.
  private func isCalledAfter(
    _ inverse: Schema.Relationship?, in destination: Schema.Entity, not list: Schema.Relationship,
    in entity: Schema.Entity
  ) -> Bool {
    guard let inverse, !known.isEmpty else { return false }
    func names(_ list: Schema.Relationship, _ entity: Schema.Entity) -> [String] {
      let former = (entity.originalName.nonEmpty ?? entity.name, list.originalName.nonEmpty ?? list.name)
      return ["\(entity.name)_\(list.name)", "\(former.0)_\(former.1)"]
    }
    return names(inverse, declarer(of: inverse.name, in: destination)).contains(where: known.contains)
      && !names(list, entity).contains(where: known.contains)
  }

  private mutating func addOrderColumn(
    _ list: Schema.Relationship, in entity: Schema.Entity, _ inverse: Schema.Relationship,
    _ destination: Schema.Entity
  ) {
    guard let members = entities[destination.name] else { return }
    let hierarchy = members.hierarchy
    let column = members.column(of: inverse.name)
    let name = claim("\(column)_position", for: "\(entity.name).\(list.name) position", in: hierarchy)
    hierarchy.columns.append(ColumnDefinition(name: name, type: .integer))
    let named = NamedColumn(
      owner: entity.name, property: list.name, part: " position", table: hierarchy.table, column: name)
    hierarchy.names.append(named)
    orderColumns["\(entity.name).\(list.name)"] = name
  }

  private mutating func addJoin(
    _ list: Schema.Relationship, in entity: Schema.Entity, _ inverse: Schema.Relationship?,
    _ destination: Schema.Entity
  ) {
    let key = "\(entity.name).\(list.name)"
    guard joins[key] == nil, let owners = entities[entity.name]?.hierarchy,
      let members = entities[destination.name]?.hierarchy
    else { return }
    var names = NameScope()
    let table = tableNames.claim("\(entity.name)_\(list.name)")
    let owner = names.claim(entity.name)
    let isReflexive = NameScope.areEqual(entity.name, destination.name)
    let member = names.claim(isReflexive ? list.name : destination.name)
    let position = list.isOrdered ? names.claim("\(list.name)_position") : nil
    joins[key] = .join(table: table, owner: owner, member: member, position: position)
    var positions = [position]
    if let inverse {
      let declarer = declarer(of: inverse.name, in: destination)
      let inverseKey = "\(declarer.name).\(inverse.name)"
      if inverseKey != key {
        let inversePosition = inverse.isOrdered ? names.claim("\(inverse.name)_position") : nil
        positions.append(inversePosition)
        joins[inverseKey] = .join(
          table: table, owner: member, member: owner, position: inversePosition)
      }
    }
    let pair = [(owner, owners.table), (member, members.table)].map { name, table in
      ColumnDefinition(
        name: name, type: .integer, isRequired: true,
        reference: .init(table: table, onDelete: .cascade))
    }
    tables.append(
      TableDefinition(
        name: table,
        columns: pair
          + positions.compactMap { $0.map { ColumnDefinition(name: $0, type: .integer) } },
        key: [owner, member],
        indexes: [
          IndexDefinition(
            name: tableNames.claim("\(table)_\(member)_index"), columns: [member, owner])
        ]))
  }

  /// The list of an entity or of one above it.
  func listLayout(_ property: ModelProperty, of member: NamedEntity) throws -> ListLayout {
    let entity = member.entity
    guard let list = member.relationships[property.name] else {
      throw SwiftDataError.unknownSchema.explained(
        "'\(entity.name).\(property.name)' is missing in the schema")
    }
    let key = "\(declarer(of: property.name, in: entity).name).\(property.name)"
    if let join = joins[key] {
      return ListLayout(
        slot: property.slot, destination: list.destination, kind: join, property: property)
    }
    guard let inverse = list.inverseName, schema.entitiesByName[list.destination] != nil,
      let destination = entities[list.destination]
    else { throw missingDestination(list, in: entity) }
    return ListLayout(
      slot: property.slot, destination: list.destination,
      kind: .foreignKey(column: destination.column(of: inverse)), property: property,
      orderColumn: orderColumns[key])
  }

  func missingDestination(
    _ relationship: Schema.Relationship, in entity: Schema.Entity
  ) -> SwiftDataError {
    .unknownSchema.explained(
      "'\(entity.name).\(relationship.name)' leads to '\(relationship.destination)', which the "
        + "schema of this store does not have: keep related models in one store")
  }
}
