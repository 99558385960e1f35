import Foundation

/// Model tables.
extension CatalogueBuilder {
  mutating func addTable(of hierarchy: Hierarchy) throws {
    let isShared = hierarchy.members.count > 1
    var columns = [ColumnDefinition(name: hierarchy.keyColumn, type: .integer, isRowKey: true)]
    if isShared {
      columns.append(ColumnDefinition(name: hierarchy.entityColumn, type: .text, isRequired: true))
    }
    var indexes: [IndexDefinition] = []
    for member in hierarchy.members {
      let layout = try addLayout(of: member)
      for column in layout.columns.dropFirst(member.above?.columns.count ?? 0) {
        columns += definitions(of: column, in: member)
        guard column.destination != nil else { continue }
        let name = column.name
        indexes.append(
          IndexDefinition(
            name: tableNames.claim("\(hierarchy.table)_\(name)_index"), columns: [name]))
      }
      addConstraints(of: member, layout, &indexes)
    }
    tables.append(
      TableDefinition(
        name: hierarchy.table, columns: columns + hierarchy.columns, indexes: indexes))
  }

  private func addLayout(of member: NamedEntity) throws -> EntityLayout {
    let (entity, definition, hierarchy) = (member.entity, member.definition, member.hierarchy)
    // Flattened struct members are numbered after the slots and the entity parameter.
    var next = Int32(definition.layout.columns.count) + StatementBinder.firstParameter + 1
    let columns = try definition.layout.columns.map { property in
      let slot = property.slot
      var members: [MemberLayout] = []
      for (part, name) in zip(property.flattenedMembers, member.members[slot]) {
        // A required struct has no presence column: its first member takes the slot's parameter.
        let hasSlot = members.isEmpty && !property.isOptional
        members.append(
          MemberLayout(
            name: name, type: part.type.columnType,
            parameter: hasSlot ? Int32(slot) + StatementBinder.firstParameter : next))
        if !hasSlot { next += 1 }
      }
      if let first = members.first {
        return ColumnLayout(
          name: property.isOptional ? member.columns[slot] : first.name, slot: slot,
          type: property.isOptional ? ColumnType(.integer, isOptional: true) : first.type, destination: nil,
          property: property, members: members)
      }
      let relationship = property.kind.isRelationship ? member.relationships[property.name] : nil
      if let relationship, schema.entitiesByName[relationship.destination] == nil {
        throw missingDestination(relationship, in: entity)
      }
      return ColumnLayout(
        name: member.columns[slot], slot: slot, type: property.columnType, destination: relationship?.destination,
        property: property)
    }
    let layout = EntityLayout(
      name: entity.name, table: hierarchy.table, keyColumn: hierarchy.keyColumn,
      entityColumn: hierarchy.entityColumn, definition: definition, rootName: hierarchy.root,
      discriminators: hierarchy.members.count > 1 ? entity.hierarchy.map(\.name) : [],
      columns: columns,
      lists: try definition.layout.lists.map { try listLayout($0, of: member) })
    member.layout = layout
    return layout
  }

  /// Returns the column definitions for a property.
  private func definitions(of column: ColumnLayout, in member: NamedEntity) -> [ColumnDefinition] {
    // In a shared table, rows of other entities leave the column NULL.
    let canBeNull = column.property.isOptional || member.above != nil
    let own = ColumnDefinition(
      name: column.name, type: column.type.affinity, isRequired: !canBeNull && !column.type.isOptional,
      reference: column.destination.flatMap {
        reference(of: column.property.name, in: member, to: $0, canBeNull: canBeNull)
      })
    return [own]
      + column.members.filter { $0.name != column.name }.map { part in
        ColumnDefinition(
          name: part.name, type: part.type.affinity, isRequired: !canBeNull && !part.type.isOptional)
      }
  }

  /// Returns the foreign key for a to-one reference, derived from the inverse's delete rule; `nil` for `noAction`.
  private func reference(
    of property: String, in member: NamedEntity, to destination: String, canBeNull: Bool
  ) -> ColumnDefinition.Reference? {
    guard let table = entities[destination]?.hierarchy.table else { return nil }
    let inverse = member.relationships[property]?.inverseName.flatMap { relationships[destination]?[$0] }
    switch inverse?.deleteRule {
    case .noAction: return nil
    case .cascade: return .init(table: table, onDelete: .cascade)
    case .deny: return .init(table: table, onDelete: .noAction)
    case .nullify, nil:
      return .init(table: table, onDelete: canBeNull ? .setNull : .noAction)
    }
  }

  private mutating func addConstraints(
    of member: NamedEntity, _ layout: EntityLayout, _ indexes: inout [IndexDefinition]
  ) {
    let (entity, above, table) = (member.entity, member.above, member.hierarchy.table)
    var all = above?.constraints ?? []
    let inherited = above?.entity.uniquenessConstraints ?? []
    for properties in entity.uniquenessConstraints where !inherited.contains(properties) {
      let places = properties.compactMap { layout.place(of: $0) }
      let slots = places.map(\.slot)
      let columns = places.map(\.name)
      guard !columns.isEmpty, columns.count == properties.count else { continue }
      let name = tableNames.claim("\(table)_\(columns.joined(separator: "_"))_unique")
      all.append(
        UniqueConstraint(
          entity: entity.name, properties: properties, slots: slots, columns: columns,
          policy: entity.conflictPolicy(for: properties), index: name,
          classes: entity.superentity == nil ? [] : layout.discriminators))
      // In a shared table, the constraint binds only the entity and subclasses.
      let condition = above.map { _ in
        IndexDefinition.Condition(column: layout.entityColumn, values: layout.discriminators)
      }
      // The unique index replaces the plain index on a to-one relationship.
      if columns.count == 1, condition == nil { indexes.removeAll { $0.columns == columns } }
      indexes.append(
        IndexDefinition(name: name, columns: columns, isUnique: true, condition: condition))
    }
    member.constraints = all
    let known = above?.entity.indices ?? []
    for properties in entity.indices where !known.contains(properties) {
      let columns = properties.compactMap { layout.place(of: $0)?.name }
      guard !columns.isEmpty, !indexes.contains(where: { $0.columns == columns }) else { continue }
      let name = "\(table)_\(columns.joined(separator: "_"))_index"
      indexes.append(IndexDefinition(name: tableNames.claim(name), columns: columns))
    }
  }
}

extension ModelProperty {
  /// The column type for the stored value.
  package var columnType: ColumnType {
    guard case .attribute(let type) = kind else {
      return ColumnType(.integer, isOptional: isOptional)
    }
    if attribute?.isTransformable == true {
      return ColumnType(.blob, isOptional: isOptional, comparison: .none)
    }
    let options = attribute?.options ?? []
    if isExternal { return ColumnType(.any, isOptional: isOptional, comparison: .none) }
    guard !options.contains(.codable), !options.contains(.json) else {
      return ColumnType(.text, isOptional: isOptional, comparison: .none)
    }
    return ColumnType(valuesOf: type)
  }
}

extension ColumnType {
  /// Derives the column type from a Swift type, ignoring attribute options.
  fileprivate init(valuesOf type: any Any.Type) {
    // Avoids a dynamic cast: the first one for a type scans every protocol conformance in the process.
    func standard<V: ColumnValue>(_: V.Type) -> ColumnType? {
      type == V.self ? V.columnType : type == V?.self ? V?.columnType : nil
    }
    let known =
      standard(String.self) ?? standard(Date.self) ?? standard(Int.self) ?? standard(Double.self)
      ?? standard(Bool.self) ?? standard(Data.self) ?? standard(UUID.self)
    if let known {
      self = known
      return
    }
    self =
      (type as? any ColumnValue.Type ?? RawValueType.of(type))?.columnType ?? ColumnType(.text, comparison: .none)
    isOptional = type is any OptionalValue.Type
  }
}

/// Storage for to-many relationships.
extension CatalogueBuilder {
  /// Adds join tables and position columns for the entity's own to-many relationships.
  mutating func addJoins(of entity: Schema.Entity) throws {
    let own = entity.storedProperties.compactMap(\.asRelationship)
    for list in own.sorted(by: { $0.name < $1.name }) where list.isToMany {
      guard let destination = schema.entitiesByName[list.destination] else {
        throw missingDestination(list, in: entity)
      }
      let inverse = list.inverseName.flatMap { relationships[list.destination]?[$0] }
      if let inverse, inverse.isToOneRelationship {
        if list.isOrdered { addOrderColumn(list, in: entity, inverse, destination) }
      } else {
        addJoin(list, in: entity, inverse, destination)
      }
    }
  }

  private mutating func addOrderColumn(
    _ list: Schema.Relationship, in entity: Schema.Entity, _ inverse: Schema.Relationship,
    _ destination: Schema.Entity
  ) {
    guard let members = entities[destination.name] else { return }
    let hierarchy = members.hierarchy
    let column = members.column(of: inverse.name)
    let name = hierarchy.columnNames.claim("\(column)_position")
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
      let declarer = destination.declarer(of: inverse.name)
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

  /// Returns the layout for a declared or inherited list.
  func listLayout(_ property: ModelProperty, of member: NamedEntity) throws -> ListLayout {
    let entity = member.entity
    guard let list = member.relationships[property.name] else {
      throw SwiftDataError.unknownSchema.explained(
        "'\(entity.name).\(property.name)' is missing in the schema")
    }
    let key = "\(entity.declarer(of: property.name).name).\(property.name)"
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
      "'\(entity.name).\(relationship.name)' leads to '\(relationship.destination)', which is "
        + "missing from this store's schema: keep related models in the same store")
  }
}

extension EntityLayout {
  /// Returns the slot and column for an attribute, a to-one relationship or a flattened struct member
  /// (`address.street`).
  package func place(of name: String) -> (slot: Int, name: String)? {
    if let property = definition.layout.property(named: name) {
      guard !property.kind.isToMany, columns.indices ~= property.slot else { return nil }
      return (property.slot, columns[property.slot].name)
    }
    guard let place = definition.layout.member(named: name) else { return nil }
    return (place.property.slot, columns[place.property.slot].members[place.index].name)
  }
}
