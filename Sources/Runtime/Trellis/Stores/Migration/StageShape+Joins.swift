/// The tables of pairs.
extension StageShape {
  func joinMove(_ table: TableDefinition) -> TableMove {
    var move = TableMove(table: table, rows: .none)
    for owner in new.layout.entities {
      for list in owner.lists {
        guard case .join(table.name, let ownerColumn, let memberColumn, let position) = list.kind,
          let former = formerProperty(of: list.property, in: owner), let old = entities[owner.name]
        else { continue }
        let wanted = (owner: ownerColumn, member: memberColumn, position: position)
        if former.kind.isToMany {
          guard old.lists.indices ~= former.slot else { continue }
          if add(old.lists[former.slot], to: &move, wanted, list) { return move }
        } else if old.columns.indices ~= former.slot,
          let target = old.columns[former.slot].destination, isSame(target, list.destination)
        {
          // What was one is the first of several.
          move.rows = .references(
            table: old.table, owner: old.keyColumn, member: old.columns[former.slot].name)
          move.origins[ownerColumn] = ColumnOrigin(.column(old.keyColumn))
          move.origins[memberColumn] = ColumnOrigin(.column(old.columns[former.slot].name))
          addRest(to: &move)
          return move
        }
      }
    }
    return move
  }

  private func add(
    _ former: ListLayout, to move: inout TableMove,
    _ wanted: (owner: String, member: String, position: String?), _ list: ListLayout
  ) -> Bool {
    guard isSame(former.destination, list.destination) else { return false }
    switch former.kind {
    case .join(let name, let ownerColumn, let memberColumn, let position):
      guard let source = old.tables.first(where: { $0.name == name }) else { return false }
      move.rows = .table(source, where: nil)
      move.origins[wanted.owner] = ColumnOrigin(.column(ownerColumn))
      move.origins[wanted.member] = ColumnOrigin(.column(memberColumn))
      if let wanted = wanted.position, let position {
        move.origins[wanted] = ColumnOrigin(.column(position))
      }
      addInversePosition(of: move.table.name, former: name, to: &move)
    case .foreignKey(let column):
      guard let members = old.layout.entity(named: former.destination) else { return false }
      move.rows = .references(table: members.table, owner: column, member: members.keyColumn)
      move.origins[wanted.owner] = ColumnOrigin(.column(column))
      move.origins[wanted.member] = ColumnOrigin(.column(members.keyColumn))
      if let wanted = wanted.position, let position = former.orderColumn {
        move.origins[wanted] = ColumnOrigin(.column(position))
      }
    }
    addRest(to: &move)
    return true
  }

  /// The places that owners have in the lists of members.
  private func addInversePosition(
    of table: String, former: String, to move: inout TableMove
  ) {
    for entity in new.layout.entities {
      for inverse in entity.lists {
        guard case .join(table, _, _, let position?) = inverse.kind,
          move.origins[position] == nil,
          let before = formerProperty(of: inverse.property, in: entity),
          let layout = entities[entity.name]?.lists.first(where: { $0.property.name == before.name }),
          case .join(former, _, _, let origin?) = layout.kind
        else { continue }
        move.origins[position] = ColumnOrigin(.column(origin))
      }
    }
  }

  private func addRest(to move: inout TableMove) {
    for column in move.table.columns where move.origins[column.name] == nil {
      move.origins[column.name] = ColumnOrigin(.null)
    }
  }
}
