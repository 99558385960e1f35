/// What only the schema of a store shows: in the table of a hierarchy, the columns of subclasses can be NULL, and a column may
/// get the property of another class.
extension CatalogueDifference {
  /// - Parameters:
  ///   - columns: the columns of the store by class and property.
  ///   - present: the tables of the store under the names of the new schema.
  mutating func compareProperties(
    of stored: Schema, _ columns: [String: String], _ present: [String: TableDefinition], _ catalogue: StoreCatalogue
  ) {
    let origins = SchemaOrigins(stored, of: catalogue.schema)
    compareClasses(of: stored, origins, catalogue)
    for entity in catalogue.layout.entities {
      guard let model = catalogue.schema.entitiesByName[entity.name] else { continue }
      let properties = origins.properties(of: model)
      // The column of a property that is new in this class may have belonged to a subclass.
      let required = model.storedProperties.filter { !$0.isOptional && properties[$0.name]?.isOptional != false }
      // A column that the store does not have is added together with its values.
      let table = present[entity.table]
      require(required, entity, table, catalogue)
      compareStructs(of: entity, model, properties, table)
      compareRelationships(of: model, properties, stored, origins)
      guard let former = origins.models[entity.name].flatMap({ stored.entitiesByName[$0] }) else { continue }
      let known = Set(properties.values.map(\.name))
      // A property may have moved to a superclass.
      let inherited = Set(model.inheritedProperties.flatMap { [$0.name, Schema.item($0).original ?? $0.name] })
      for property in former.storedProperties where !known.union(inherited).contains(property.name) {
        noteLoss(of: property, of: former, columns, catalogue.tables.first { $0.name == entity.table })
      }
    }
  }

  /// Adds the classes that are gone, and an obstacle for each class with another superclass. Its rows lack the values that
  /// the new superclass requires, and the values that they inherited would be lost.
  private mutating func compareClasses(of stored: Schema, _ origins: SchemaOrigins, _ catalogue: StoreCatalogue) {
    let kept = Set(origins.models.values)
    for model in catalogue.schema.entities {
      guard let former = origins.models[model.name].flatMap({ stored.entitiesByName[$0] }) else { continue }
      let before = stored.superclasses(of: former).filter(kept.contains)
      let after = catalogue.schema.superclasses(of: model).compactMap { origins.models[$0] }
      guard before != after else { continue }
      obstacles.append("'\(model.name)' has another superclass")
    }
    for former in stored.entities where !kept.contains(former.name) {
      guard let root = stored.superclasses(of: former).last,
        let entity = catalogue.layout.entities.first(where: { origins.models[$0.name] == root }),
        catalogue.tables.contains(where: { $0.name == entity.table && $0.column(named: entity.entityColumn) != nil })
      else { continue }
      changes.append(.dropClass(table: entity.table, column: entity.entityColumn, former.name))
    }
  }

  /// Adds the properties of subclasses whose rows may have no value: they were optional, or are new in their class.
  private mutating func require(
    _ properties: [any SchemaProperty], _ entity: EntityLayout, _ present: TableDefinition?,
    _ catalogue: StoreCatalogue
  ) {
    let names = Set(properties.map(\.name))
    let table = entity.table
    for column in entity.columns where names.contains(column.property.name) && column.members.isEmpty {
      for name in column.names {
        guard let holders = catalogue.holders[table]?[name], holders.isRequired, present?.column(named: name) != nil
        else { continue }
        changes.append(
          .fillColumn(
            table: table, column: name, preset: catalogue.preset(of: name, in: table), holders: holders.rows))
      }
    }
  }

  /// Adds obstacles for flattened structs. Such a struct has a column for each of its properties. If it is optional, one
  /// more column says whether it is nil, and the rows of the store have no value there.
  private mutating func compareStructs(
    of entity: EntityLayout, _ model: Schema.Entity, _ formerProperties: [String: any SchemaProperty],
    _ present: TableDefinition?
  ) {
    for column in entity.columns where !column.members.isEmpty {
      let name = column.property.name
      guard let property = model.storedProperties.first(where: { $0.name == name }) else { continue }
      if let former = formerProperties[name] {
        guard former.isOptional != property.isOptional else { continue }
        obstacles.append("'\(entity.name).\(name)' " + (former.isOptional ? "was optional" : "is optional now"))
        continue
      }
      // An optional struct of subclasses may move to their superclass, with all of its columns.
      let added = column.names.count { present?.column(named: $0) == nil }
      if added != column.names.count, added > 0 || !property.isOptional {
        obstacles.append("'\(entity.name).\(name)' was a property of other classes")
      }
    }
  }

  /// Adds obstacles for relationships that would lose models: the destination is narrower, or a list has another inverse.
  private mutating func compareRelationships(
    of model: Schema.Entity, _ formerProperties: [String: any SchemaProperty], _ stored: Schema,
    _ origins: SchemaOrigins
  ) {
    for relationship in model.storedProperties.compactMap(\.asRelationship) {
      guard let former = formerProperties[relationship.name]?.asRelationship,
        let target = stored.entitiesByName[former.destination]
      else { continue }
      let title = "\(model.name).\(relationship.name)"
      let classes = [target.name] + stored.superclasses(of: target)
      if origins.models[relationship.destination].map(classes.contains) != true {
        obstacles.append(
          "'\(title)' refers to '\(relationship.destination)' now, and to models of other classes before")
      }
      // A reference keeps its column. The models of a list are in the column of its inverse, or in a table that both lists
      // share.
      guard !relationship.isToOneRelationship, let inverse = former.inverseName else { continue }
      let current = relationship.inverseName.flatMap { origins.former($0, of: relationship.destination) }
      if current?.name != inverse, origins.continues(inverse, of: target.name) {
        obstacles.append("'\(title)' has another inverse, and its models would be lost")
      }
    }
  }

  /// Adds an obstacle if a property is gone and another one has its column.
  private mutating func noteLoss(
    of property: any SchemaProperty, of entity: Schema.Entity, _ columns: [String: String], _ table: TableDefinition?
  ) {
    let title = "\(entity.name).\(property.name)"
    let isLost = columns.contains { key, column in
      guard StoreMetadata.rest(of: key, after: title) != nil, let table else { return false }
      let isRenamed = changes.contains { change in
        if case .renameColumn(table.name, column, _) = change { true } else { false }
      }
      return isRenamed || table.column(named: column) != nil
    }
    guard isLost else { return }
    obstacles.append("'\(title)' is no longer in the schema, and its values would be lost")
  }
}

extension StoreMetadata {
  /// The columns of a store, by the names that its properties have in another schema. Two properties may have exchanged
  /// their names. Those of a renamed model keep theirs.
  static func columns(_ columns: [String: String], from stored: Schema, to schema: Schema) -> [String: String] {
    var result = columns
    for entity in schema.entities {
      guard let old = stored.entitiesByName[entity.name] else { continue }
      let names = NamePairing(
        from: old.storedProperties.map(Schema.item), to: entity.storedProperties.map(Schema.item)
      ).origins
      let others = entity.storedProperties.map(\.name).filter { names[$0] != $0 }
      // A new property may have the name of one that has another name now.
      for name in others {
        let key = "\(entity.name).\(name)"
        for column in columns.keys where rest(of: column, after: key) != nil { result[column] = nil }
      }
      for name in others {
        guard let former = names[name] else { continue }
        for (column, place) in columns {
          guard let rest = rest(of: column, after: "\(entity.name).\(former)") else { continue }
          result["\(entity.name).\(name)" + rest] = place
        }
      }
    }
    return result
  }

  /// What follows a property in the name of one of its columns. Flattened structs have a column for each property, and
  /// ordered lists one for the places.
  fileprivate static func rest(of column: String, after property: String) -> Substring? {
    guard column.hasPrefix(property) else { return nil }
    let rest = column.dropFirst(property.count)
    return rest.isEmpty || rest.first == "." || rest.first == " " ? rest : nil
  }
}
