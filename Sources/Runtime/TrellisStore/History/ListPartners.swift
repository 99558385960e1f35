/// Many-to-many lists that lose members when rows are deleted. The pairs are in a join table, so deleting them does not
/// change the owners' rows.
package struct ListPartners: Sendable {
  /// A list that contains an entity's rows.
  package struct List: Sendable {
    /// The owners' root entity. Each row records the actual class.
    package let owners: EntityLayout
    package let property: String
    /// Selects the owners' keys and classes. Parameter 1 is a list of member keys.
    package let query: SQLFragment
  }

  /// Lists by the members' root entity.
  private let lists: [String: [List]]

  init(_ layout: StoreLayout, _ dialect: any SQLDialect) {
    var lists: [String: [List]] = [:]
    var seen = Set<String>()
    for entity in layout.entities {
      guard let owners = layout.entity(named: entity.rootName) else { continue }
      for list in entity.lists {
        guard case .join(let table, let owner, let member, _) = list.kind,
          let members = layout.entity(named: list.destination)?.rootName
        else { continue }
        var ends = [(owner: owner, member: member)]
        // In a self-referencing relationship, a member may be on either side.
        if list.isMirrored { ends.append((owner: member, member: owner)) }
        for end in ends where seen.insert("\(table)\n\(end.owner)\n\(list.property.name)").inserted {
          lists[members, default: []].append(
            List(
              owners: owners, property: list.property.name, query: Self.query(table, end, owners, dialect)))
        }
      }
    }
    self.lists = lists
  }

  private static func query(
    _ table: String, _ end: (owner: String, member: String), _ owners: EntityLayout, _ dialect: any SQLDialect
  ) -> SQLFragment {
    let alias = "owners"
    let kind: SQLFragment =
      owners.discriminators.isEmpty ? "NULL" : "\(column: owners.entityColumn, of: alias)"
    return """
      SELECT \(column: owners.keyColumn, of: alias), \(kind)
      FROM \(name: table) JOIN \(name: owners.table) AS \(name: alias)
      ON \(column: owners.keyColumn, of: alias) = \(column: end.owner, of: table)
      WHERE \(dialect.isKey("\(column: end.member, of: table)", in: "?1"))
      """
  }

  /// Returns the lists that may contain a root entity's rows.
  package func lists(of root: String) -> [List] { lists[root] ?? [] }
}
