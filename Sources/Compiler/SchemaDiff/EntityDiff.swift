import SchemaModel

/// Compares the models of two versions, including their members.
enum EntityDiff {
  static func changes(_ names: NameHistory) -> [SchemaChange] {
    var changes: [SchemaChange] = []
    for (old, new) in names.entities.pairs {
      guard let old else {
        changes.append(.entity(.added(new)))
        continue
      }
      changes += EntityChange.changes(from: old, to: new, names).map { .entity($0) }
      changes += properties(of: old, new, names)
      changes += UniqueChange.changes(from: old, to: new, names).map { .unique($0) }
      changes += IndexChange.changes(from: old, to: new, names).map { .index($0) }
    }
    return changes + names.entities.removed.map { .entity(.removed($0)) }
  }

  private static func properties(
    of old: ResolvedEntity, _ new: ResolvedEntity, _ names: NameHistory
  ) -> [SchemaChange] {
    let pairing = names.properties(of: new)
    var changes: [SchemaChange] = []
    for pair in pairing.pairs {
      switch pair {
      case (nil, let property):
        changes.append(added(property, to: new.name))
      case (.attribute(let before)?, .attribute(let after)):
        changes += AttributeChange.changes(from: before, to: after, in: new.name).map {
          .attribute($0)
        }
      case (.relationship(let before)?, .relationship(let after)):
        changes += RelationshipChange.changes(
          from: before, of: old.name, to: after, of: new.name, names
        ).map { .relationship($0) }
      // An attribute and a relationship share nothing, even if the name is the same.
      case (.attribute?, .relationship), (.relationship?, .attribute):
        if let before = pair.old { changes.append(removed(before, from: new.name)) }
        changes.append(added(pair.new, to: new.name))
      }
    }
    return changes + pairing.removed.map { removed($0, from: new.name) }
  }

  private static func added(_ property: ResolvedProperty, to entity: String) -> SchemaChange {
    switch property {
    case .attribute(let attribute):
      .attribute(AttributeChange(entity: entity, aspect: .added, new: attribute))
    case .relationship(let relationship):
      .relationship(RelationshipChange(entity: entity, aspect: .added, new: relationship))
    }
  }

  private static func removed(_ property: ResolvedProperty, from entity: String) -> SchemaChange {
    switch property {
    case .attribute(let attribute):
      .attribute(AttributeChange(entity: entity, aspect: .removed, old: attribute))
    case .relationship(let relationship):
      .relationship(RelationshipChange(entity: entity, aspect: .removed, old: relationship))
    }
  }
}
