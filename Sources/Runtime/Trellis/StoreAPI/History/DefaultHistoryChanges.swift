/// The insertion of a model into a default store.
///
///     case .insert(let insert as DefaultHistoryInsert<Trip>): welcome(insert.changedPersistentIdentifier)
public struct DefaultHistoryInsert<Model: PersistentModel>: HistoryInsert, Hashable {
  /// A number that increases with each change of a store.
  public typealias ChangeIdentifier = Int64
  /// A number that increases with each transaction of a store.
  public typealias TransactionIdentifier = Int64

  /// The identifier of the change, unique in its store.
  public let changeIdentifier: Int64
  /// The new model.
  public let changedPersistentIdentifier: PersistentIdentifier
  /// The transaction that contains the change.
  public let transactionIdentifier: Int64
}

/// A change of a model's values in a default store.
public struct DefaultHistoryUpdate<Model: PersistentModel>: HistoryUpdate, Hashable {
  /// A number that increases with each change of a store.
  public typealias ChangeIdentifier = Int64
  /// A number that increases with each transaction of a store.
  public typealias TransactionIdentifier = Int64
  /// A changed property.
  public typealias PropertyUpdate = PartialKeyPath<Model> & Sendable

  /// The identifier of the change, unique in its store.
  public let changeIdentifier: Int64
  /// The changed model.
  public let changedPersistentIdentifier: PersistentIdentifier
  /// The transaction that contains the change.
  public let transactionIdentifier: Int64
  /// Exactly the properties whose values changed: attributes, to-one relationships, and to-many relationships without a
  /// to-one inverse. Other to-many changes appear as changes of the inverse.
  public let updatedAttributes: [any PartialKeyPath<Model> & Sendable]

  /// Returns true if the value of a property changed.
  public func containsAttribute(_ keyPath: any PartialKeyPath<Model> & Sendable) -> Bool {
    let layout = Model._$definition.layout
    guard let property = layout.property(for: keyPath) else { return false }
    return updatedAttributes.contains { layout.property(for: $0)?.name == property.name }
  }

  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.changeIdentifier == rhs.changeIdentifier
      && lhs.changedPersistentIdentifier == rhs.changedPersistentIdentifier
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(changeIdentifier)
    hasher.combine(changedPersistentIdentifier)
  }
}

/// The deletion of a model from a default store.
public struct DefaultHistoryDelete<Model: PersistentModel>: HistoryDelete, Hashable {
  /// A number that increases with each change of a store.
  public typealias ChangeIdentifier = Int64
  /// A number that increases with each transaction of a store.
  public typealias TransactionIdentifier = Int64

  /// The identifier of the change, unique in its store.
  public let changeIdentifier: Int64
  /// The deleted model.
  public let changedPersistentIdentifier: PersistentIdentifier
  /// The transaction that contains the change.
  public let transactionIdentifier: Int64
  /// The preserved values of the model: its `preserveValueOnDeletion` attributes.
  public let tombstone: HistoryTombstone<Model>

  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.changeIdentifier == rhs.changeIdentifier
      && lhs.changedPersistentIdentifier == rhs.changedPersistentIdentifier
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(changeIdentifier)
    hasher.combine(changedPersistentIdentifier)
  }
}
