/// The tables of pairs.
extension StageChanges {
  func joinMove(_ table: TableDefinition) -> TableMove {
    var move = TableMove(table: table, rows: .none)
    for entity in new.layout.entities {
      for list in entity.lists {
        guard case .join(table.name, let owner, let member, let position) = list.kind,
          let pairs = pairs(of: list.property, in: entity, to: list.destination)
        else { continue }
        let former = formerList(of: list.property, in: entity)
        var formerPosition = former?.orderColumn
        if case .join(let name, _, _, let position)? = former?.kind {
          guard let source = old.tables.first(where: { $0.name == name }) else { continue }
          move.rows = .table(source, where: nil)
          formerPosition = position
        } else {
          // A former reference is the first member of the list.
          move.rows = .references(table: pairs.table, owner: pairs.row, member: pairs.value)
        }
        move.origins[owner] = ColumnOrigin(.column(pairs.row))
        move.origins[member] = ColumnOrigin(.column(pairs.value))
        if let position, let formerPosition { move.origins[position] = ColumnOrigin(.column(formerPosition)) }
        if let source = move.source { addInversePosition(to: &move, from: source.name) }
        for column in table.columns where move.origins[column.name] == nil {
          move.origins[column.name] = ColumnOrigin(.null)
        }
        return move
      }
    }
    return move
  }

  /// Adds the column with the positions that owners have in the lists of members.
  private func addInversePosition(to move: inout TableMove, from source: String) {
    for entity in new.layout.entities {
      for inverse in entity.lists {
        guard case .join(move.table.name, _, _, let position?) = inverse.kind, move.origins[position] == nil,
          case .join(source, _, _, let origin?)? = formerList(of: inverse.property, in: entity)?.kind
        else { continue }
        move.origins[position] = ColumnOrigin(.column(origin))
      }
    }
  }
}
