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

  /// An empty list of models of the class.
  func makeList(isLoaded: Bool) -> ModelList

  /// A loaded list of objects of the class, each of them once, that is as the store has it.
  func makeList(stored members: ArraySlice<AnyObject>) -> ModelList
}

extension ModelCodec {
  /// Decodes the values of any reader into a buffer.
  func read(_ reader: any RowReader, into buffer: SnapshotBuffer) throws {
    var row = StatementRow(reader)
    try read(statement: &row, into: buffer)
  }

  /// A model of which only the identifier is known.
  func placeholder<M: PersistentModel>(_ identifier: PersistentIdentifier, as type: M.Type) -> M {
    unsafeDowncast(makePlaceholder(identifier) as AnyObject, to: type)
  }
}

final class TypedModelCodec<S: ModelSnapshot>: ModelCodec, @unchecked Sendable {  // never written
  // Looked up once: for each list it would cost as much as making it.
  private let listType: ModelList.Type = TypedModelList<S.Model>.self
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

  func makeList(isLoaded: Bool) -> ModelList { TypedModelList<S.Model>(isLoaded: isLoaded) }

  func makeList(stored members: ArraySlice<AnyObject>) -> ModelList {
    // What is registered under the root of a hierarchy may be of a class beside this one.
    listType.init(stored: isRoot ? Array(members) : members.filter { $0 is S.Model })
  }
}
