package import AppleStore
package import SchemaImport

/// Maps a model's properties to tables and columns in a Core Data store.
///
/// The names are derived from the model and checked against the database:
///
/// - An entity hierarchy shares the root's table: `Z` and the root's name in capitals.
/// - A property's column is `Z` and the name in capitals. If several entities in a hierarchy declare the same name, the
///   columns after the first are numbered 1, 2 and so on, by entity number.
/// - Each element of a composite attribute has a column named after the element.
/// - A one-way to-many relationship has a column in the members' table: `Z`, the owner's entity number and the name.
/// - A many-to-many relationship has a table `Z_<number><NAME>`.
/// - List positions are stored in columns `Z_FOK_…`.
package struct AppleStoreLayout: Sendable {
  /// The join table for a many-to-many relationship.
  package struct Join: Sendable, Equatable {
    package var table: String
    package var owner: String
    package var member: String
    /// The column with the member's position in the owner's list.
    package var order: String?
    /// The column with the owner's position in the inverse list.
    package var inverseOrder: String?
  }

  package let model: CoreDataModel
  package let contents: AppleStoreContents
  /// Columns by `Entity.property` or `Entity.property.element`.
  private var columns: [String: String] = [:]
  /// Assumed column numbers, where the model does not determine the order.
  package private(set) var assumptions: [String] = []
  /// Columns that belong to no property, as `TABLE.COLUMN`.
  package private(set) var unclaimed: [String] = []
  private let entities: [String: CoreDataEntity]

  /// - Throws: ``AppleStoreProblem`` if a table or column is missing in the database.
  package init(_ model: CoreDataModel, _ contents: AppleStoreContents) throws(AppleStoreProblem) {
    self.model = model
    self.contents = contents
    entities = Dictionary(model.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var missing: [String] = []
    for entity in model.entities {
      if contents.numbers[entity.name] == nil {
        missing.append("entity '\(entity.name)' is missing in the table Z_PRIMARYKEY")
      } else if contents.columns[table(of: entity.name)] == nil {
        missing.append("the table \(table(of: entity.name)) of entity '\(entity.name)' is missing")
      }
    }
    try Self.check(missing)
    let hierarchies = Dictionary(grouping: model.entities) { root(of: $0.name) }
    let lists = model.entities.flatMap { entity in
      entity.relationships.filter(isOneWay).map { (owner: entity.name, relationship: $0) }
    }
    let listsByRoot = Dictionary(grouping: lists) { root(of: $0.relationship.destination) }
    for (root, members) in hierarchies.sorted(by: { $0.key < $1.key }) {
      missing += nameColumns(in: root, members, listsByRoot[root] ?? [])
    }
    try Self.check(missing)
  }

  private static func check(_ missing: [String]) throws(AppleStoreProblem) {
    guard !missing.isEmpty else { return }
    let shown = missing.prefix(5).joined(separator: "; ")
    let rest = missing.count > 5 ? "; and \(missing.count - 5) more" : ""
    throw AppleStoreProblem("the model does not match the tables: \(shown)\(rest)")
  }

  // MARK: - Names

  private struct Claim {
    var key: String
    var name: String
    var owner: String
  }

  /// Assigns the columns in a hierarchy's table. Returns a message for each missing column.
  private mutating func nameColumns(
    in root: String, _ members: [CoreDataEntity], _ lists: [(owner: String, relationship: CoreDataRelationship)]
  ) -> [String] {
    let table = Self.capitals("Z" + root)
    let real = Set(contents.columns[table] ?? [])
    var taken: Set<String> = []
    var missing: [String] = []
    var claims: [Claim] = []
    for member in members.sorted(by: { contents.numbers[$0.name] ?? 0 < contents.numbers[$1.name] ?? 0 }) {
      claims += self.claims(of: member)
    }
    var numbers: [String: Int] = [:]
    for claim in claims {
      let base = Self.capitals("Z" + claim.name)
      var column = base
      repeat {
        let number = numbers[base, default: 0]
        column = number == 0 ? base : base + String(number)
        numbers[base] = number + 1
      } while !taken.insert(column).inserted
      if real.contains(column) {
        columns[claim.key] = column
      } else {
        missing.append("'\(claim.key)' has no column \(column) in the table \(table)")
      }
    }
    let shared = Dictionary(grouping: claims) { $0.owner + "." + Self.capitals($0.name) }
    for same in shared.values where same.count > 1 {
      let names = same.compactMap { claim in columns[claim.key].map { "'\(claim.key)' in \($0)" } }
      assumptions.append("the order of equal column names is assumed: \(names.joined(separator: ", "))")
    }
    assumptions.sort()
    for (owner, list) in lists {
      let column = Self.capitals("Z\(contents.numbers[owner] ?? 0)\(list.name)")
      taken.insert(column)
      if real.contains(column) {
        columns["\(owner).\(list.name)"] = column
      } else {
        missing.append("'\(owner).\(list.name)' has no column \(column) in the table \(table)")
      }
    }
    unclaimed += real.subtracting(taken).filter { !Self.isInternal($0) }.sorted().map { "\(table).\($0)" }
    return missing
  }

  private func claims(of entity: CoreDataEntity) -> [Claim] {
    var claims: [Claim] = []
    func add(_ attribute: CoreDataAttribute, _ path: String, depth: Int = 0) {
      // SQLite tables have at most 32,767 columns.
      guard !attribute.isTransient, depth < 8, claims.count < 40_000 else { return }
      guard attribute.type == "Composite" else {
        claims.append(Claim(key: path, name: attribute.name, owner: entity.name))
        return
      }
      let type = model.composites.first { $0.name == attribute.composite }
      for element in type?.attributes ?? [] { add(element, "\(path).\(element.name)", depth: depth + 1) }
    }
    for attribute in entity.attributes { add(attribute, "\(entity.name).\(attribute.name)") }
    for relationship in entity.relationships where !relationship.isTransient && !relationship.isToMany {
      claims.append(
        Claim(key: "\(entity.name).\(relationship.name)", name: relationship.name, owner: entity.name))
    }
    return claims
  }

  /// True for a to-many relationship that has no inverse.
  package func isOneWay(_ relationship: CoreDataRelationship) -> Bool {
    relationship.isToMany && !relationship.isTransient && inverse(of: relationship) == nil
  }

  private static func isInternal(_ column: String) -> Bool {
    guard !column.hasPrefix("Z_") else { return true }
    // A reference to an entity with subentities has a second column, for the entity number: `Z4_OWNER`.
    let rest = column.dropFirst().drop { $0.isASCII && $0.isNumber }
    return column.hasPrefix("Z") && rest.first == "_" && rest.count < column.count - 1
  }

  /// Core Data capitalizes names independently of the locale.
  private static func capitals(_ name: String) -> String { name.uppercased() }

  // MARK: - Entities

  package func root(of entity: String) -> String { ancestors(of: entity).last ?? entity }

  /// The entity and all superentities, ending with the root.
  package func ancestors(of entity: String) -> [String] {
    var names = [entity]
    while let parent = names.last.flatMap({ entities[$0]?.parent }), entities[parent] != nil, !names.contains(parent) {
      names.append(parent)
    }
    return names
  }

  package func table(of entity: String) -> String { Self.capitals("Z" + root(of: entity)) }

  package func number(of entity: String) -> Int64? { contents.numbers[entity] }

  package func rowCount(of entity: String) -> Int64 {
    guard let number = number(of: entity) else { return 0 }
    return contents.rowCounts[table(of: entity)]?[number] ?? 0
  }

  // MARK: - Properties

  /// The column for an attribute, an element (`address.street`), a to-one relationship, or a one-way to-many
  /// relationship.
  package func column(of property: String, in entity: String) -> String? {
    for name in ancestors(of: entity) {
      if let column = columns["\(name).\(property)"] { return column }
    }
    return nil
  }

  package func attribute(_ name: String, of entity: String) -> CoreDataAttribute? {
    for owner in ancestors(of: entity) {
      if let found = entities[owner]?.attributes.first(where: { $0.name == name }) { return found }
    }
    return nil
  }

  package func relationship(
    _ name: String, of entity: String
  ) -> (owner: String, relationship: CoreDataRelationship)? {
    for owner in ancestors(of: entity) {
      if let found = entities[owner]?.relationships.first(where: { $0.name == name }) { return (owner, found) }
    }
    return nil
  }

  package func inverse(
    of relationship: CoreDataRelationship
  ) -> (owner: String, relationship: CoreDataRelationship)? {
    relationship.inverse.flatMap { self.relationship($0, of: relationship.inverseEntity ?? relationship.destination) }
  }

  /// The column with the members' positions, if the list is ordered.
  ///
  /// - Parameter column: The column that refers to the owner.
  package func orderColumn(for column: String, in table: String) -> String? {
    let name = "Z_FOK_" + column.dropFirst()
    return contents.columns[table]?.contains(name) ?? false ? name : nil
  }

  /// Finds the join table for a many-to-many relationship.
  ///
  /// - Throws: ``AppleStoreProblem`` if no table or more than one table matches.
  package func join(
    of relationship: CoreDataRelationship, in owner: String
  ) throws(AppleStoreProblem) -> Join {
    let title = "'\(owner).\(relationship.name)'"
    guard let inverse = inverse(of: relationship), inverse.relationship.isToMany else {
      throw AppleStoreProblem("\(title) is not a many-to-many relationship")
    }
    let isMirrored = inverse.owner == owner && inverse.relationship.name == relationship.name
    var found: [Join] = []
    for (table, columns) in contents.columns {
      guard
        names(table, "Z_", owner, relationship.name) || names(table, "Z_", inverse.owner, inverse.relationship.name)
      else { continue }
      if isMirrored {
        let keys = columns.filter { !$0.hasPrefix("Z_FOK_") }
        guard keys.count == 2 else { continue }
        found.append(Join(table: table, owner: keys[0], member: keys[1], order: nil, inverseOrder: nil))
        continue
      }
      // A key column is named after the relationship that refers to that entity.
      let owners = columns.filter { names($0, "Z_", owner, inverse.relationship.name) }
      let members = columns.filter { names($0, "Z_", inverse.owner, relationship.name) }
      guard owners.count == 1, members.count == 1, owners != members else { continue }
      found.append(
        Join(
          table: table, owner: owners[0], member: members[0],
          order: columns.first { $0 == "Z_FOK_" + members[0].dropFirst(2) },
          inverseOrder: columns.first { $0 == "Z_FOK_" + owners[0].dropFirst(2) }))
    }
    guard let join = found.first, found.count == 1 else {
      throw AppleStoreProblem(
        found.isEmpty
          ? "the table of the many-to-many relationship \(title) is missing"
          : "several tables match \(title): \(found.map(\.table).sorted().joined(separator: ", "))")
    }
    return join
  }

  /// Returns true for `<prefix><number><NAME>`, where the number identifies the entity or a superentity. A second
  /// number may follow to distinguish equal names.
  private func names(_ text: String, _ prefix: String, _ entity: String, _ name: String) -> Bool {
    ancestors(of: entity).compactMap { contents.numbers[$0] }.contains { number in
      let start = "\(prefix)\(number)\(Self.capitals(name))"
      return text.hasPrefix(start) && text.dropFirst(start.count).allSatisfy { $0.isASCII && $0.isNumber }
    }
  }
}
