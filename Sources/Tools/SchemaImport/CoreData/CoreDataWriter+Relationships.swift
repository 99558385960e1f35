extension CoreDataWriter {
  mutating func relationships(of entity: CoreDataEntity) -> [(String, Int)] {
    entity.relationships.flatMap { relationship in
      lines(of: relationship, in: entity).map { ($0, relationship.line) }
    }
  }

  private mutating func lines(of relationship: CoreDataRelationship, in entity: CoreDataEntity) -> [String] {
    let title = "\(entity.name).\(relationship.name)"
    note(relationship.unknown)
    let lines = userInfo(relationship.userInfo, of: title, relationship.line)
    remark(relationship, title)
    let shown = CoreDataSpelling.line(relationship.name)
    guard !relationship.isTransient else {
      note(
        .notCarried, .transientRelationship, relationship.line,
        "'\(title)' is a transient relationship; write a computed property in an extension")
      return lines + ["// Not carried over: the transient relationship '\(shown)'"]
    }
    guard let destination = CoreDataSpelling.name(relationship.destination), entities[relationship.destination] != nil
    else {
      let where_ =
        relationship.destination.isEmpty ? "to no entity" : "to '\(relationship.destination)', which is missing"
      note(.notCarried, .noDestination, relationship.line, "'\(title)' refers \(where_)")
      return lines + ["// Not carried over: '\(shown)' refers \(CoreDataSpelling.line(where_))"]
    }
    guard let name = CoreDataSpelling.name(relationship.name) else {
      note(.notCarried, .name, relationship.line, "'\(title)' is not a valid Swift property name")
      return lines + ["// Not carried over: the name '\(shown)'"]
    }
    let arguments = arguments(of: relationship, in: entity)
    let attribute = arguments.isEmpty ? "" : "@Relationship(\(arguments.joined(separator: ", "))) "
    let type = relationship.isToMany ? "[\(destination)] = []" : destination + (relationship.isOptional ? "?" : "")
    return lines + ["\(attribute)var \(name): \(type)"]
  }

  private mutating func arguments(
    of relationship: CoreDataRelationship, in entity: CoreDataEntity
  ) -> [String] {
    var arguments: [String] = []
    if relationship.isToMany, relationship.isOrdered { arguments.append(".ordered") }
    switch relationship.deletionRule {
    case "Cascade": arguments.append("deleteRule: .cascade")
    case "Deny": arguments.append("deleteRule: .deny")
    case "No Action": arguments.append("deleteRule: .noAction")
    case "Nullify", nil: break
    case let rule?:
      note(
        .notCarried, .deletionRule, relationship.line,
        "the delete rule '\(rule)' of '\(entity.name).\(relationship.name)' is not supported")
    }
    arguments += counts(of: relationship, "\(entity.name).\(relationship.name)")
    if let original = renames.properties[entity.name]?[relationship.name] {
      arguments.append("originalName: \(CoreDataSpelling.literal(original))")
    }
    if let inverse = inverse(of: relationship, in: entity) { arguments.append("inverse: \(inverse)") }
    if let modifier = relationship.identity.hashModifier {
      arguments.append("hashModifier: \(CoreDataSpelling.literal(modifier))")
    }
    return arguments
  }

  /// Returns the count bounds. A list that is not optional must not be empty.
  private mutating func counts(of relationship: CoreDataRelationship, _ title: String) -> [String] {
    guard relationship.isToMany else { return [] }
    var arguments: [String] = []
    let minimum = max(relationship.minimum ?? 0, 0)
    if relationship.isOptional, minimum > 0 {
      note(
        .notCarried, .minimumCount, relationship.line,
        "'\(title)' can be empty or have at least \(minimum) members; "
          + "'minimumModelCount: \(minimum)' forbids empty lists")
    } else if !relationship.isOptional {
      arguments.append("minimumModelCount: \(max(minimum, 1))")
    }
    if let maximum = relationship.maximum, maximum > 0 { arguments.append("maximumModelCount: \(maximum)") }
    return arguments
  }

  /// Returns the inverse argument. A pair declares the inverse on the to-many side, or on the first side if neither or
  /// both are to-many. Returns nil for the opposite side.
  private mutating func inverse(of relationship: CoreDataRelationship, in entity: CoreDataEntity) -> String? {
    let title = "\(entity.name).\(relationship.name)"
    guard let name = relationship.inverse else { return "nil" }
    guard let (owner, other) = property(name, of: relationship.inverseEntity ?? relationship.destination) else {
      note(.check, .inverse, relationship.line, "the inverse '\(name)' of '\(title)' is missing and was removed")
      return "nil"
    }
    guard other.inverse == relationship.name, entities[other.destination] != nil else {
      note(
        .check, .inverse, relationship.line,
        "the inverse '\(name)' of '\(title)' has a different inverse and was removed")
      return "nil"
    }
    let isOwn = owner.name == entity.name && other.name == relationship.name
    let isHere =
      relationship.isToMany != other.isToMany
      ? relationship.isToMany : comes(entity, relationship, before: owner, other)
    guard isOwn || isHere, let path = CoreDataSpelling.name(name), let type = CoreDataSpelling.name(owner.name)
    else { return nil }
    return "\\\(type).\(path)"
  }

  private func comes(
    _ entity: CoreDataEntity, _ relationship: CoreDataRelationship, before owner: CoreDataEntity,
    _ other: CoreDataRelationship
  ) -> Bool {
    let order = model.entities.map(\.name)
    guard owner.name == entity.name, let here = order.firstIndex(of: entity.name) else {
      return order.firstIndex(of: entity.name) ?? 0 < order.firstIndex(of: owner.name) ?? 0
    }
    let names = model.entities[here].relationships.map(\.name)
    return names.firstIndex(of: relationship.name) ?? 0 < names.firstIndex(of: other.name) ?? 0
  }

  /// Finds a relationship in an entity or its superentities.
  private func property(_ name: String, of entity: String) -> (CoreDataEntity, CoreDataRelationship)? {
    var current = entities[entity]
    for _ in 0...entities.count {
      guard let owner = current else { return nil }
      if let found = owner.relationships.first(where: { $0.name == name }) { return (owner, found) }
      current = owner.parent.flatMap { entities[$0] }
    }
    return nil
  }

  private mutating func remark(_ relationship: CoreDataRelationship, _ title: String) {
    if relationship.isSpotlight {
      note(.check, .spotlight, relationship.line, "'\(title)' is indexed by Spotlight, which has no effect here")
    }
    if relationship.isInRecordFile {
      note(.notCarried, .recordFile, relationship.line, "'\(title)' is also stored in an external record file")
    }
    if !relationship.isSyncable {
      note(.notCarried, .notSynced, relationship.line, "'\(title)' is excluded from synchronization")
    }
  }
}
