/// The change of one model in a transaction.
///
///     switch change {
///     case .insert(let insert as any HistoryInsert<Trip>): welcome(insert.changedPersistentIdentifier)
///     case .update, .delete, .insert: break
///     }
public enum HistoryChange: Sendable {
  /// The model was inserted.
  case insert(any HistoryInsert)
  /// Values of the model changed.
  case update(any HistoryUpdate)
  /// The model was deleted.
  case delete(any HistoryDelete)

  /// The changed model.
  public var changedPersistentIdentifier: PersistentIdentifier {
    switch self {
    case .insert(let change): change.changedPersistentIdentifier
    case .update(let change): change.changedPersistentIdentifier
    case .delete(let change): change.changedPersistentIdentifier
    }
  }
}

/// The insertion of a model.
public protocol HistoryInsert<Model>: Sendable {
  /// The class of the model.
  associatedtype Model: PersistentModel
  /// The type of change identifiers.
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
  /// The type of transaction identifiers.
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable

  /// The identifier of the change, unique in its store.
  var changeIdentifier: ChangeIdentifier { get }
  /// The new model.
  var changedPersistentIdentifier: PersistentIdentifier { get }
  /// The transaction that contains the change.
  var transactionIdentifier: TransactionIdentifier { get }
}

/// A change of a model's values.
public protocol HistoryUpdate<Model>: Sendable {
  /// The class of the model.
  associatedtype Model: PersistentModel
  /// The type of change identifiers.
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
  /// The type of transaction identifiers.
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
  /// A changed property.
  typealias PropertyUpdate = PartialKeyPath<Model> & Sendable

  /// The identifier of the change, unique in its store.
  var changeIdentifier: ChangeIdentifier { get }
  /// The changed model.
  var changedPersistentIdentifier: PersistentIdentifier { get }
  /// The transaction that contains the change.
  var transactionIdentifier: TransactionIdentifier { get }
  /// Exactly the attributes whose values changed.
  var updatedAttributes: [any PartialKeyPath<Model> & Sendable] { get }
}

/// The deletion of a model.
public protocol HistoryDelete<Model>: Sendable {
  /// The class of the model.
  associatedtype Model: PersistentModel
  /// The type of change identifiers.
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
  /// The type of transaction identifiers.
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable

  /// The identifier of the change, unique in its store.
  var changeIdentifier: ChangeIdentifier { get }
  /// The deleted model.
  var changedPersistentIdentifier: PersistentIdentifier { get }
  /// The transaction that contains the change.
  var transactionIdentifier: TransactionIdentifier { get }
  /// The preserved values of the model: its `preserveValueOnDeletion` attributes.
  var tombstone: HistoryTombstone<Model> { get }
}
