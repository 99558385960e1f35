import Observation
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
  /// The definition at the top of the inheritance chain.
  package var root: ModelDefinition { rootType == modelType ? self : rootType._$definition }
  package let codec: any ModelCodec
  /// The version of its schema the model is of; nil for models written by hand.
  package let version: (any VersionedSchema.Type)?
  package let temporaryToken: IdentifierToken
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
  package func isOrInherits(from name: String) -> Bool {
    if entityName == name { return true }
    guard superentityName != nil, let above = Schema.superclass(of: modelType) else { return false }
    return above._$definition.isOrInherits(from: name)
  }
}

// MARK: Codecs and snapshots

/// Everything the runtime does with the values of one model class, behind one call a row.
package protocol ModelCodec: AnyObject, Sendable {
  /// Decodes the row and makes a model of it.
  ///
  /// - Parameter state: of a model that its table enters afterwards.
  func makeModel(statement row: inout StatementRow, state: ModelState) throws -> AnyObject

  func makeBuffer(capacity: Int) -> SnapshotBuffer

  /// Decodes the row into a buffer.
  func read(statement row: inout StatementRow, into buffer: SnapshotBuffer) throws

  /// Copies the values of a live model into a buffer.
  func capture(_ model: any PersistentModel, into buffer: SnapshotBuffer)

  func setReference(_ slot: Int, of model: any PersistentModel, to identifier: PersistentIdentifier?)

  func reference(_ slot: Int, of model: any PersistentModel) -> PersistentIdentifier?

  /// The model behind an object of the class or of a subclass.
  func model(from object: AnyObject) -> any PersistentModel

  /// A model of which only the identifier is known.
  func makePlaceholder(_ identifier: PersistentIdentifier) -> any PersistentModel

  /// Adds values of which only the identifier is known. Makes no model, because the class of a model may run code
  /// when a model is released.
  func addPlaceholder(_ identifier: PersistentIdentifier, to buffer: SnapshotBuffer)

  /// True for a model of the class or of a subclass.
  func takes(_ model: any PersistentModel) -> Bool

  /// The objects that are of the class or of a subclass.
  func own(_ objects: ArraySlice<AnyObject>) -> [AnyObject]

  /// The identifiers of objects of the class.
  func identifiers(of objects: [AnyObject]) -> [PersistentIdentifier]
}

extension ModelCodec {
  /// An empty list of models of the class.
  package func makeList(isLoaded: Bool) -> ModelList { ModelList(self, isLoaded: isLoaded) }

  /// A loaded list as the store has it, of objects that are registered for the class's hierarchy, each of them once.
  package func makeList(stored members: ArraySlice<AnyObject>) -> ModelList { ModelList(self, stored: own(members)) }

  /// Decodes the values of any reader into a buffer.
  func read(_ reader: any RowReader, into buffer: SnapshotBuffer) throws {
    var row = StatementRow(reader)
    try read(statement: &row, into: buffer)
  }

  /// A model of which only the identifier is known.
  package func placeholder<M: PersistentModel>(_ identifier: PersistentIdentifier, as type: M.Type) -> M {
    unsafeDowncast(makePlaceholder(identifier) as AnyObject, to: type)
  }
}

final class TypedModelCodec<S: ModelSnapshot>: ModelCodec, @unchecked Sendable {  // never written
  private let isRoot = S.Model.Root.self == S.Model.self

  // A model's codec is found through its own class, and a buffer is made by its codec: the casts
  // cannot fail, and checking them costs more than the work they precede.
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
    // What is registered under the root of a hierarchy may be of a class beside this one.
    isRoot ? Array(objects) : objects.filter { $0 is S.Model }
  }

  func identifiers(of objects: [AnyObject]) -> [PersistentIdentifier] {
    unsafeBitCast(objects, to: [S.Model].self).map(\._$identifier)
  }
}

/// The stored values of one model, typed: what generated code writes as `Trip.Snapshot`.
///
/// A live model keeps one of these inline; a store reads and writes them by slot. Attributes and
/// to-one references have slots of one number space, in declaration order with inherited ones first;
/// to-many lists have separate slots. Equality, coding, copying and access by name are derived
/// from `init(from:)` and `write(to:)`.
public protocol ModelSnapshot: Codable, Sendable {
  /// The model whose values these are.
  associatedtype Model: PersistentModel

  /// The identifier of the model.
  var persistentIdentifier: PersistentIdentifier { get set }

  /// Reads every stored property by slot.
  ///
  /// Placeholders replace most values that cannot be read, and the row keeps the error. Code that reads a row calls
  /// ``StatementRow/check()`` before the values are used.
  init(from row: inout StatementRow) throws

  /// Writes every stored property by slot.
  func write(to row: inout StatementBinder) throws

  /// Values for a model of which only the identifier is known.
  init(placeholder identifier: PersistentIdentifier)

  /// The values of a live model. To-many lists are not among them: the context knows those.
  init(of model: Model)

  /// A new model with these values, registered nowhere.
  consuming func makeModel() -> Model

  /// A new model with the values of a row and a state that names its owner, registered nowhere.
  static func makeModel(statement row: inout StatementRow, state: ModelState) throws -> Model

  /// Puts these values back into a model, without notifying anyone.
  func restore(_ model: Model)

  /// The identifier a to-one slot refers to.
  func reference(_ slot: Int) -> PersistentIdentifier?

  /// Changes the identifier a to-one slot refers to.
  mutating func setReference(_ slot: Int, to identifier: PersistentIdentifier?)

  /// The identifiers of a to-many slot; nil where they were not loaded.
  func references(_ slot: Int) -> [PersistentIdentifier]?

  /// Changes the identifiers of a to-many slot.
  mutating func setReferences(_ slot: Int, to identifiers: [PersistentIdentifier]?)

  /// Writes a to-one reference into a live model, without notifying anyone.
  static func setReference(_ slot: Int, of model: Model, to identifier: PersistentIdentifier?)

  /// Reads a to-one reference of a live model.
  static func reference(_ slot: Int, of model: Model) -> PersistentIdentifier?
}

extension ModelSnapshot {
  /// Inlined into the module of the model, where the compiler knows what is copied.
  ///
  /// - Throws: an error that names row, property and value if a column has another form.
  @inlinable public static func makeModel(
    statement row: inout StatementRow, state: ModelState
  ) throws -> Model {
    let model = try Self.read(&row).makeModel()
    model._$state = state
    return model
  }

  /// The values of a row, all of which can be read.
  @inlinable package static func read(_ row: inout StatementRow) throws -> Self {
    let values: Self
    do { values = try Self(from: &row) } catch { throw row.first(error) }
    try row.check()
    return values
  }

  // No relationships; generated snapshots have their own.

  public func reference(_ slot: Int) -> PersistentIdentifier? { nil }

  public mutating func setReference(_ slot: Int, to identifier: PersistentIdentifier?) {}

  public func references(_ slot: Int) -> [PersistentIdentifier]? { nil }

  public mutating func setReferences(_ slot: Int, to identifiers: [PersistentIdentifier]?) {}

  public static func setReference(
    _ slot: Int, of model: Model, to identifier: PersistentIdentifier?
  ) {}

  public static func reference(_ slot: Int, of model: Model) -> PersistentIdentifier? { nil }
}

/// The snapshot of a model that inherits from another one. Generated code conforms to it.
///
/// What is inherited and what is the model's own are two values; both are read and written by the names
/// of their properties:
///
/// ```swift
/// snapshot.company  // snapshot.own.company
/// snapshot.name     // snapshot.base.name
/// ```
@dynamicMemberLookup
public protocol DerivedSnapshot: ModelSnapshot {
  /// The snapshot of the model that is inherited from.
  associatedtype Base: ModelSnapshot
  /// What the model stores beyond that.
  associatedtype OwnValues: Sendable

  /// What is inherited.
  var base: Base { get set }
  /// What is not.
  var own: OwnValues { get set }
}

extension DerivedSnapshot {
  /// A property of the model's own.
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

/// Stands for a model whose entity is not in the schema: it has an identifier and nothing else.
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
