/// Statements that write a list's pairs or positions, which row updates and insertions do not write.
struct ListStatements {
  let list: ListLayout
  let owner: Int64
  let members: [Int64]
  /// The list members when the context read the list; `nil` if it was not read. Only differences are written, because
  /// a concurrent context may also have changed the list.
  let before: [Int64]?
  let plans: StoreStatements

  func all() throws -> [SQLFragment] {
    switch list.kind {
    case .foreignKey:
      guard let column = list.orderColumn, !members.isEmpty else { return [] }
      let entity = try plans.plan(named: list.destination).entity
      return [moves(in: entity.table, column, of: "\(column: entity.keyColumn, of: "t")")]
    case .join(let table, let owner, let member, let position):
      var ends = [Pairs(table: table, owner: owner, member: member, position: position)]
      if list.isMirrored { ends.append(Pairs(table: table, owner: member, member: owner, position: nil)) }
      let (wanted, known) = (Set(members), Set(before ?? []))
      let removed = before?.filter { !wanted.contains($0) }
      let added = members.filter { !known.contains($0) }
      var statements: [SQLFragment] = []
      if removed?.isEmpty != true { statements += ends.map { removal($0, of: removed) } }
      // Known members are moved instead of inserted, because a concurrent context may have deleted them.
      if let position, !known.isEmpty, !members.isEmpty {
        let isOwned: SQLFragment = "\(column: owner, of: "t") = \(value: .integer(self.owner)) AND "
        statements.append(moves(in: table, position, of: "\(column: member, of: "t")", where: isOwned))
      }
      if !added.isEmpty { statements += ends.map { insertion($0, of: added) } }
      return statements
    }
  }

  /// A relationship's pairs, seen from either side.
  private struct Pairs {
    let table: String
    let owner: String
    let member: String
    let position: String?
  }

  /// - Parameter removed: The members to remove; `nil` for all except the wanted members.
  private func removal(_ pairs: Pairs, of removed: [Int64]?) -> SQLFragment {
    let isListed = plans.dialect.isKey("\(name: pairs.member)", in: "\(value: .keys(removed ?? members))")
    return """
      DELETE FROM \(name: pairs.table) WHERE \(name: pairs.owner) = \(value: .integer(owner))
      AND \(removed == nil ? "NOT (\(isListed))" : isListed)
      """
  }

  /// Updates existing members' positions.
  private func moves(
    in table: String, _ position: String, of key: SQLFragment, where condition: SQLFragment = ""
  ) -> SQLFragment {
    let isMoved = plans.dialect.isSame("\(column: position, of: "t")", "m.place", isNegated: true)
    return """
      UPDATE \(name: table) AS t SET \(name: position) = m.place FROM \(places)
      WHERE \(condition)\(key) = m.key AND \(isMoved)
      """
  }

  private func insertion(_ pairs: Pairs, of added: [Int64]) -> SQLFragment {
    let columns: SQLFragment = "\(name: pairs.owner), \(name: pairs.member)"
    let owner = plans.dialect.typed("\(value: .integer(owner))", .integer)
    let isAdded = plans.dialect.isKey("m.key", in: "\(value: .keys(added))")
    guard let position = pairs.position.map({ "\(name: $0)" as SQLFragment }) else {
      return """
        INSERT INTO \(name: pairs.table) (\(columns)) SELECT \(owner), m.key FROM \(places) WHERE \(isAdded)
        ON CONFLICT (\(columns)) DO NOTHING
        """
    }
    return """
      INSERT INTO \(name: pairs.table) (\(columns), \(position))
      SELECT \(owner), m.key, m.place FROM \(places) WHERE \(isAdded)
      ON CONFLICT (\(columns)) DO UPDATE SET \(position) = excluded.\(position)
      """
  }

  /// The members and positions as a table.
  private var places: SQLFragment { "\(plans.dialect.places(ofKeys: "\(value: .keys(members))")) AS m" }
}
