/// The columns of flattened structs.
extension CatalogueBuilder {
  /// The columns of each flattened property, by slot. Their parameters follow those of the slots and
  /// the one of the row's entity.
  func memberLayouts(
    of definition: ModelDefinition, in entity: Schema.Entity
  ) -> [Int: [MemberLayout]] {
    var layouts: [Int: [MemberLayout]] = [:]
    var next = Int32(definition.layout.columns.count) + StatementBinder.firstParameter + 1
    for property in definition.layout.columns {
      let members = property.flattenedMembers
      guard !members.isEmpty else { continue }
      let declarer = declarer(of: property.name, in: entity)
      layouts[property.slot] = members.enumerated().map { index, member in
        let key = "\(declarer.name).\(property.name).\(member.name)"
        let name = hierarchy(of: entity.name)?.names[key] ?? "\(property.name)_\(member.name)"
        // Without a column that says whether there is a struct, the first property has the slot's.
        if index == 0, !property.isOptional {
          return MemberLayout(
            name: name, type: member.type.columnType,
            parameter: Int32(property.slot) + StatementBinder.firstParameter)
        }
        defer { next += 1 }
        return MemberLayout(name: name, type: member.type.columnType, parameter: next)
      }
    }
    return layouts
  }

  func flattened(
    _ property: ModelProperty, _ members: [MemberLayout], in entity: Schema.Entity
  ) -> ColumnLayout {
    let isOptional = property.isOptional
    return ColumnLayout(
      name: isOptional ? columnName(of: property.name, in: entity) : members[0].name,
      slot: property.slot,
      type: isOptional ? ColumnType(.integer, isOptional: true) : members[0].type,
      destination: nil, property: property, members: members)
  }

  /// The columns beside the slot's own.
  func memberDefinitions(
    of column: ColumnLayout, in entity: Schema.Entity
  ) -> [ColumnDefinition] {
    column.members.filter { $0.name != column.name }.map { member in
      ColumnDefinition(
        name: member.name, type: member.type.affinity,
        isRequired: !member.type.isOptional && !column.property.isOptional
          && entity.superentity == nil)
    }
  }
}

extension EntityLayout {
  /// The slot and the column of an attribute, of a to-one relationship, or of a property of a flattened
  /// struct (`address.street`).
  func place(of name: String) -> (slot: Int, name: String)? {
    if let property = definition.layout.property(named: name) {
      guard !property.kind.isToMany, columns.indices ~= property.slot else { return nil }
      return (property.slot, columns[property.slot].name)
    }
    guard let place = definition.layout.member(named: name) else { return nil }
    return (place.property.slot, columns[place.property.slot].members[place.index].name)
  }
}

extension ModelProperty {
  /// Whether the value may be in a file.
  var isExternal: Bool {
    attribute?.options.contains(.externalStorage) == true && columnType.affinity == .any
  }
}
