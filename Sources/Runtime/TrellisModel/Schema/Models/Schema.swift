/// The models of a store and how they relate: immutable once made.
///
/// Naming one model is enough, those its relationships lead to are found:
///
///     let schema = Schema(Trip.self)
///     schema.entitiesByName.keys.sorted()   // ["BucketListItem", "LivingAccommodation", "Trip"]
public final class Schema: @unchecked Sendable {  // entities do not change once it is in use
  /// In the order they were given, followed by those that were found through relationships.
  public let entities: [Entity]
  /// The entities, by name.
  public let entitiesByName: [String: Entity]
  /// The version of the models.
  public let version: Version
  /// The version of the form ``encode(to:)`` writes.
  public let encodingVersion: Version
  /// The version of the form this library writes.
  public static let schemaEncodingVersion = Version(1, 0, 0)

  /// Names that two different models of the schema claim.
  package let conflictingNames: [String]
  /// The text of a schema whose models are described and not compiled.
  let describedSource: SchemaSource?

  package init(
    entities: [Entity], version: Version, encodingVersion: Version = schemaEncodingVersion,
    conflicting: [String] = [], source: SchemaSource? = nil
  ) {
    self.entities = entities
    self.describedSource = source
    self.entitiesByName = Dictionary(
      entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.version = version
    self.encodingVersion = encodingVersion
    self.conflictingNames = conflicting
  }

  /// A schema without models.
  public convenience init() {
    self.init(entities: [], version: Version(1, 0, 0))
  }

  /// A schema of entities described by hand; their subentities come along.
  public convenience init(_ entities: Entity..., version: Version = Version(1, 0, 0)) {
    var all: [Entity] = []
    for entity in entities.flatMap(\.hierarchy) where !all.contains(where: { $0 === entity }) {
      all.append(entity)
    }
    self.init(entities: all, version: version, conflicting: Self.duplicates(in: all.map(\.name)))
    link()
  }

  /// The schema of the given models and of every model their relationships lead to.
  public convenience init(
    _ types: [any PersistentModel.Type], version: Version = Version(1, 0, 0)
  ) {
    let found = Self.reachable(from: types)
    self.init(entities: found.types.map(Entity.init(model:)), version: version, conflicting: found.conflicting)
    link()
  }

  /// The schema of the given models and of every model their relationships lead to.
  public convenience init(
    _ types: any PersistentModel.Type..., version: Version = Version(1, 0, 0)
  ) {
    self.init(types, version: version)
  }

  /// The schema of one generated version.
  public convenience init(versionedSchema: any VersionedSchema.Type) {
    self.init(versionedSchema.models, version: versionedSchema.versionIdentifier)
  }

  /// The entity of a model; nil when the schema does not have it.
  public func entity<T: PersistentModel>(for type: T.Type) -> Entity? {
    entitiesByName[type._$definition.entityName]
  }

  /// The name a model's entity has in every schema.
  public static func entityName<T: PersistentModel>(for type: T.Type) -> String {
    type._$definition.entityName
  }

  /// The class of an entity; nil if the program or the schema does not have it. Not in SwiftData.
  ///
  ///     schema.modelType(named: identifier.entityName)
  public func modelType(named entityName: String) -> (any PersistentModel.Type)? {
    definition(named: entityName)?.modelType
  }

  /// The entity of a name, or the one that was called so in the version before: identifiers outlive a
  /// renaming.
  package func entity(formerly name: String) -> Entity? {
    entitiesByName[name] ?? entities.first { $0.originalName == name }
  }

  /// The runtime's table of an entity; nil when the schema does not have it.
  func definition(named name: String) -> ModelDefinition? { entitiesByName[name]?.definition }

  /// The schema of some of the entities; those and what they are tied to stay the same objects.
  package func subset(of names: Set<String>) -> Schema {
    Schema(
      entities: entities.filter { names.contains($0.name) }, version: version,
      encodingVersion: encodingVersion, conflicting: conflictingNames.filter(names.contains))
  }

  private static func duplicates(in names: [String]) -> [String] {
    Dictionary(grouping: names, by: \.self).filter { $1.count > 1 }.keys.sorted()
  }
}

extension Schema: Hashable {
  /// Schemas are equal when they have the same version and equal entities, in any order.
  public static func == (lhs: Schema, rhs: Schema) -> Bool {
    if lhs === rhs { return true }
    return lhs.version == rhs.version && lhs.entities.count == rhs.entities.count
      && lhs.entitiesByName == rhs.entitiesByName
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(version)
    hasher.combine(Set(entitiesByName.keys))
  }
}

extension Schema: CustomDebugStringConvertible {
  public var debugDescription: String {
    (["schema \(version)"] + entities.map(\.debugDescription)).joined(separator: "\n")
  }
}

// MARK: Properties

/// What a schema can hold for a model: an attribute, a relationship, an index or a constraint.
public protocol SchemaProperty: Codable, Hashable {
  /// The name of the property in Swift.
  var name: String { get set }
  /// The name in the previous version of the schema; ``name`` when it was not renamed.
  var originalName: String { get set }
  /// The type of the property in Swift.
  var valueType: any Any.Type { get set }
  /// Whether no two models may have the same value.
  var isUnique: Bool { get }
  /// Whether the property holds a value.
  var isAttribute: Bool { get }
  /// Whether the property refers to models.
  var isRelationship: Bool { get }
  /// Whether the value is never written to a store.
  var isTransient: Bool { get }
  /// Whether nil is a value.
  var isOptional: Bool { get }
}

extension SchemaProperty {
  /// False unless the property says otherwise.
  public var isAttribute: Bool { false }
  /// False unless the property says otherwise.
  public var isRelationship: Bool { false }
  public var isTransient: Bool { false }
  public var isOptional: Bool { valueType is any OptionalValue.Type }
}

/// The property by its class. A failing cast takes longer than the question.
extension SchemaProperty {
  /// The property itself, if it is an attribute.
  package var asAttribute: Schema.Attribute? { isAttribute ? self as? Schema.Attribute : nil }
  /// The property itself, if it is a relationship.
  package var asRelationship: Schema.Relationship? { isRelationship ? self as? Schema.Relationship : nil }
}

extension Schema {
  /// One entry of a model's `schemaMetadata`: a stored property, or a constraint of the model.
  public struct PropertyMetadata {
    // No initialiser is inlined: generated code calls one for each property of each model, and does so
    // once in a process.

    package let name: String
    /// Nil for a constraint.
    package let keypath: AnyKeyPath?
    /// The property from an optional of the model; nil if no reference leads to the model.
    let chain: AnyKeyPath?
    let defaultValue: Any?
    package let metadata: (any SchemaProperty)?

    /// Describes a stored property.
    ///
    /// - Parameters:
    ///   - name: the property's name in Swift.
    ///   - keypath: the property, spelled through the model class itself.
    ///   - chain: the property, spelled through an optional of the class. Sort orders over optional references need it.
    ///   - defaultValue: what the schema assigns to the property; nil when it assigns nothing.
    ///   - metadata: a ``Schema/Attribute`` or ``Schema/Relationship`` with what was written in
    ///     front of the property; nil for a property without annotation.
    @inline(never)
    public init(
      name: String, keypath: AnyKeyPath, chain: AnyKeyPath? = nil, defaultValue: Any? = nil,
      metadata: (any SchemaProperty)? = nil
    ) {
      self.name = name
      self.keypath = keypath
      self.chain = chain
      self.defaultValue = defaultValue
      self.metadata = metadata
    }

    /// Describes a constraint of the model: a ``Schema/Unique`` or a ``Schema/Index``.
    ///
    /// SwiftData has no counterpart of this initialiser.
    @inline(never)
    public init(constraint: any SchemaProperty) {
      self.name = constraint.name
      self.keypath = nil
      chain = nil
      self.defaultValue = nil
      self.metadata = constraint
    }
  }
}

/// Uniqueness or indices whose model type is not known.
protocol SchemaConstraint {
  func add(to entity: Schema.Entity)
}

extension String {
  /// Nil for the empty string.
  package var nonEmpty: String? { isEmpty ? nil : self }
}

// MARK: Versions

/// One version of a schema: its models and its number.
///
/// The schema compiler writes one per version.
public protocol VersionedSchema: SendableMetatype {
  /// The models of the version.
  static var models: [any PersistentModel.Type] { get }
  /// The number of the version.
  static var versionIdentifier: Schema.Version { get }
  /// The schema text this version was generated from; written by generated code.
  static var _$source: SchemaSource { get }
}

extension VersionedSchema {
  /// A version written by hand has no text.
  public static var _$source: SchemaSource { .none }
}

/// The schema text a version was generated from.
public struct SchemaSource: Sendable, Hashable {
  /// The name of the schema.
  public let name: String
  /// Changes exactly when the meaning of the schema does.
  public let fingerprint: String
  public let text: String
  /// True if a version of the schema was frozen when the code was generated.
  public let hasReleases: Bool

  /// The text of one schema file.
  public init(name: String, fingerprint: String, text: String, hasReleases: Bool = false) {
    self.name = name
    self.fingerprint = fingerprint
    self.text = text
    self.hasReleases = hasReleases
  }

  /// What a version written by hand has.
  static var none: SchemaSource { SchemaSource(name: "", fingerprint: "", text: "") }
}

// MARK: Linking

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
  package static func superclass(of type: any PersistentModel.Type) -> (any PersistentModel.Type)? {
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
    let relationships = entities.flatMap { entity in Schema.relationships(in: entity.properties).map { ($0, entity) } }
    for (relationship, _) in relationships { fillNames(of: relationship) }
    for (relationship, entity) in relationships { fillInverse(of: relationship, in: entity) }
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
    if relationship.inverseName == nil, let candidate = onlyCandidate(for: relationship, in: entity),
      candidate.inverseName != nil || onlyCandidate(for: candidate, in: destination) === relationship
    {
      relationship.inverseName = candidate.name
    }
    guard let other = relationship.inverseName.flatMap({ destination.relationshipsByName[$0] }) else { return }
    if other.inverseName == nil { other.inverseName = relationship.name }
    if relationship.inverseKeyPath == nil { relationship.inverseKeyPath = other.keypath }
    if other.inverseKeyPath == nil { other.inverseKeyPath = relationship.keypath }
  }

  /// The only property of the destination that can be the inverse, for handwritten metadata. Generated metadata names every
  /// inverse.
  private func onlyCandidate(for relationship: Relationship, in entity: Entity) -> Relationship? {
    guard !relationship.options.contains(.unidirectional), let destination = entitiesByName[relationship.destination]
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
      addConstraint(of: property)
    }
    for constraint in definition.layout.constraints { (constraint as? any SchemaConstraint)?.add(to: self) }
  }

  private static func property(
    _ entry: Schema.PropertyMetadata, _ keyPath: AnyKeyPath, _ known: ModelProperty.Kind?
  ) -> any SchemaProperty {
    let valueType = Swift.type(of: keyPath).valueType
    let kind = known ?? ModelProperty.Kind(valueType: valueType)
    guard case .attribute = kind else {
      let relationship = entry.metadata as? Schema.Relationship ?? Schema.Relationship()
      relationship.describe(name: entry.name, keypath: keyPath, kind: kind)
      return relationship
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
