extension Schema {
  /// A model in a schema.
  ///
  /// ```swift
  /// if let trip = container.schema.entity(for: Trip.self) {
  ///   trip.relationshipsByName.keys.sorted()  // ["bucketList", "livingAccommodation"]
  ///   trip.uniquenessConstraints  // [["name", "startDate", "endDate"]]
  ///   trip.indices  // [["startDate"], ["destination", "startDate"]]
  /// }
  /// ```
  public final class Entity: @unchecked Sendable {  // changed only before the schema is shared
    /// The entity name, normally the class name.
    public var name: String
    /// The entity's own properties, in declaration order.
    public var storedProperties: [any SchemaProperty]
    /// The superentities' properties, beginning with the root entity.
    public var inheritedProperties: [any SchemaProperty]
    /// Each unique constraint's property names. Attributes and to-one relationships that are marked unique come first,
    /// followed by `#Unique` constraints.
    public var uniquenessConstraints: [[String]]
    /// Each index's property names.
    public var indices: [[String]]
    /// The superentity.
    public weak var superentity: Entity? {
      didSet { if let superentity { superentityName = superentity.name } }
    }
    /// The superentity's name.
    public var superentityName: String?
    /// The direct subentities.
    public var subentities: Set<Entity>

    /// The model's run-time definition; nil if the entity is handwritten or was decoded.
    package var definition: ModelDefinition?
    /// The name in the previous schema version.
    package var originalName: String
    /// A decoded entity's subentity names before linking.
    var unlinkedSubentityNames: Set<String> = []
    /// Conflict policies other than `.replace`, by constraint.
    package var conflictPolicies: [[String]: ConflictPolicy] = [:]
    /// The R*Tree indexes among ``indices``.
    package var rtreeIndices: Set<[String]> = []

    /// Creates an entity that has no properties.
    ///
    /// ```swift
    /// let stop = Schema.Entity("Stop")
    /// stop.storedProperties = [Schema.Attribute(name: "city", valueType: String.self)]
    /// stop.indices = [["city"]]
    /// ```
    public init(_ name: String) {
      self.name = name
      self.originalName = name
      self.storedProperties = []
      self.inheritedProperties = []
      self.uniquenessConstraints = []
      self.indices = []
      self.subentities = []
    }

    /// Creates an entity with properties and subentities.
    ///
    /// ```swift
    /// let business = Schema.Entity(
    ///   "BusinessTrip", properties: Schema.Attribute(name: "client", valueType: String.self))
    /// let trip = Schema.Entity(
    ///   "Trip", subentities: business,
    ///   properties: Schema.Attribute(name: "name", options: [.unique], valueType: String.self))
    /// let schema = Schema(trip)
    /// business.properties.map(\.name)  // ["name", "client"]
    /// ```
    ///
    /// - Parameters:
    ///   - name: The entity name.
    ///   - subentities: The entities that inherit the properties.
    ///   - properties: Attributes and relationships in declaration order, indexes and unique constraints.
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

    /// Adds a unique property's constraint.
    package func addConstraint(of property: any SchemaProperty) {
      guard property.isUnique, property.asRelationship?.isToMany != true else { return }
      // Two owners with the same destination are not duplicates of each other.
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

    /// Returns the policy that applies if a new model's unique values already exist.
    ///
    /// ```swift
    /// if let trip = container.schema.entity(for: Trip.self) {
    ///   trip.conflictPolicy(for: ["name", "startDate", "endDate"])  // .replace
    /// }
    /// ```
    ///
    /// Not in SwiftData.
    ///
    /// - Parameter constraint: A unique constraint's property names, as in ``uniquenessConstraints``.
    /// - Returns: The policy; ``Schema/ConflictPolicy/replace`` for property names that are not a constraint.
    public func conflictPolicy(for constraint: [String]) -> ConflictPolicy {
      conflictPolicies[constraint] ?? .replace
    }
  }
}

extension Schema.Entity {
  /// All properties: inherited properties, then the entity's own.
  public var properties: [any SchemaProperty] { inheritedProperties + storedProperties }

  /// The entity's own properties, by name.
  public var storedPropertiesByName: [String: any SchemaProperty] {
    get { Schema.byName(storedProperties) }
    set { storedProperties = Schema.replacing(storedProperties, with: newValue) }
  }

  /// The superentities' properties, by name.
  public var inheritedPropertiesByName: [String: any SchemaProperty] {
    get { Schema.byName(inheritedProperties) }
    set { inheritedProperties = Schema.replacing(inheritedProperties, with: newValue) }
  }

  /// The attributes, including inherited ones. Setting replaces the entity's own attributes.
  public var attributes: Set<Schema.Attribute> {
    get { Set(properties.compactMap { $0 as? Schema.Attribute }) }
    set { setOwn(Array(newValue)) }
  }

  /// The attributes by name, including inherited ones. Setting replaces the entity's own attributes.
  public var attributesByName: [String: Schema.Attribute] {
    get { Schema.byName(properties.compactMap { $0 as? Schema.Attribute }) }
    set { setOwn(Array(newValue.values)) }
  }

  /// The relationships, including inherited ones. Setting replaces the entity's own relationships.
  public var relationships: Set<Schema.Relationship> {
    get { Set(properties.compactMap { $0 as? Schema.Relationship }) }
    set { setOwn(Array(newValue)) }
  }

  /// The relationships by name, including inherited ones. Setting replaces the entity's own relationships.
  public var relationshipsByName: [String: Schema.Relationship] {
    get { Schema.byName(Schema.relationships(in: properties)) }
    set { setOwn(Array(newValue.values)) }
  }

  /// Replaces the entity's own properties by kind. Attributes precede relationships.
  private func setOwn<P: SchemaProperty>(_ properties: [P]) {
    let inherited = Set(inheritedProperties.map(\.name))
    let own = Schema.byName(properties.filter { !inherited.contains($0.name) })
    let replaced = Schema.replacing(storedProperties.filter { $0 is P }, with: own)
    let others = storedProperties.filter { !($0 is P) }
    storedProperties = P.self is Schema.Attribute.Type ? replaced + others : others + replaced
  }

  /// The inheritance chain's root entity; the entity itself if it has no superentity.
  package var root: Schema.Entity { superentity?.root ?? self }

  /// Returns true if the entity is equal to `other` or inherits from it.
  func isKind(of other: Schema.Entity) -> Bool {
    self === other || superentity?.isKind(of: other) == true
  }

  /// The entity and all entities that inherit from it, parents first, sorted by name.
  package var hierarchy: [Schema.Entity] {
    [self] + subentities.sorted { $0.name < $1.name }.flatMap(\.hierarchy)
  }
}

extension Schema {
  /// Returns a class and all subclasses in the schema, parents first.
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

  /// Returns the new properties in the old order, with added properties at the end.
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
  /// Returns true if stores represent both entities' models in the same way.
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
  /// The entity name and the superentity, followed by one line per property.
  public var debugDescription: String {
    let heading = superentityName.map { "\(name): \($0)" } ?? name
    let lines = properties.map { property in
      "  " + ((property as? any CustomDebugStringConvertible)?.debugDescription ?? property.name)
    }
    return ([heading + " {"] + lines + ["}"]).joined(separator: "\n")
  }
}
