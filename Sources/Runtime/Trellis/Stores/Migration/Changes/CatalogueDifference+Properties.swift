/// What only the schema of a store shows: in the table of a hierarchy, the columns of subclasses can be NULL, and a column may
/// get the property of another class.
extension CatalogueDifference {
  /// - Parameter present: the tables of the store under the names of the new schema.
  mutating func compareProperties(
    of stored: Schema, _ origins: SchemaOrigins, _ present: [String: TableDefinition], _ catalogue: StoreCatalogue
  ) {
    compareClasses(of: stored, origins, catalogue)
    for entity in catalogue.layout.entities {
      guard let model = catalogue.schema.entitiesByName[entity.name] else { continue }
      let properties = origins.properties(of: model)
      // The column of a property that is new in this class may have belonged to a subclass.
      let required = model.storedProperties.filter { !$0.isOptional && properties[$0.name]?.isOptional != false }
      // A column that the store does not have is added together with its values.
      require(required, entity, present[entity.table], catalogue)
      for property in model.storedProperties {
        let title = "\(model.name).\(property.name)"
        let sources = origins.sources(of: property, in: model)
        if properties[property.name] == nil {
          addDefault(of: property, entity, from: Set(sources.map(\.model)), origins, present[entity.table], catalogue)
        }
        for source in sources {
          let former = source.property
          if let old = former.asAttribute, let new = property.asAttribute {
            compareStructs(old, new, title, isMoved: properties[property.name] == nil)
          } else if let old = former.asRelationship, let new = property.asRelationship {
            compare(old, new, title, stored, origins)
          } else if former.asAttribute?.isTransient != true, property.asAttribute?.isTransient != true {
            obstacles.append("'\(title)' was a \(former.isRelationship ? "relationship" : "value") and is none now")
          }
        }
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

  /// Adds the default value of an optional property that has moved to a superclass, in the rows of its other classes.
  private mutating func addDefault(
    of property: any SchemaProperty, _ entity: EntityLayout, from former: Set<String>, _ origins: SchemaOrigins,
    _ present: TableDefinition?, _ catalogue: StoreCatalogue
  ) {
    guard property.isOptional,
      let column = entity.columns.first(where: { $0.property.name == property.name && $0.members.isEmpty })?.name,
      present?.column(named: column) != nil, let preset = catalogue.preset(of: column, in: entity.table)
    else { return }
    let holders = catalogue.layout.entities.filter { origins.models[$0.name].map(former.contains) == true }
    let others = Set(entity.discriminators).subtracting(holders.flatMap(\.discriminators)).sorted()
    guard !others.isEmpty else { return }
    changes.append(
      .fillColumn(
        table: entity.table, column: column, preset: preset,
        holders: "\(name: entity.entityColumn) IN (\(literals: others))"))
  }

  /// Adds obstacles for a flattened struct. Such a struct has a column for each of its properties. If it is optional, one
  /// more column says whether it is nil, and the rows of the store have no value there.
  private mutating func compareStructs(
    _ former: Schema.Attribute, _ attribute: Schema.Attribute, _ title: String, isMoved: Bool
  ) {
    guard let before = former as? Schema.CompositeAttribute, let after = attribute as? Schema.CompositeAttribute,
      former.options.contains(.flattened), attribute.options.contains(.flattened)
    else { return }
    if former.isOptional != attribute.isOptional {
      obstacles.append("'\(title)' " + (former.isOptional ? "was optional" : "is optional now"))
    } else if isMoved, !attribute.isOptional {
      obstacles.append("'\(title)' was a property of other classes")
    }
    // In an optional struct, and in the table of a hierarchy, the columns of all properties can be NULL.
    for part in after.properties where !part.isOptional {
      guard before.properties.contains(where: { $0.name == part.name && $0.isOptional }) else { continue }
      obstacles.append("'\(title).\(part.name)' was optional")
    }
  }

  /// Adds obstacles for a relationship that would lose models: the destination is narrower, or a list has another inverse.
  private mutating func compare(
    _ former: Schema.Relationship, _ relationship: Schema.Relationship, _ title: String, _ stored: Schema,
    _ origins: SchemaOrigins
  ) {
    guard let target = stored.entitiesByName[former.destination] else { return }
    let classes = [target.name] + stored.superclasses(of: target)
    if origins.models[relationship.destination].map(classes.contains) != true {
      obstacles.append("'\(title)' refers to '\(relationship.destination)' now, and to models of other classes before")
    }
    // A reference keeps its column. The models of a list are in the column of its inverse, or in a table that both lists
    // share.
    guard !relationship.isToOneRelationship, let inverse = former.inverseName else { return }
    let current = relationship.inverseName.flatMap { origins.former($0, of: relationship.destination) }
    if current?.name != inverse, origins.continues(inverse, of: target.name) {
      obstacles.append("'\(title)' has another inverse, and its models would be lost")
    }
  }
}
