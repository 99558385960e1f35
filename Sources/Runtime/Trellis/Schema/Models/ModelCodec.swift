/// Everything the runtime does with the values of one model class, behind one virtual call a row.
class ModelCodec: @unchecked Sendable {  // stateless
  /// Decodes the row and makes a model of it.
  ///
  /// - Parameter state: of a model that its table enters afterwards.
  func makeModel(statement row: inout StatementRow, state: ModelState) throws -> AnyObject {
    throw Self.abstract
  }

  func makeBatch(capacity: Int) -> SnapshotBatch { SnapshotBatch() }

  /// Decodes the row into a batch.
  func read(statement row: inout StatementRow, into batch: SnapshotBatch) throws {
    throw Self.abstract
  }

  /// Decodes the values of any reader into a batch.
  func read(_ reader: any RowReader, into batch: SnapshotBatch) throws {
    var row = StatementRow(reader)
    try read(statement: &row, into: batch)
  }

  /// Copies the values of a live model into a batch.
  func capture(_ model: any PersistentModel, into batch: SnapshotBatch) {}

  func setReference(
    _ slot: Int, of model: any PersistentModel, to identifier: PersistentIdentifier?
  ) {}

  func reference(_ slot: Int, of model: any PersistentModel) -> PersistentIdentifier? { nil }

  /// The model behind an object of the class or of a subclass.
  func model(from object: AnyObject) -> any PersistentModel {
    preconditionFailure("every codec is a TypedModelCodec")
  }

  /// A model of which only the identifier is known.
  func placeholder<M: PersistentModel>(_ identifier: PersistentIdentifier, as type: M.Type) -> M {
    unsafeDowncast(makePlaceholder(identifier) as AnyObject, to: type)
  }

  func makePlaceholder(_ identifier: PersistentIdentifier) -> any PersistentModel {
    preconditionFailure("every codec is a TypedModelCodec")
  }

  /// Adds values of which only the identifier is known. No model is made: its class may do something
  /// when one goes, and these values were never anybody's.
  func addPlaceholder(_ identifier: PersistentIdentifier, to batch: SnapshotBatch) {}

  /// Takes the owner from an object of the class or of a subclass.
  func clearOwner(_ object: AnyObject) {}

  /// An empty list of models of the class.
  func makeList(isLoaded: Bool) -> ModelList { ModelList(isLoaded: isLoaded) }

  /// A loaded list of objects of the class, each of them once, that is as the store has it.
  func makeList(stored members: ArraySlice<AnyObject>) -> ModelList { ModelList(isLoaded: true) }

  private static var abstract: SwiftDataError { .unknownSchema }
}

final class TypedModelCodec<S: ModelSnapshot>: ModelCodec, @unchecked Sendable {  // never written
  // Looked up once: for each list it would cost as much as making it.
  private let listType: ModelList.Type = TypedModelList<S.Model>.self
  private let isRoot = S.Model.Root.self == S.Model.self

  // A model's codec is found through its own class, and a batch is made by its codec: the casts
  // cannot fail, and checking them costs more than the work they precede.
  @inline(__always) private static func typed(_ model: any PersistentModel) -> S.Model {
    unsafeDowncast(model as AnyObject, to: S.Model.self)
  }

  @inline(__always) private static func typed(_ batch: SnapshotBatch) -> TypedBatch<S> {
    unsafeDowncast(batch, to: TypedBatch<S>.self)
  }

  override func makeModel(
    statement row: inout StatementRow, state: ModelState
  ) throws -> AnyObject {
    try S.makeModel(statement: &row, state: state)
  }

  override func makePlaceholder(_ identifier: PersistentIdentifier) -> any PersistentModel {
    S(placeholder: identifier).makeModel()
  }

  override func addPlaceholder(_ identifier: PersistentIdentifier, to batch: SnapshotBatch) {
    Self.typed(batch).append(S(placeholder: identifier))
  }

  override func makeBatch(capacity: Int) -> SnapshotBatch { TypedBatch<S>(capacity: capacity) }

  override func read(statement row: inout StatementRow, into batch: SnapshotBatch) throws {
    guard let batch = batch as? TypedBatch<S> else { return }
    batch.append(try S.read(&row))
  }

  override func capture(_ model: any PersistentModel, into batch: SnapshotBatch) {
    let batch = Self.typed(batch)
    batch.nextRow().initialize(to: S(of: Self.typed(model)))
    batch.advance()
  }

  override func setReference(
    _ slot: Int, of model: any PersistentModel, to identifier: PersistentIdentifier?
  ) {
    S.setReference(slot, of: Self.typed(model), to: identifier)
  }

  override func reference(_ slot: Int, of model: any PersistentModel) -> PersistentIdentifier? {
    S.reference(slot, of: Self.typed(model))
  }

  override func model(from object: AnyObject) -> any PersistentModel {
    unsafeDowncast(object, to: S.Model.self)
  }

  override func clearOwner(_ object: AnyObject) {
    unsafeDowncast(object, to: S.Model.self)._$state.owner = nil
  }

  override func makeList(isLoaded: Bool) -> ModelList { TypedModelList<S.Model>(isLoaded: isLoaded) }

  override func makeList(stored members: ArraySlice<AnyObject>) -> ModelList {
    // What is registered under the root of a hierarchy may be of a class beside this one.
    listType.init(stored: isRoot ? Array(members) : members.filter { $0 is S.Model })
  }
}
