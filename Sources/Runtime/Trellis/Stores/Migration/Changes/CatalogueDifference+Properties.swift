/// What only the schema of a store shows: in the table of a hierarchy, the columns of subclasses can be NULL, and a column may
/// get the property of another class.
extension CatalogueDifference {
  mutating func compareProperties(of stored: Schema, _ columns: [String: String], _ catalogue: StoreCatalogue) {
    let origins = SchemaOrigins(stored, of: catalogue.schema)
    for entity in catalogue.layout.entities {
      guard let model = catalogue.schema.entitiesByName[entity.name] else { continue }
      let properties = origins.properties(of: model)
      let required = model.storedProperties.filter { !$0.isOptional && properties[$0.name]?.isOptional == true }
      require(required, entity, catalogue)
      guard let former = origins.models[entity.name].flatMap({ stored.entitiesByName[$0] }) else { continue }
      let known = Set(properties.values.map(\.name))
      // A property may have moved to a superclass.
      let inherited = Set(model.inheritedProperties.flatMap { [$0.name, Schema.item($0).original ?? $0.name] })
      for property in former.storedProperties where !known.union(inherited).contains(property.name) {
        noteLoss(of: property, of: former, columns, catalogue.tables.first { $0.name == entity.table })
      }
    }
  }

  /// Adds the properties of subclasses that were optional.
  private mutating func require(
    _ properties: [any SchemaProperty], _ entity: EntityLayout, _ catalogue: StoreCatalogue
  ) {
    let names = Set(properties.map(\.name))
    for column in entity.columns where names.contains(column.property.name) {
      let (table, title) = (entity.table, "\(entity.name).\(column.property.name)")
      for name in column.names {
        guard let holders = catalogue.holders[table]?[name], holders.isRequired else { continue }
        guard column.members.isEmpty else {
          obstacles.append("'\(title)' was optional")
          break
        }
        changes.append(
          .fillColumn(
            table: table, column: name, preset: catalogue.preset(of: name, in: table), holders: holders.rows))
      }
    }
  }

  /// Adds an obstacle if a property is gone and another one has its column.
  private mutating func noteLoss(
    of property: any SchemaProperty, of entity: Schema.Entity, _ columns: [String: String], _ table: TableDefinition?
  ) {
    let title = "\(entity.name).\(property.name)"
    let isLost = columns.contains { key, column in
      StoreMetadata.rest(of: key, after: title) != nil && table?.column(named: column) != nil
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
