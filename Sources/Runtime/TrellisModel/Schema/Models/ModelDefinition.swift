import Observation
import Synchronization

/// A model's run-time definition: the name, the codec and, on demand, the properties.
///
/// Generated code creates a definition for each model class. A definition does not depend on a container.
public final class ModelDefinition: Sendable {
  /// The entity name.
  public let entityName: String
  /// The name in the previous schema version; nil if it was not renamed.
  public let originalName: String?
  /// The superentity's name.
  public let superentityName: String?
  package let modelType: any PersistentModel.Type
  package let rootType: any PersistentModel.Type
  /// The root class's definition.
  package var root: ModelDefinition { rootType == modelType ? self : rootType._$definition }
  package let codec: any ModelCodec
  /// The model's schema version; nil for handwritten models.
  package let version: (any VersionedSchema.Type)?
  package let temporaryToken: IdentifierToken
  private let cachedLayout = LazyReference<ModelLayout>()
  private let cachedRelations = LazyReference<RelationTable>()

  /// Creates a definition. Called by generated code.
  ///
  /// - Parameters:
  ///   - snapshot: The model's generated snapshot type.
  ///   - name: The entity name.
  ///   - originalName: The name in older versions; nil if it is the same.
  ///   - superentity: The superclass's entity name; nil for a root class.
  ///   - version: The model's schema version.
  ///   - codec: The generated code's generation number, used to check compatibility with the library.
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

  /// Creates the definition for a model that has no class in this process. Such models can only be stored in tables.
  package convenience init(described name: String, originalName: String?, superentity: String?, layout: ModelLayout) {
    self.init(
      UnknownModel.Snapshot.self, described: name, originalName: originalName, superentity: superentity, layout: layout)
  }

  /// Creates the definition for a model whose rows are instances of a class that several models share.
  package convenience init<S: ModelSnapshot>(
    _ snapshot: S.Type, described name: String, originalName: String?, superentity: String?, layout: ModelLayout
  ) {
    self.init(snapshot, name: name, originalName: originalName, superentity: superentity, codec: 1)
    _ = cachedLayout.storeIfNil(layout)
  }

  /// True if the model has no class.
  var isDescribed: Bool { modelType == UnknownModel.self }

  /// The stored properties, read from `schemaMetadata` on first use.
  package var layout: ModelLayout {
    cachedLayout.load() ?? cachedLayout.storeIfNil(ModelLayout(of: modelType))
  }

  /// The relationships with the inverses from the related models' definitions.
  package var relations: RelationTable {
    cachedRelations.load() ?? cachedRelations.storeIfNil(RelationTable(of: layout))
  }

  private static let nextTemporary = Atomic<Int64>(1)

  /// Returns a new temporary identifier.
  public func temporaryIdentifier() -> PersistentIdentifier {
    let serial = Self.nextTemporary.wrappingAdd(1, ordering: .relaxed).oldValue
    return PersistentIdentifier(token: temporaryToken, row: serial)
  }
}

extension ModelDefinition {
  /// Returns true if the entity name belongs to this model or a superclass.
  package func isOrInherits(from name: String) -> Bool {
    if entityName == name { return true }
    guard superentityName != nil, let above = Schema.superclass(of: modelType) else { return false }
    return above._$definition.isOrInherits(from: name)
  }
}

// MARK: Codecs and snapshots

/// All operations on the values of a model class, with one dynamic call per row.
package protocol ModelCodec: AnyObject, Sendable {
  /// Decodes a row and creates a model from it.
  ///
  /// - Parameter state: The state for a model that the identity table registers afterwards.
  func makeModel(statement row: inout StatementRow, state: ModelState) throws -> AnyObject

  func makeBuffer(capacity: Int) -> SnapshotBuffer

  /// Decodes a row into a buffer.
  func read(statement row: inout StatementRow, into buffer: SnapshotBuffer) throws

  /// Copies a live model's values into a buffer.
  func capture(_ model: any PersistentModel, into buffer: SnapshotBuffer)

  func setReference(_ slot: Int, of model: any PersistentModel, to identifier: PersistentIdentifier?)

  func reference(_ slot: Int, of model: any PersistentModel) -> PersistentIdentifier?

  /// Returns an instance of the class or a subclass as a model.
  func model(from object: AnyObject) -> any PersistentModel

  /// Creates a placeholder model with only an identifier.
  func makePlaceholder(_ identifier: PersistentIdentifier) -> any PersistentModel

  /// Adds placeholder values with only an identifier. Creates no model, because a model class may run code in a
  /// deinitializer.
  func addPlaceholder(_ identifier: PersistentIdentifier, to buffer: SnapshotBuffer)

  /// Returns true for an instance of the class or a subclass.
  func takes(_ model: any PersistentModel) -> Bool

  /// Returns the objects that are instances of the class or a subclass.
  func own(_ objects: ArraySlice<AnyObject>) -> [AnyObject]

  /// Returns the identifiers for objects of the class.
  func identifiers(of objects: [AnyObject]) -> [PersistentIdentifier]
}

extension ModelCodec {
  /// Returns an empty list for models of the class.
  package func makeList(isLoaded: Bool) -> ModelList { ModelList(self, isLoaded: isLoaded) }

  /// Returns a loaded list that is equal to the stored members. The objects are unique and registered for the class's
  /// hierarchy.
  package func makeList(stored members: ArraySlice<AnyObject>) -> ModelList { ModelList(self, stored: own(members)) }

  /// Decodes any reader's values into a buffer.
  func read(_ reader: any RowReader, into buffer: SnapshotBuffer) throws {
    var row = StatementRow(reader)
    try read(statement: &row, into: buffer)
  }

  /// Returns a placeholder model with only an identifier.
  package func placeholder<M: PersistentModel>(_ identifier: PersistentIdentifier, as type: M.Type) -> M {
    unsafeDowncast(makePlaceholder(identifier) as AnyObject, to: type)
  }
}

final class TypedModelCodec<S: ModelSnapshot>: ModelCodec, @unchecked Sendable {  // never written
  private let isRoot = S.Model.Root.self == S.Model.self

  // A model's codec is looked up through its own class, and a buffer is created by its codec. The casts therefore
  // cannot fail, and checked casts would cost more than the operations themselves.
  @inline(__always) private static func typed(_ model: any PersistentModel) -> S.Model {
    unsafeDowncast(model as AnyObject, to: S.Model.self)
  }

  @inline(__always) private static func typed(_ buffer: SnapshotBuffer) -> TypedBuffer<S> {
    unsafeDowncast(buffer, to: TypedBuffer<S>.self)
  }

  func makeModel(
    statement row: inout StatementRow, state: ModelState
  ) throws -> AnyObject {
    try S.makeModel(statement: &row, state: state)
  }

  func makePlaceholder(_ identifier: PersistentIdentifier) -> any PersistentModel {
    S(placeholder: identifier).makeModel()
  }

  func addPlaceholder(_ identifier: PersistentIdentifier, to buffer: SnapshotBuffer) {
    Self.typed(buffer).append(S(placeholder: identifier))
  }

  func makeBuffer(capacity: Int) -> SnapshotBuffer { TypedBuffer<S>(capacity: capacity) }

  func read(statement row: inout StatementRow, into buffer: SnapshotBuffer) throws {
    guard let buffer = buffer as? TypedBuffer<S> else { return }
    buffer.append(try S.read(&row))
  }

  func capture(_ model: any PersistentModel, into buffer: SnapshotBuffer) {
    let buffer = Self.typed(buffer)
    buffer.nextRow().initialize(to: S(of: Self.typed(model)))
    buffer.advance()
  }

  func setReference(
    _ slot: Int, of model: any PersistentModel, to identifier: PersistentIdentifier?
  ) {
    S.setReference(slot, of: Self.typed(model), to: identifier)
  }

  func reference(_ slot: Int, of model: any PersistentModel) -> PersistentIdentifier? {
    S.reference(slot, of: Self.typed(model))
  }

  func model(from object: AnyObject) -> any PersistentModel {
    unsafeDowncast(object, to: S.Model.self)
  }

  func takes(_ model: any PersistentModel) -> Bool { model is S.Model }

  func own(_ objects: ArraySlice<AnyObject>) -> [AnyObject] {
    // Objects registered under a hierarchy's root may be instances of sibling classes.
    isRoot ? Array(objects) : objects.filter { $0 is S.Model }
  }

  func identifiers(of objects: [AnyObject]) -> [PersistentIdentifier] {
    unsafeBitCast(objects, to: [S.Model].self).map(\._$identifier)
  }
}

/// A model's typed stored values, generated as `Trip.Snapshot`.
///
/// A live model contains a snapshot inline; a store reads and writes it by slot. Attributes and to-one references share
/// a sequence of slots, in declaration order with inherited properties first. To-many lists have separate slots.
/// Equality, coding, copying and access by name are derived from `init(from:)` and `write(to:)`.
public protocol ModelSnapshot: Codable, Sendable {
  /// The model that the values belong to.
  associatedtype Model: PersistentModel

  /// The model's identifier.
  var persistentIdentifier: PersistentIdentifier { get set }

  /// Reads every stored property by slot.
  ///
  /// Most unreadable values are replaced by placeholders, and the row records the error. Code that reads a row must
  /// call ``StatementRow/check()`` before it uses the values.
  init(from row: inout StatementRow) throws

  /// Writes every stored property by slot.
  func write(to row: inout StatementBinder) throws

  /// Creates placeholder values with only an identifier.
  init(placeholder identifier: PersistentIdentifier)

  /// Copies a live model's values. To-many lists are excluded, because the context manages them.
  init(of model: Model)

  /// Creates an unregistered model with these values.
  consuming func makeModel() -> Model

  /// Creates an unregistered model with a row's values and a state that contains the owner.
  static func makeModel(statement row: inout StatementRow, state: ModelState) throws -> Model

  /// Restores these values in a model. Observers are not notified.
  func restore(_ model: Model)

  /// Returns the identifier in a to-one slot.
  func reference(_ slot: Int) -> PersistentIdentifier?

  /// Replaces the identifier in a to-one slot.
  mutating func setReference(_ slot: Int, to identifier: PersistentIdentifier?)

  /// Returns the identifiers in a to-many slot; nil if they were not loaded.
  func references(_ slot: Int) -> [PersistentIdentifier]?

  /// Replaces the identifiers in a to-many slot.
  mutating func setReferences(_ slot: Int, to identifiers: [PersistentIdentifier]?)

  /// Replaces a to-one reference in a live model. Observers are not notified.
  static func setReference(_ slot: Int, of model: Model, to identifier: PersistentIdentifier?)

  /// Returns a live model's to-one reference.
  static func reference(_ slot: Int, of model: Model) -> PersistentIdentifier?
}

extension ModelSnapshot {
  /// Creates a model from a row. Inlined into the model's module, where the compiler can optimize the copies.
  ///
  /// - Throws: An error with the row, property and value if a column has an unexpected form.
  @inlinable public static func makeModel(
    statement row: inout StatementRow, state: ModelState
  ) throws -> Model {
    let model = try Self.read(&row).makeModel()
    model._$state = state
    return model
  }

  /// Reads a row's values. Throws if any value cannot be read.
  @inlinable package static func read(_ row: inout StatementRow) throws -> Self {
    let values: Self
    do { values = try Self(from: &row) } catch { throw row.first(error) }
    try row.check()
    return values
  }

  // Defaults for models that have no relationships. Generated snapshots provide custom implementations.

  public func reference(_ slot: Int) -> PersistentIdentifier? { nil }

  public mutating func setReference(_ slot: Int, to identifier: PersistentIdentifier?) {}

  public func references(_ slot: Int) -> [PersistentIdentifier]? { nil }

  public mutating func setReferences(_ slot: Int, to identifiers: [PersistentIdentifier]?) {}

  public static func setReference(
    _ slot: Int, of model: Model, to identifier: PersistentIdentifier?
  ) {}

  public static func reference(_ slot: Int, of model: Model) -> PersistentIdentifier? { nil }
}

/// The snapshot of a model that inherits from another model. Generated code conforms to it.
///
/// Inherited values and the model's own values are stored separately. Both are read and written by property name:
///
/// ```swift
/// @Model
/// class Voyage {
///   var name: String
///   init(name: String) { self.name = name }
/// }
/// @Model
/// class BusinessVoyage: Voyage { var client: String = "" }
///
/// func title(of snapshot: BusinessVoyage.Snapshot) -> String {
///   "\(snapshot.name) for \(snapshot.client)"  // snapshot.base.name, snapshot.own.client
/// }
/// ```
@dynamicMemberLookup
public protocol DerivedSnapshot: ModelSnapshot {
  /// The superclass's snapshot type.
  associatedtype Base: ModelSnapshot
  /// The type for the model's own values.
  associatedtype OwnValues: Sendable

  /// The inherited values.
  var base: Base { get set }
  /// The model's own values.
  var own: OwnValues { get set }
}

extension DerivedSnapshot {
  /// One of the model's own properties.
  public subscript<Value>(dynamicMember path: WritableKeyPath<OwnValues, Value>) -> Value {
    get { own[keyPath: path] }
    set { own[keyPath: path] = newValue }
  }

  /// An inherited property.
  public subscript<Value>(dynamicMember path: WritableKeyPath<Base, Value>) -> Value {
    get { base[keyPath: path] }
    set { base[keyPath: path] = newValue }
  }
}

// MARK: Models without a class

/// Represents a model with an entity that is not in the schema. It contains only an identifier.
package final class UnknownModel: PersistentModel {
  package var _$state = ModelState()
  package var _$identifier: PersistentIdentifier

  package init(identifier: PersistentIdentifier) { self._$identifier = identifier }

  package func _$adopt(_ identifier: PersistentIdentifier) { _$identifier = identifier }

  package init(backingData: any BackingData<UnknownModel>) {
    self._$identifier =
      backingData.persistentModelID ?? UnknownModel._$definition.temporaryIdentifier()
  }

  package static var schemaMetadata: [Schema.PropertyMetadata] { [] }
  package static let _$definition = ModelDefinition(Snapshot.self, name: "", codec: 1)

  struct Snapshot: ModelSnapshot {
    typealias Model = UnknownModel
    var persistentIdentifier: PersistentIdentifier

    init(from row: inout StatementRow) { persistentIdentifier = row.identifier }
    init(placeholder identifier: PersistentIdentifier) { persistentIdentifier = identifier }
    init(of model: UnknownModel) { persistentIdentifier = model._$identifier }
    func write(to row: inout StatementBinder) {}
    func makeModel() -> UnknownModel { UnknownModel(identifier: persistentIdentifier) }
    func restore(_ model: UnknownModel) { model._$identifier = persistentIdentifier }
  }
}
