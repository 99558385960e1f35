extension Schema {
  /// One model of a schema.
  public final class Entity: @unchecked Sendable {  // changed only before its schema is shared
    public var name: String
    /// The properties the entity itself declares, in declaration order.
    public var storedProperties: [any SchemaProperty]
    /// The properties of the entities above it, the root's first.
    public var inheritedProperties: [any SchemaProperty]
    /// The names of properties of which no two models may have the same values: attributes and
    /// to-one relationships marked unique, then `#Unique`.
    public var uniquenessConstraints: [[String]]
    /// The names of properties an index is kept for.
    public var indices: [[String]]
    /// The entity this one inherits from.
    public weak var superentity: Entity? {
      didSet { if let superentity { superentityName = superentity.name } }
    }
    /// The name of the entity this one inherits from.
    public var superentityName: String?
    /// The entities that inherit from this one directly.
    public var subentities: Set<Entity>

    /// The runtime's table of the model; nil for an entity described by hand or read from a file.
    package var definition: ModelDefinition?
    /// The name in the previous version of the schema.
    package var originalName: String
    /// The names of the subentities of an entity that was read and not tied to them yet.
    var unlinkedSubentityNames: Set<String> = []
    /// The policies of the constraints that do not replace.
    package var conflictPolicies: [[String]: ConflictPolicy] = [:]
    /// Those of ``indices`` that are R*Trees.
    package var rtreeIndices: Set<[String]> = []

    /// An entity without properties.
    public init(_ name: String) {
      self.name = name
      self.originalName = name
      self.storedProperties = []
      self.inheritedProperties = []
      self.uniquenessConstraints = []
      self.indices = []
      self.subentities = []
    }

    /// An entity with its own properties, and others that inherit from it.
    public convenience init(
      _ name: String, subentities: Entity..., properties: any SchemaProperty...
    ) {
      self.init(name)
      add(properties)
      self.subentities = Set(subentities)
      for subentity in subentities { subentity.superentity = self }
    }

    var subentityNames: Set<String> {
      unlinkedSubentityNames.union(subentities.map(\.name))
    }

    private func add(_ properties: [any SchemaProperty]) {
      for property in properties {
        if let constraint = property as? any SchemaConstraint {
          constraint.add(to: self)
        } else {
          storedProperties.append(property)
          addConstraint(of: property)
        }
      }
    }

    /// Adds the constraint of a unique property.
    package func addConstraint(of property: any SchemaProperty) {
      guard property.isUnique, property.asRelationship?.isToMany != true else { return }
      // Two owners of one model are not one owner that was inserted twice.
      add(unique: [property.name], property.isRelationship ? .fail : .replace)
    }

    package func add(unique names: [String], _ policy: ConflictPolicy) {
      if !uniquenessConstraints.contains(names) { uniquenessConstraints.append(names) }
      if policy != .replace { conflictPolicies[names] = policy }
    }

    package func add(index names: [String], isRTree: Bool) {
      if !indices.contains(names) { indices.append(names) }
      if isRTree { rtreeIndices.insert(names) }
    }

    /// What a store does when a new model has the values of an existing one. Not in SwiftData.
    public func conflictPolicy(for constraint: [String]) -> ConflictPolicy {
      conflictPolicies[constraint] ?? .replace
    }
  }
}

extension Schema.Entity {
  /// All properties: inherited ones, then the entity's own.
  public var properties: [any SchemaProperty] { inheritedProperties + storedProperties }

  /// The properties the entity itself declares, by name.
  public var storedPropertiesByName: [String: any SchemaProperty] {
    get { Schema.byName(storedProperties) }
    set { storedProperties = Schema.replacing(storedProperties, with: newValue) }
  }

  /// The properties of the entities above it, by name.
  public var inheritedPropertiesByName: [String: any SchemaProperty] {
    get { Schema.byName(inheritedProperties) }
    set { inheritedProperties = Schema.replacing(inheritedProperties, with: newValue) }
  }

  /// The attributes, inherited ones included. Setting replaces the entity's own.
  public var attributes: Set<Schema.Attribute> {
    get { Set(properties.compactMap { $0 as? Schema.Attribute }) }
    set { setOwn(Array(newValue)) }
  }

  /// The attributes, inherited ones included. Setting replaces the entity's own.
  public var attributesByName: [String: Schema.Attribute] {
    get { Schema.byName(properties.compactMap { $0 as? Schema.Attribute }) }
    set { setOwn(Array(newValue.values)) }
  }

  /// The relationships, inherited ones included. Setting replaces the entity's own.
  public var relationships: Set<Schema.Relationship> {
    get { Set(properties.compactMap { $0 as? Schema.Relationship }) }
    set { setOwn(Array(newValue)) }
  }

  /// The relationships, inherited ones included. Setting replaces the entity's own.
  public var relationshipsByName: [String: Schema.Relationship] {
    get { Schema.byName(Schema.relationships(in: properties)) }
    set { setOwn(Array(newValue.values)) }
  }

  /// Replaces the entity's own properties of a kind. Attributes precede relationships.
  private func setOwn<P: SchemaProperty>(_ properties: [P]) {
    let inherited = Set(inheritedProperties.map(\.name))
    let own = Schema.byName(properties.filter { !inherited.contains($0.name) })
    let replaced = Schema.replacing(storedProperties.filter { $0 is P }, with: own)
    let others = storedProperties.filter { !($0 is P) }
    storedProperties = P.self is Schema.Attribute.Type ? replaced + others : others + replaced
  }

  /// The root of the entity's inheritance chain: itself without inheritance.
  package var root: Schema.Entity { superentity?.root ?? self }

  /// Whether this is `other` or inherits from it.
  func isKind(of other: Schema.Entity) -> Bool {
    self === other || superentity?.isKind(of: other) == true
  }

  /// The entity and everything that inherits from it, parents first, in order of names.
  package var hierarchy: [Schema.Entity] {
    [self] + subentities.sorted { $0.name < $1.name }.flatMap(\.hierarchy)
  }
}

extension Schema {
  /// A class of the schema and its subclasses, parents first.
  package func classes(of definition: ModelDefinition) -> [ModelDefinition] {
    entitiesByName[definition.entityName]?.hierarchy.compactMap(\.definition) ?? [definition]
  }

  package static func relationships(in properties: [any SchemaProperty]) -> [Relationship] {
    properties.compactMap { $0.asRelationship }
  }

  fileprivate static func byName<P>(_ properties: [P]) -> [String: P] {
    Dictionary(properties.map { (($0 as? any SchemaProperty)?.name ?? "", $0) }) { first, _ in first
    }
  }

  /// The new properties in the order of the old ones, those that are new at the end.
  fileprivate static func replacing<P>(
    _ old: [any SchemaProperty], with new: [String: P]
  ) -> [any SchemaProperty] {
    let kept = old.compactMap { new[$0.name] as? any SchemaProperty }
    let names = Set(old.map(\.name))
    let added = new.filter { !names.contains($0.key) }.sorted { $0.key < $1.key }
    return kept + added.compactMap { $0.value as? any SchemaProperty }
  }
}

extension Schema.Entity: Hashable {
  /// Entities are equal when a store would keep their models alike.
  public static func == (lhs: Schema.Entity, rhs: Schema.Entity) -> Bool {
    if lhs === rhs { return true }
    return lhs.name == rhs.name && lhs.originalName == rhs.originalName
      && lhs.superentityName == rhs.superentityName && lhs.subentityNames == rhs.subentityNames
      && lhs.uniquenessConstraints == rhs.uniquenessConstraints && lhs.indices == rhs.indices
      && lhs.conflictPolicies == rhs.conflictPolicies && lhs.rtreeIndices == rhs.rtreeIndices
      && lhs.attributesByName == rhs.attributesByName
      && lhs.relationshipsByName == rhs.relationshipsByName
      && lhs.properties.map(\.name) == rhs.properties.map(\.name)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Schema.Entity: CustomDebugStringConvertible {
  public var debugDescription: String {
    let heading = superentityName.map { "\(name): \($0)" } ?? name
    let lines = properties.map { property in
      "  " + ((property as? any CustomDebugStringConvertible)?.debugDescription ?? property.name)
    }
    return ([heading + " {"] + lines + ["}"]).joined(separator: "\n")
  }
}
