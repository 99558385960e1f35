/// The columns of flattened structs.
extension CatalogueBuilder {
  /// The columns of each flattened property, by slot. Their parameters follow those of the slots and
  /// the one of the row's entity.
  func memberLayouts(of entity: NamedEntity) -> [Int: [MemberLayout]] {
    var layouts: [Int: [MemberLayout]] = [:]
    let columns = entity.definition.layout.columns
    var next = Int32(columns.count) + StatementBinder.firstParameter + 1
    for (property, names) in zip(columns, entity.members) where !names.isEmpty {
      layouts[property.slot] = zip(property.flattenedMembers, names).enumerated().map {
        index, place in
        let (member, name) = place
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
    _ property: ModelProperty, _ members: [MemberLayout], of entity: NamedEntity
  ) -> ColumnLayout {
    let isOptional = property.isOptional
    return ColumnLayout(
      name: isOptional ? entity.columns[property.slot] : members[0].name,
      slot: property.slot,
      type: isOptional ? ColumnType(.integer, isOptional: true) : members[0].type,
      destination: nil, property: property, members: members)
  }

  /// The columns beside the slot's own.
  func memberDefinitions(
    of column: ColumnLayout, isOptional: Bool, isShared: Bool
  ) -> [ColumnDefinition] {
    column.members.filter { $0.name != column.name }.map { member in
      ColumnDefinition(
        name: member.name, type: member.type.affinity,
        isRequired: !member.type.isOptional && !isOptional && !isShared)
    }
  }
}

extension EntityLayout {
  /// The slot and the column of an attribute, of a to-one relationship, or of a property of a flattened
  /// struct (`address.street`).
  package func place(of name: String) -> (slot: Int, name: String)? {
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
  package var isExternal: Bool {
    guard let options = attribute?.options, !options.isEmpty else { return false }
    return options.contains(.externalStorage) && columnType.affinity == .any
  }
}
