import SchemaModel

/// A schema's models with all superclasses and subclasses.
struct SchemaGraph {
  let schema: ResolvedSchema
  private let entities: [String: ResolvedEntity]
  private let below: [String: [String]]

  init(_ schema: ResolvedSchema) {
    self.schema = schema
    entities = Dictionary(schema.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    below = Dictionary(grouping: schema.entities.filter { $0.superentity != nil }) { $0.superentity ?? "" }
      .mapValues { $0.map(\.name) }
  }

  func entity(_ name: String) -> ResolvedEntity? { entities[name] }

  /// Returns a model and all subclasses.
  func members(of name: String) -> [String] { [name] + (below[name] ?? []).flatMap(members) }

  /// Returns a model and all superclasses, starting with the root.
  func line(of name: String) -> [ResolvedEntity] {
    guard let entity = entities[name] else { return [] }
    return (entity.superentity.map(line) ?? []) + [entity]
  }

  func root(of name: String) -> String { line(of: name).first?.name ?? name }

  /// Returns a model's stored attributes, inherited attributes first.
  func attributes(of name: String) -> [ResolvedAttribute] {
    line(of: name).flatMap(\.properties).compactMap { property in
      guard case .attribute(let attribute) = property, !attribute.isTransient,
        !attribute.options.contains(.ephemeral)
      else { return nil }
      return attribute
    }
  }

  /// All relationships as pairs. Each pair starts with the to-one side, if there is a to-one side.
  var pairs: [RelationshipPair] {
    var done: Set<String> = []
    var pairs: [RelationshipPair] = []
    for entity in schema.entities {
      for case .relationship(let relationship) in entity.properties {
        let pair = pair(relationship, of: entity.name)
        guard done.insert(pair.own.key).inserted else { continue }
        if let other = pair.other { done.insert(other.key) }
        let isTurned = pair.own.isToMany && pair.other?.isToMany == false
        pairs.append(isTurned ? pair.turned : pair)
      }
    }
    return pairs
  }

  private func pair(_ relationship: ResolvedRelationship, of owner: String) -> RelationshipPair {
    var other: RelationshipPair.Side?
    if case .property(let name) = relationship.inverse {
      for entity in line(of: relationship.destination) {
        for case .relationship(let found) in entity.properties where found.name == name {
          other = RelationshipPair.Side(model: entity.name, relationship: found)
        }
      }
    }
    return RelationshipPair(
      own: RelationshipPair.Side(model: owner, relationship: relationship), other: other,
      target: relationship.destination)
  }

  /// Returns true if no two rows may have the same target. For a constraint on several properties, returns false if a
  /// different property already has a distinct value in every row.
  func isUnique(_ side: RelationshipPair.Side, _ values: TypeValues) -> Bool {
    if side.isToMany { return false }
    let name = side.relationship.name
    return side.relationship.isUnique
      || members(of: side.model).contains { model in
        (entity(model)?.uniques ?? []).contains { unique in
          unique.properties.contains(name)
            && !unique.properties.contains { count($0, of: model, values) == .max }
        }
      }
  }

  /// Returns the number of distinct values for an attribute or a flattened field; 0 for other properties.
  func count(_ path: String, of model: String, _ values: TypeValues) -> Int {
    let parts = path.split(separator: ".").map(String.init)
    guard let found = attributes(of: model).first(where: { $0.name == parts.first }) else { return 0 }
    return parts.count == 2 ? values.count(of: found.type, field: parts[1]) : values.count(of: found.type)
  }
}

/// A relationship and the inverse relationship.
struct RelationshipPair {
  struct Side {
    let model: String
    let relationship: ResolvedRelationship

    var key: String { "\(model).\(relationship.name)" }
    var isToMany: Bool { relationship.isToMany }
    var isOptional: Bool { relationship.isOptional }
    var isRequired: Bool { relationship.isRequired }
    /// The minimum member count for a list that is not empty.
    var minimum: Int { isToMany ? max(0, relationship.minimumCount ?? 0) : 0 }
    /// The maximum member count for a list.
    var maximum: Int {
      guard isToMany, let count = relationship.maximumCount, count > 0 else { return .max }
      return count
    }
    /// True if the app can save an empty list.
    var mayBeEmpty: Bool { minimum == 0 || isOptional }

    /// Returns true if the members can be distributed over lists within these bounds.
    func canHold(_ members: Int) -> Bool {
      guard members > 0, minimum > 0 else { return true }
      let fewest = maximum == .max ? 1 : (members + maximum - 1) / maximum
      return fewest <= members / minimum
    }
  }

  let own: Side
  let other: Side?
  /// The first side's destination.
  let target: String

  var turned: RelationshipPair {
    guard let other else { return self }
    return RelationshipPair(own: other, other: own, target: other.relationship.destination)
  }

  /// True for a relationship that is its own inverse, for example friends.
  var isItsOwnInverse: Bool { own.key == other?.key }
}
