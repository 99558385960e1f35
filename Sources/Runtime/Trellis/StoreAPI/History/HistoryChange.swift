/// One model's part in a transaction.
///
///     switch change {
///     case .insert(let insert as any HistoryInsert<Trip>): welcome(insert.changedPersistentIdentifier)
///     case .update, .delete, .insert: break
///     }
public enum HistoryChange: Sendable {
  /// The model is new.
  case insert(any HistoryInsert)
  /// Some of the model's values are others.
  case update(any HistoryUpdate)
  /// The model is gone.
  case delete(any HistoryDelete)

  /// The model that was changed.
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
  /// What tells the change from others of its store.
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
  /// What tells the transaction from others of its store.
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable

  /// What tells the change from others of its store.
  var changeIdentifier: ChangeIdentifier { get }
  /// The new model.
  var changedPersistentIdentifier: PersistentIdentifier { get }
  /// The transaction the change is part of.
  var transactionIdentifier: TransactionIdentifier { get }
}

/// A change of a model's values.
public protocol HistoryUpdate<Model>: Sendable {
  /// The class of the model.
  associatedtype Model: PersistentModel
  /// What tells the change from others of its store.
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
  /// What tells the transaction from others of its store.
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
  /// A property that was changed.
  typealias PropertyUpdate = PartialKeyPath<Model> & Sendable

  /// What tells the change from others of its store.
  var changeIdentifier: ChangeIdentifier { get }
  /// The changed model.
  var changedPersistentIdentifier: PersistentIdentifier { get }
  /// The transaction the change is part of.
  var transactionIdentifier: TransactionIdentifier { get }
  /// The attributes that have other values now, and no others.
  var updatedAttributes: [any PartialKeyPath<Model> & Sendable] { get }
}

/// The deletion of a model.
public protocol HistoryDelete<Model>: Sendable {
  /// The class of the model.
  associatedtype Model: PersistentModel
  /// What tells the change from others of its store.
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
  /// What tells the transaction from others of its store.
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable

  /// What tells the change from others of its store.
  var changeIdentifier: ChangeIdentifier { get }
  /// The model that is gone.
  var changedPersistentIdentifier: PersistentIdentifier { get }
  /// The transaction the change is part of.
  var transactionIdentifier: TransactionIdentifier { get }
  /// What is left of the model: its `preserveValueOnDeletion` attributes.
  var tombstone: HistoryTombstone<Model> { get }
}
