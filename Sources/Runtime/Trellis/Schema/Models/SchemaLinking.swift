extension Schema {
  /// The given models, what they inherit from and what their relationships lead to.
  static func reachable(
    from types: [any PersistentModel.Type]
  ) -> (types: [any PersistentModel.Type], conflicting: [String]) {
    var found: [any PersistentModel.Type] = []
    var names: [String: ObjectIdentifier] = [:]
    var conflicting: Set<String> = []
    var waiting = types
    var next = 0
    while next < waiting.count {
      let type = waiting[next]
      next += 1
      let name = type._$definition.entityName
      if let known = names[name] {
        if known != ObjectIdentifier(type) { conflicting.insert(name) }
        continue
      }
      names[name] = ObjectIdentifier(type)
      found.append(type)
      if let above = superclass(of: type) { waiting.append(above) }
      waiting += type._$definition.layout.properties.compactMap(\.kind.destination)
    }
    return (found, conflicting.sorted())
  }

  /// The model a model inherits from.
  static func superclass(of type: any PersistentModel.Type) -> (any PersistentModel.Type)? {
    guard type._$definition.superentityName != nil else { return nil }
    return _getSuperclass(type) as? any PersistentModel.Type
  }

  /// Ties entities to those above and below them and relationships to their inverses.
  package func link() {
    for entity in entities {
      guard let above = entity.superentityName.flatMap({ entitiesByName[$0] }) else { continue }
      if entity.superentity !== above { entity.superentity = above }
      if !above.subentities.contains(where: { $0 === entity }) { above.subentities.insert(entity) }
    }
    for root in entities where root.superentity == nil {
      for entity in root.hierarchy where entity.inheritedProperties.isEmpty {
        entity.inheritedProperties = entity.superentity?.properties ?? []
      }
    }
    for entity in entities {
      for relationship in Schema.relationships(in: entity.properties) {
        fillNames(of: relationship)
      }
    }
    for entity in entities {
      for relationship in Schema.relationships(in: entity.properties) {
        fillInverse(of: relationship, in: entity)
      }
    }
  }

  private func fillNames(of relationship: Relationship) {
    guard relationship.inverseName == nil, let keyPath = relationship.inverseKeyPath,
      let destination = entitiesByName[relationship.destination]
    else { return }
    relationship.inverseName =
      destination.definition?.layout.property(for: keyPath)?.name
      ?? destination.relationshipsByName.values.first { $0.keypath == keyPath }?.name
  }

  private func fillInverse(of relationship: Relationship, in entity: Entity) {
    guard let destination = entitiesByName[relationship.destination] else { return }
    if relationship.inverseName == nil {
      guard let candidate = onlyCandidate(for: relationship, in: entity) else { return }
      if candidate.inverseName == nil {
        guard onlyCandidate(for: candidate, in: destination)?.name == relationship.name
        else { return }
      }
      relationship.inverseName = candidate.name
    }
    guard let other = relationship.inverseName.flatMap({ destination.relationshipsByName[$0] })
    else { return }
    if other.inverseName == nil { other.inverseName = relationship.name }
    if relationship.inverseKeyPath == nil { relationship.inverseKeyPath = other.keypath }
    if other.inverseKeyPath == nil { other.inverseKeyPath = relationship.keypath }
  }

  /// The one property of the destination that could hold the same fact.
  ///
  /// Generated metadata names every inverse, so this finds something only in metadata written by
  /// hand.
  private func onlyCandidate(for relationship: Relationship, in entity: Entity) -> Relationship? {
    guard !relationship.options.contains(.unidirectional),
      let destination = entitiesByName[relationship.destination]
    else { return nil }
    let candidates = destination.relationshipsByName.values.filter { other in
      other !== relationship && !(destination === entity && other.name == relationship.name)
        && entitiesByName[other.destination].map(entity.isKind(of:)) == true
        && !other.options.contains(.unidirectional)
        && (other.inverseName == nil || other.inverseName == relationship.name)
    }
    return candidates.count == 1 ? candidates.first : nil
  }
}

extension Schema.Entity {
  /// The entity of a generated model.
  convenience init(model type: any PersistentModel.Type) {
    let definition = type._$definition
    self.init(definition.entityName)
    self.definition = definition
    originalName = definition.originalName ?? name
    superentityName = definition.superentityName
    let above = Schema.superclass(of: type)
    let inherited = Set(above?._$definition.layout.properties.map(\.name) ?? [])
    for entry in type.schemaMetadata {
      guard let keyPath = entry.keypath else { continue }
      let property = Self.property(
        entry, keyPath, definition.layout.property(named: entry.name)?.kind)
      if inherited.contains(entry.name) {
        inheritedProperties.append(property)
      } else {
        storedProperties.append(property)
      }
      if property.isUnique, (property as? Schema.Relationship)?.isToMany != true {
        uniquenessConstraints.append([entry.name])
        // Two owners of one model are not one owner that was inserted twice.
        if property is Schema.Relationship { conflictPolicies[[entry.name]] = .fail }
      }
    }
    for constraint in definition.layout.constraints {
      if let unique = constraint as? any UniquenessConstraint { add(unique) }
      if let index = constraint as? any IndexConstraint { add(index) }
    }
  }

  private static func property(
    _ entry: Schema.PropertyMetadata, _ keyPath: AnyKeyPath, _ known: ModelProperty.Kind?
  ) -> any SchemaProperty {
    let valueType = Swift.type(of: keyPath).valueType
    let kind = known ?? ModelProperty.Kind(valueType: valueType)
    guard case .attribute = kind else {
      return Schema.Relationship(
        entry.metadata as? Schema.Relationship, name: entry.name, keypath: keyPath, kind: kind)
    }
    let written = entry.metadata as? Schema.Attribute
    let attribute = Schema.Attribute.make(
      name: entry.name, originalName: written?.originalName.nonEmpty,
      options: written?.options ?? [], valueType: valueType, defaultValue: entry.defaultValue,
      hashModifier: written?.hashModifier)
    attribute.codedForm = written?.codedForm
    attribute.jsonFields = written?.jsonFields
    return attribute
  }
}
