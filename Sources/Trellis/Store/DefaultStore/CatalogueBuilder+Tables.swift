import Foundation

/// The tables of models.
extension CatalogueBuilder {
  mutating func addTable(of root: String) throws {
    guard var hierarchy = hierarchies[root] else { return }
    let orderColumns = hierarchy.columns
    let isShared = hierarchy.members.count > 1
    var columns = [ColumnDefinition(name: hierarchy.keyColumn, type: .integer, isRowKey: true)]
    if isShared {
      columns.append(ColumnDefinition(name: hierarchy.entityColumn, type: .text, isRequired: true))
      // Until its first subclass came, the table held the root's own rows.
      presets[hierarchy.table, default: [:]][hierarchy.entityColumn] = hierarchy.root
    }
    var indexes: [IndexDefinition] = []
    for entity in hierarchy.members {
      let layout = try addLayout(of: entity, in: hierarchy)
      addPresets(of: entity, in: hierarchy)
      let inherited = entity.superentity.flatMap { layouts[$0.name]?.columns.count } ?? 0
      for column in layout.columns.dropFirst(inherited) {
        columns.append(definition(of: column, in: entity))
        columns += memberDefinitions(of: column, in: entity)
        addHolders(of: column, in: entity, layout)
        guard column.destination != nil else { continue }
        indexes.append(
          IndexDefinition(
            name: tableNames.claim("\(hierarchy.table)_\(column.name)_index"),
            columns: [column.name]))
      }
      addConstraints(of: entity, layout, in: hierarchy, &indexes)
    }
    hierarchy.columns = columns + orderColumns
    hierarchies[root] = hierarchy
    tables.append(
      TableDefinition(name: hierarchy.table, columns: hierarchy.columns, indexes: indexes))
  }

  private mutating func addLayout(
    of entity: Schema.Entity, in hierarchy: Hierarchy
  ) throws -> EntityLayout {
    let definition = try definition(of: entity)
    let members = memberLayouts(of: definition, in: entity)
    let columns = try definition.layout.columns.map { property in
      if let members = members[property.slot] {
        return flattened(property, members, in: entity)
      }
      let relationship = relationships[entity.name]?[property.name]
      if let relationship, schema.entitiesByName[relationship.destination] == nil {
        throw missingDestination(relationship, in: entity)
      }
      return ColumnLayout(
        name: columnName(of: property.name, in: entity, hierarchy), slot: property.slot,
        type: columnType(of: property), destination: relationship?.destination, property: property)
    }
    let layout = EntityLayout(
      name: entity.name, table: hierarchy.table, keyColumn: hierarchy.keyColumn,
      entityColumn: hierarchy.entityColumn, definition: definition, rootName: hierarchy.root,
      discriminators: hierarchy.members.count > 1 ? entity.hierarchy.map(\.name) : [],
      columns: columns,
      lists: try definition.layout.lists.map { try listLayout($0, of: entity) })
    layouts[entity.name] = layout
    return layout
  }

  private mutating func addPresets(of entity: Schema.Entity, in hierarchy: Hierarchy) {
    for property in layouts[entity.name]?.definition.layout.columns ?? [] {
      for member in property.flattenedMembers {
        let key = "\(entity.name).\(property.name).\(member.name)"
        guard let name = hierarchy.names[key], let preset = member.preset else { continue }
        presets[hierarchy.table, default: [:]][name] = preset
      }
    }
  }

  /// How the values of a property are kept. Models have many properties of few types, and what Swift
  /// is asked about a type takes its time.
  private mutating func columnType(of property: ModelProperty) -> ColumnType {
    guard case .attribute(let type) = property.kind, property.attribute?.options.isEmpty != false
    else { return property.columnType }
    let key = TypeKey(type: ObjectIdentifier(type), isOptional: property.isOptional)
    if let known = columnTypes[key] { return known }
    let found = property.columnType
    columnTypes[key] = found
    return found
  }

  struct TypeKey: Hashable {
    let type: ObjectIdentifier
    let isOptional: Bool
  }

  /// Notes which rows have values in columns that are NULL in rows of other classes and in rows
  /// without an optional struct.
  private mutating func addHolders(
    of column: ColumnLayout, in entity: Schema.Entity, _ layout: EntityLayout
  ) {
    var conditions: [SQLFragment] = []
    if entity.superentity != nil {
      let classes = layout.discriminators.map { "\(literal: $0)" as SQLFragment }
      conditions.append("\(name: layout.entityColumn) IN (\(classes.joined(separator: ", ")))")
      if !column.property.isOptional, !column.type.isOptional {
        holders[layout.table, default: [:]][column.name] = conditions[0]
      }
    }
    if column.property.isOptional { conditions.append("\(name: column.name) IS NOT NULL") }
    guard !conditions.isEmpty else { return }
    for member in column.members where member.name != column.name {
      guard !member.type.isOptional || presets[layout.table]?[member.name] != nil else { continue }
      holders[layout.table, default: [:]][member.name] = conditions.joined(separator: " AND ")
    }
  }

  private func definition(of column: ColumnLayout, in entity: Schema.Entity) -> ColumnDefinition {
    ColumnDefinition(
      name: column.name, type: column.type.affinity,
      // Rows of the other entities of a shared table have no value.
      isRequired: !column.property.isOptional && !column.type.isOptional
        && entity.superentity == nil,
      reference: column.destination.flatMap { reference(of: column, in: entity, to: $0) })
  }

  /// What happens to a row when the row it refers to goes away: what the other side's rule says.
  private func reference(
    of column: ColumnLayout, in entity: Schema.Entity, to destination: String
  ) -> ColumnDefinition.Reference? {
    guard let table = hierarchy(of: destination)?.table else { return nil }
    let relationship = relationships[entity.name]?[column.property.name]
    let inverse = relationship?.inverseName.flatMap { relationships[destination]?[$0] }
    switch inverse?.deleteRule {
    case .noAction: return nil
    case .cascade: return .init(table: table, onDelete: .cascade)
    case .deny: return .init(table: table, onDelete: .noAction)
    case .nullify, nil:
      let canBeNull = column.property.isOptional || entity.superentity != nil
      return .init(table: table, onDelete: canBeNull ? .setNull : .noAction)
    }
  }

  private mutating func addConstraints(
    of entity: Schema.Entity, _ layout: EntityLayout, in hierarchy: Hierarchy,
    _ indexes: inout [IndexDefinition]
  ) {
    var all = entity.superentity.flatMap { constraints[$0.name] } ?? []
    let inherited = entity.superentity?.uniquenessConstraints ?? []
    for properties in entity.uniquenessConstraints where !inherited.contains(properties) {
      let places = properties.compactMap { layout.place(of: $0) }
      let slots = places.map(\.slot)
      let columns = places.map(\.name)
      guard !columns.isEmpty, columns.count == properties.count else { continue }
      let name = tableNames.claim("\(hierarchy.table)_\(columns.joined(separator: "_"))_unique")
      all.append(
        UniqueConstraint(
          entity: entity.name, properties: properties, slots: slots, columns: columns,
          policy: entity.conflictPolicy(for: properties), index: name))
      // A constraint of some entities of the table does not bind the others.
      let condition = entity.superentity.map { _ in
        IndexDefinition.Condition(column: layout.entityColumn, values: layout.discriminators)
      }
      // Replaces the plain index of a unique to-one relationship.
      if columns.count == 1, condition == nil { indexes.removeAll { $0.columns == columns } }
      indexes.append(
        IndexDefinition(name: name, columns: columns, isUnique: true, condition: condition))
    }
    constraints[entity.name] = all
    let above = entity.superentity?.indices ?? []
    for properties in entity.indices where !above.contains(properties) {
      let columns = properties.compactMap { layout.place(of: $0)?.name }
      guard !columns.isEmpty, !indexes.contains(where: { $0.columns == columns }) else { continue }
      let name = "\(hierarchy.table)_\(columns.joined(separator: "_"))_index"
      indexes.append(IndexDefinition(name: tableNames.claim(name), columns: columns))
    }
  }
}

extension ModelProperty {
  /// How the value is kept.
  var columnType: ColumnType {
    guard case .attribute(let type) = kind else {
      return ColumnType(.integer, isOptional: isOptional)
    }
    if attribute?.isTransformable == true {
      return ColumnType(.blob, isOptional: isOptional, comparison: .none)
    }
    let options = attribute?.options ?? []
    if options.contains(.externalStorage), type == Data.self || type == Data?.self {
      return ColumnType(.any, isOptional: isOptional, comparison: .none)
    }
    if !options.contains(.codable), !options.contains(.json) {
      if let column = type as? any ColumnValue.Type { return column.columnType }
      if options.contains(.raw), let column = rawType(of: type) {
        var type = column.columnType
        type.isOptional = isOptional
        return type
      }
    }
    return ColumnType(.text, isOptional: isOptional, comparison: .none)
  }

  private func rawType(of type: any Any.Type) -> (any ColumnValue.Type)? {
    let wrapped = (type as? any OptionalValue.Type)?.wrappedType ?? type
    func open<R: RawRepresentable>(_: R.Type) -> (any ColumnValue.Type)? {
      R.RawValue.self as? any ColumnValue.Type
    }
    return (wrapped as? any RawRepresentable.Type).flatMap { _openExistential($0, do: open) }
  }
}
