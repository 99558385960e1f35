/// A model was inserted into a default store.
///
///     case .insert(let insert as DefaultHistoryInsert<Trip>): welcome(insert.changedPersistentIdentifier)
public struct DefaultHistoryInsert<Model: PersistentModel>: HistoryInsert, Hashable {
  /// Grows from change to change of a store.
  public typealias ChangeIdentifier = Int64
  /// Grows from transaction to transaction of a store.
  public typealias TransactionIdentifier = Int64

  /// What tells the change from others of its store.
  public let changeIdentifier: Int64
  /// The new model.
  public let changedPersistentIdentifier: PersistentIdentifier
  /// The transaction the change is part of.
  public let transactionIdentifier: Int64
}

/// A model of a default store was changed.
public struct DefaultHistoryUpdate<Model: PersistentModel>: HistoryUpdate, Hashable {
  /// Grows from change to change of a store.
  public typealias ChangeIdentifier = Int64
  /// Grows from transaction to transaction of a store.
  public typealias TransactionIdentifier = Int64
  /// A property that was changed.
  public typealias PropertyUpdate = PartialKeyPath<Model> & Sendable

  /// What tells the change from others of its store.
  public let changeIdentifier: Int64
  /// The changed model.
  public let changedPersistentIdentifier: PersistentIdentifier
  /// The transaction the change is part of.
  public let transactionIdentifier: Int64
  /// The properties that have other values now, and no others: attributes, to-one relationships, and the
  /// to-many relationships that no to-one relationship of their members tells of.
  public let updatedAttributes: [any PartialKeyPath<Model> & Sendable]

  /// Whether a property has another value now.
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

/// A model was deleted from a default store.
public struct DefaultHistoryDelete<Model: PersistentModel>: HistoryDelete, Hashable {
  /// Grows from change to change of a store.
  public typealias ChangeIdentifier = Int64
  /// Grows from transaction to transaction of a store.
  public typealias TransactionIdentifier = Int64

  /// What tells the change from others of its store.
  public let changeIdentifier: Int64
  /// The model that is gone.
  public let changedPersistentIdentifier: PersistentIdentifier
  /// The transaction the change is part of.
  public let transactionIdentifier: Int64
  /// What is left of the model: its `preserveValueOnDeletion` attributes.
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
