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
  let conflictingNames: [String]
  /// The text of a schema whose models are described and not compiled.
  let describedSource: SchemaSource?

  package init(
    entities: [Entity], version: Version, encodingVersion: Version, conflicting: [String],
    source: SchemaSource? = nil
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
    self.init(
      entities: [], version: Version(1, 0, 0), encodingVersion: Self.schemaEncodingVersion,
      conflicting: [])
  }

  /// A schema of entities described by hand; their subentities come along.
  public convenience init(_ entities: Entity..., version: Version = Version(1, 0, 0)) {
    var all: [Entity] = []
    for entity in entities.flatMap(\.hierarchy) where !all.contains(where: { $0 === entity }) {
      all.append(entity)
    }
    self.init(
      entities: all, version: version, encodingVersion: Self.schemaEncodingVersion,
      conflicting: Self.duplicates(in: all.map(\.name)))
    link()
  }

  /// The schema of the given models and of every model their relationships lead to.
  public convenience init(
    _ types: [any PersistentModel.Type], version: Version = Version(1, 0, 0)
  ) {
    let found = Self.reachable(from: types)
    self.init(
      entities: found.types.map(Entity.init(model:)), version: version,
      encodingVersion: Self.schemaEncodingVersion, conflicting: found.conflicting)
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
  func entity(formerly name: String) -> Entity? {
    entitiesByName[name] ?? entities.first { $0.originalName == name }
  }

  /// The runtime's table of an entity; nil when the schema does not have it.
  func definition(named name: String) -> ModelDefinition? { entitiesByName[name]?.definition }

  /// The schema of some of the entities; those and what they are tied to stay the same objects.
  func subset(of names: Set<String>) -> Schema {
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
