import Synchronization

/// The runtime's table of one model: its name, its codec and, once requested, its properties.
///
/// Generated code makes one per model class; nothing in it depends on a container.
public final class ModelDefinition: Sendable {
  /// The name of the entity.
  public let entityName: String
  /// The name in the previous version of the schema; nil when it was not renamed.
  public let originalName: String?
  /// The name of the entity the model inherits from.
  public let superentityName: String?
  package let modelType: any PersistentModel.Type
  package let rootType: any PersistentModel.Type
  package let codec: any ModelCodec
  /// The version of its schema the model is of; nil for models written by hand.
  package let version: (any VersionedSchema.Type)?
  let temporaryToken: IdentifierToken
  private let cachedLayout = LazyReference<ModelLayout>()
  private let cachedRelations = LazyReference<RelationTable>()

  /// Made by generated code.
  ///
  /// - Parameters:
  ///   - snapshot: the model's generated values.
  ///   - name: the entity name.
  ///   - originalName: the name in older versions; nil if it is the same.
  ///   - superentity: the entity name of the superclass; nil for a root.
  ///   - version: the version of its schema the model is of.
  ///   - codec: the generation of generated code; part of the handshake with the runtime.
  public init<S: ModelSnapshot>(
    _ snapshot: S.Type, name: String, originalName: String? = nil, superentity: String? = nil,
    version: (any VersionedSchema.Type)? = nil, codec: Int
  ) {
    self.entityName = name
    self.originalName = originalName
    self.superentityName = superentity
    self.version = version
    self.modelType = S.Model.self
    self.rootType = S.Model.Root.self
    self.codec = TypedModelCodec<S>()
    self.temporaryToken = .interned(store: nil, entity: name)
  }

  /// Of a model this program has no class of: it can be kept in tables, and nothing more.
  package convenience init(described name: String, originalName: String?, superentity: String?, layout: ModelLayout) {
    self.init(
      UnknownModel.Snapshot.self, name: name, originalName: originalName, superentity: superentity,
      codec: 1)
    _ = cachedLayout.storeIfNil(layout)
  }

  /// Whether there is no class of the model.
  var isDescribed: Bool { modelType == UnknownModel.self }

  /// The stored properties, read from `schemaMetadata` on first use.
  package var layout: ModelLayout {
    cachedLayout.load() ?? cachedLayout.storeIfNil(ModelLayout(of: modelType))
  }

  /// The relationships with their other ends. Asks the definitions of other models.
  package var relations: RelationTable {
    cachedRelations.load() ?? cachedRelations.storeIfNil(RelationTable(of: layout))
  }

  private static let nextTemporary = Atomic<Int64>(1)

  /// A new identifier for a model no store has seen.
  public func temporaryIdentifier() -> PersistentIdentifier {
    let serial = Self.nextTemporary.wrappingAdd(1, ordering: .relaxed).oldValue
    return PersistentIdentifier(token: temporaryToken, row: serial)
  }
}

extension ModelDefinition {
  /// Whether an entity is this one or one it inherits from.
  func isOrInherits(from name: String) -> Bool {
    if entityName == name { return true }
    guard superentityName != nil, let above = Schema.superclass(of: modelType) else { return false }
    return above._$definition.isOrInherits(from: name)
  }
}
