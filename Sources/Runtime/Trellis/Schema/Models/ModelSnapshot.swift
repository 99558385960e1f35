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
  @inlinable static func read(_ row: inout StatementRow) throws -> Self {
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
