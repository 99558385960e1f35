/// The many-to-many lists that rows leave when they are deleted. Their pairs are in a separate table, and
/// deleting the pairs changes no other row.
package struct ListPartners: Sendable {
  /// A list that has rows of an entity.
  package struct List: Sendable {
    /// The root of those who have it: their actual class is in the row.
    package let owners: EntityLayout
    package let property: String
    /// Selects the key and the class of the owners. Parameter 1 is a list of keys of members.
    package let query: SQLFragment
  }

  /// By root entity of the members.
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
        // Who is a friend of a friend stands at either end.
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

  /// The lists that may have rows of a root entity.
  package func lists(of root: String) -> [List] { lists[root] ?? [] }
}
