/// A store's models and relationships. Immutable after creation.
///
/// Related models are included automatically, so a single model is enough:
///
/// ```swift
/// let schema = Schema(Trip.self)
/// schema.entitiesByName.keys.sorted()  // ["BucketListItem", "LivingAccommodation", "Trip"]
/// let container = try ModelContainer(for: schema, configurations: ModelConfiguration(url: url))
/// ```
public final class Schema: @unchecked Sendable {  // entities do not change once it is in use
  /// The entities in the given order, followed by entities found through relationships.
  public let entities: [Entity]
  /// The entities by name.
  public let entitiesByName: [String: Entity]
  /// The models' schema version.
  public let version: Version
  /// The format version that ``encode(to:)`` writes.
  public let encodingVersion: Version
  /// The format version that this library writes.
  public static let schemaEncodingVersion = Version(1, 0, 0)

  /// The names that two different models in the schema share.
  package let conflictingNames: [String]
  /// The source of a schema whose models are described instead of compiled.
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

  /// Creates an empty schema.
  ///
  /// ```swift
  /// let schema = Schema()
  /// print(schema.entities.isEmpty)  // true
  /// ```
  public convenience init() {
    self.init(entities: [], version: Version(1, 0, 0))
  }

  /// Creates a schema from handwritten entities and all subentities.
  ///
  /// Such a schema describes models that have no class in this process. Tools compare it with other schemas or write it
  /// to a file.
  ///
  /// ```swift
  /// let item = Schema.Entity(
  ///   "BucketListItem", properties: Schema.Attribute(name: "title", valueType: String.self))
  /// try Schema(item, version: Schema.Version(1, 0, 0)).save(to: url)
  /// ```
  ///
  /// - Parameters:
  ///   - entities: The entities. Subentities are added after each entity.
  ///   - version: The models' schema version.
  public convenience init(_ entities: Entity..., version: Version = Version(1, 0, 0)) {
    var all: [Entity] = []
    for entity in entities.flatMap(\.hierarchy) where !all.contains(where: { $0 === entity }) {
      all.append(entity)
    }
    self.init(entities: all, version: version, conflicting: Self.duplicates(in: all.map(\.name)))
    link()
  }

  /// Creates a schema from the given models and all models reachable through relationships.
  ///
  /// ```swift
  /// var models: [any PersistentModel.Type] = [Trip.self]
  /// if ProcessInfo.processInfo.arguments.contains("--wishes") { models.append(Wish.self) }
  /// let schema = Schema(models)
  /// ```
  ///
  /// - Parameters:
  ///   - types: The model classes, in entity order. Superclasses and related models are appended.
  ///   - version: The models' schema version. If it is omitted, stores record the generated models' version.
  public convenience init(
    _ types: [any PersistentModel.Type], version: Version = Version(1, 0, 0)
  ) {
    let found = Self.reachable(from: types)
    self.init(entities: found.types.map(Entity.init(model:)), version: version, conflicting: found.conflicting)
    link()
  }

  /// Creates a schema from the given models and all models reachable through relationships.
  ///
  /// ```swift
  /// let archive = ModelConfiguration("archive", schema: Schema(Trip.self), url: url)
  /// ```
  ///
  /// - Parameters:
  ///   - types: The model classes, in entity order. Superclasses and related models are appended.
  ///   - version: The models' schema version. If it is omitted, stores record the generated models' version.
  public convenience init(
    _ types: any PersistentModel.Type..., version: Version = Version(1, 0, 0)
  ) {
    self.init(types, version: version)
  }

  /// Creates the schema for a version.
  ///
  /// A migration test creates a store of a released version in this way:
  ///
  /// ```swift
  /// let schema = Schema(versionedSchema: SampleTripsSchema.V2_0_0.self)
  /// let old = ModelContext(try ModelContainer(for: schema, configurations: ModelConfiguration(url: url)))
  /// old.insert(SampleTripsSchema.V2_0_0.BucketListItem(title: "Whale watching"))
  /// try old.save()
  /// ```
  public convenience init(versionedSchema: any VersionedSchema.Type) {
    self.init(versionedSchema.models, version: versionedSchema.versionIdentifier)
  }

  /// Returns a model's entity; nil if the schema does not contain it.
  ///
  /// ```swift
  /// let columns = container.schema.entity(for: Trip.self)?.attributesByName.keys.sorted() ?? []
  /// print(columns.joined(separator: ";"))  // address;budget;destination;endDate;kind;name;photo;startDate;tags
  /// ```
  public func entity<T: PersistentModel>(for type: T.Type) -> Entity? {
    entitiesByName[type._$definition.entityName]
  }

  /// Returns a model's entity name, which is the same in every schema.
  ///
  /// A custom store uses it to create identifiers:
  ///
  /// ```swift
  /// let identifier = try PersistentIdentifier.identifier(
  ///   for: "server", entityName: Schema.entityName(for: Trip.self), primaryKey: 17)
  /// ```
  public static func entityName<T: PersistentModel>(for type: T.Type) -> String {
    type._$definition.entityName
  }

  /// Returns an entity's model class; nil if the app or the schema does not contain it.
  ///
  /// Pass the class to a generic function to process every model in the container:
  ///
  /// ```swift
  /// func count<T: PersistentModel>(_ type: T.Type) throws -> Int { try context.fetchCount(FetchDescriptor<T>()) }
  /// for name in container.schema.entitiesByName.keys.sorted() {
  ///   if let type = container.schema.modelType(named: name) { print(name, try count(type)) }
  /// }
  /// ```
  ///
  /// Not in SwiftData.
  public func modelType(named entityName: String) -> (any PersistentModel.Type)? {
    definition(named: entityName)?.modelType
  }

  /// Returns the entity with a current or previous name. Identifiers survive a rename.
  package func entity(formerly name: String) -> Entity? {
    entitiesByName[name] ?? entities.first { $0.originalName == name }
  }

  /// Returns an entity's run-time definition; nil if the schema does not contain it.
  func definition(named name: String) -> ModelDefinition? { entitiesByName[name]?.definition }

  /// Returns a schema with some of the entities. The entities and links are shared with this schema.
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
  /// Returns true if both schemas have the same version and equal entities, in any order.
  ///
  /// Entities are equal if a store stores the models in the same way, even if one schema was read from a file:
  ///
  /// ```swift
  /// let recorded = try Schema.load(from: url)
  /// if recorded != Schema(Trip.self) { print("The models have changed since the schema was recorded") }
  /// ```
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
  /// The version, followed by each entity with all properties.
  public var debugDescription: String {
    (["schema \(version)"] + entities.map(\.debugDescription)).joined(separator: "\n")
  }
}

// MARK: Properties

/// A model's element in a schema: an attribute, a relationship, an index or a constraint.
///
/// An entity lists attributes and relationships together, in declaration order:
///
/// ```swift
/// let properties = container.schema.entity(for: BucketListItem.self)?.properties ?? []
/// for property in properties {
///   print(property.name, property.isRelationship ? "relationship" : "attribute")  // title attribute, …
/// }
/// ```
public protocol SchemaProperty: Codable, Hashable {
  /// The Swift property name.
  var name: String { get set }
  /// The name in the previous schema version; equal to ``name`` if the property was not renamed.
  var originalName: String { get set }
  /// The Swift property type.
  var valueType: any Any.Type { get set }
  /// True if the values must be unique.
  var isUnique: Bool { get }
  /// True if the property is an attribute.
  var isAttribute: Bool { get }
  /// True if the property is a relationship.
  var isRelationship: Bool { get }
  /// True if the value is never stored.
  var isTransient: Bool { get }
  /// True if the value can be nil.
  var isOptional: Bool { get }
}

extension SchemaProperty {
  /// The default is false.
  public var isAttribute: Bool { false }
  /// The default is false.
  public var isRelationship: Bool { false }
  /// The default is false.
  public var isTransient: Bool { false }
  /// The default is true for an optional value type.
  public var isOptional: Bool { valueType is any OptionalValue.Type }
}

/// Typed access to properties. A failing cast is slower than the test.
extension SchemaProperty {
  /// The property as an attribute; nil if it is not an attribute.
  package var asAttribute: Schema.Attribute? { isAttribute ? self as? Schema.Attribute : nil }
  /// The property as a relationship; nil if it is not a relationship.
  package var asRelationship: Schema.Relationship? { isRelationship ? self as? Schema.Relationship : nil }
}

extension Schema {
  /// An entry in a model's `schemaMetadata`: a stored property or a constraint.
  ///
  /// Generated code contains an entry for each stored property, followed by the constraints:
  ///
  /// ```swift
  /// static var schemaMetadata: [Schema.PropertyMetadata] {
  ///   [
  ///     Schema.PropertyMetadata(name: "title", keypath: \BucketListItem.title),
  ///     Schema.PropertyMetadata(name: "isInPlan", keypath: \BucketListItem.isInPlan, defaultValue: false),
  ///     Schema.PropertyMetadata(
  ///       name: "trip", keypath: \BucketListItem.trip,
  ///       metadata: Schema.Relationship(inverse: \Trip.bucketList)),
  ///     Schema.PropertyMetadata(constraint: Schema.Index<BucketListItem>([\.title])),
  ///   ]
  /// }
  /// ```
  public struct PropertyMetadata {
    // No initializer is inlined, because generated code calls an initializer for each model property, once per process.

    package let name: String
    /// Nil for a constraint.
    package let keypath: AnyKeyPath?
    /// The property's key path from an optional model; nil if no reference has this model as its destination.
    let chain: AnyKeyPath?
    let defaultValue: Any?
    package let metadata: (any SchemaProperty)?

    /// Creates an entry for a stored property.
    ///
    /// - Parameters:
    ///   - name: The Swift property name.
    ///   - keypath: The property's key path from the model class.
    ///   - chain: The property's key path from the optional model class. It is required for sorting through optional
    ///     references.
    ///   - defaultValue: The schema's default value; nil if there is none.
    ///   - metadata: A ``Schema/Attribute`` or ``Schema/Relationship`` with the property's annotation; nil if the
    ///     property has no annotation.
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

    /// Creates an entry for a ``Schema/Unique`` or ``Schema/Index`` constraint.
    ///
    /// SwiftData has no such initializer.
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

/// Uniqueness constraints or indexes with a statically unknown model type.
protocol SchemaConstraint {
  func add(to entity: Schema.Entity)
}

extension String {
  /// The string; nil if it is empty.
  package var nonEmpty: String? { isEmpty ? nil : self }
}

// MARK: Versions

/// A schema version: the models and the version number.
///
/// The schema compiler generates a type for each version. A handwritten version, as in SwiftData, lists the classes:
///
/// ```swift
/// enum TripsV1: VersionedSchema {
///   static let versionIdentifier = Schema.Version(1, 0, 0)
///   static var models: [any PersistentModel.Type] {
///     [Trip.self, BucketListItem.self, LivingAccommodation.self]
///   }
/// }
/// let container = try ModelContainer(
///   for: Schema(versionedSchema: TripsV1.self), configurations: ModelConfiguration(url: url))
/// ```
public protocol VersionedSchema: SendableMetatype {
  /// The models in the version.
  static var models: [any PersistentModel.Type] { get }
  /// The version number.
  static var versionIdentifier: Schema.Version { get }
  /// The schema source from which this version was generated. Implemented by generated code.
  static var _$source: SchemaSource { get }
}

extension VersionedSchema {
  /// Empty, because a handwritten version has no schema source.
  public static var _$source: SchemaSource { .none }
}

/// The schema source from which a version was generated.
public struct SchemaSource: Sendable, Hashable {
  /// The schema name.
  public let name: String
  /// The fingerprint, which changes if and only if the schema's meaning changes.
  public let fingerprint: String
  /// The schema file's text; empty for a handwritten version.
  public let text: String
  /// True if any schema version was frozen when the code was generated.
  public let hasReleases: Bool

  /// Creates a schema file's source.
  public init(name: String, fingerprint: String, text: String, hasReleases: Bool = false) {
    self.name = name
    self.fingerprint = fingerprint
    self.text = text
    self.hasReleases = hasReleases
  }

  /// The empty source for a handwritten version.
  static var none: SchemaSource { SchemaSource(name: "", fingerprint: "", text: "") }
}

// MARK: Linking

extension Schema {
  /// Returns the given models, all superclasses and all models reachable through relationships.
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

  /// Returns a model's superclass.
  package static func superclass(of type: any PersistentModel.Type) -> (any PersistentModel.Type)? {
    guard type._$definition.superentityName != nil else { return nil }
    return _getSuperclass(type) as? any PersistentModel.Type
  }

  /// Links entities to superentities and subentities, and relationships to inverses.
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

  /// Returns the only destination property that can be the inverse, for handwritten metadata. Generated metadata
  /// contains every inverse.
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
  /// Creates a generated model's entity.
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
