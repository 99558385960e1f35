public import Foundation

/// The changes that a save made, as recorded in a store's history.
///
/// ``DefaultHistoryTransaction`` is the type for ``DefaultStore``. A custom store declares its own type:
///
/// ```swift
/// struct MemoryTransaction: HistoryTransaction {
///   let author: String?
///   let changes: [HistoryChange]
///   let storeIdentifier: String
///   let timestamp: Date
///   let token: MemoryToken
///   var transactionIdentifier: Int { token.number }
///   var id: Int { token.number }
///
///   static func == (lhs: Self, rhs: Self) -> Bool { lhs.token == rhs.token }
///   func hash(into hasher: inout Hasher) { hasher.combine(token) }
/// }
/// ```
public protocol HistoryTransaction: Hashable, Identifiable, Sendable {
  /// A position in the history.
  associatedtype TokenType: Comparable, Hashable, Identifiable, Sendable
  /// The transaction identifier type.
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable

  /// The saving context's ``ModelContext/author``; nil if there is no author.
  var author: String? { get }
  /// The changes in the order in which they were made.
  var changes: [HistoryChange] { get }
  /// The store that contains the history.
  var storeIdentifier: String { get }
  /// The save time.
  var timestamp: Date { get }
  /// The position immediately after the transaction. Later transactions have greater tokens.
  var token: TokenType { get }
  /// The transaction identifier, unique in the store.
  var transactionIdentifier: TransactionIdentifier { get }
}

/// A position in a history that can be encoded and saved.
///
/// ``DefaultHistoryToken`` is the type for ``DefaultStore``. A custom store declares its own type:
///
/// ```swift
/// struct MemoryToken: HistoryToken {
///   let storeIdentifier: String
///   let number: Int
///   var tokenValue: Int? { number }
///   var id: Int { number }
///
///   static func < (lhs: Self, rhs: Self) -> Bool { lhs.number < rhs.number }
/// }
/// ```
public protocol HistoryToken: Comparable, Codable, Hashable, Identifiable, Sendable {
  /// The encoded position.
  associatedtype TokenType: Codable, Hashable, Sendable

  /// The encoded position; nil for the history's beginning.
  var tokenValue: TokenType? { get }

  /// The store that contains the history.
  ///
  /// Use ``ModelContainer/configurationName(forStoreIdentifier:)`` to find the configuration.
  var storeIdentifier: String { get }
}

extension HistoryToken {
  /// Empty for tokens that do not identify a store.
  public var storeIdentifier: String { "" }
}

/// A change to a model in a transaction.
///
/// The cases contain values of the store's own types. Match a class through the store's types or, for any store,
/// through the protocols:
///
/// ```swift
/// let changes = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).flatMap(\.changes)
/// for change in changes {
///   switch change {
///   case .insert(let insert as any HistoryInsert<Trip>): print("new:", insert.changedPersistentIdentifier)
///   case .update(let update as any HistoryUpdate<Trip>): print("changed:", update.updatedAttributes.count)
///   case .delete(let deletion as any HistoryDelete<Trip>): print("deleted:", deletion.tombstone[\.name] ?? "")
///   default: break  // a different class
///   }
/// }
/// ```
public enum HistoryChange: Sendable {
  /// The model was inserted.
  case insert(any HistoryInsert)
  /// The model's values changed.
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
///
/// ```swift
/// let changes = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).flatMap(\.changes)
/// for case .insert(let insert as any HistoryInsert<Trip>) in changes {
///   print(try context.existingModel(for: insert.changedPersistentIdentifier, as: Trip.self)?.name ?? "deleted since")
/// }
/// ```
///
/// A custom store's changes conform to this protocol. A single generic type may serve all three kinds of changes, as in
/// the documentation of ``HistoryUpdate``.
public protocol HistoryInsert<Model>: Sendable {
  /// The model class.
  associatedtype Model: PersistentModel
  /// The change identifier type.
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
  /// The transaction identifier type.
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable

  /// The change identifier, unique in the store.
  var changeIdentifier: ChangeIdentifier { get }
  /// The new model.
  var changedPersistentIdentifier: PersistentIdentifier { get }
  /// The transaction that contains the change.
  var transactionIdentifier: TransactionIdentifier { get }
}

/// A change to a model's values.
///
/// ```swift
/// let changes = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).flatMap(\.changes)
/// for case .update(let update as any HistoryUpdate<Trip>) in changes
/// where update.updatedAttributes.contains(where: { $0 == \Trip.startDate }) {
///   print("Check the bookings for", update.changedPersistentIdentifier)
/// }
/// ```
///
/// A custom store declares its own type, which may conform to ``HistoryInsert`` and ``HistoryDelete`` as well:
///
/// ```swift
/// struct MemoryChange<Model: PersistentModel>: HistoryInsert, HistoryUpdate, HistoryDelete {
///   let changeIdentifier: Int
///   let changedPersistentIdentifier: PersistentIdentifier
///   let transactionIdentifier: Int
///   let updatedAttributes: [any PartialKeyPath<Model> & Sendable]
///   let tombstone: HistoryTombstone<Model>
/// }
/// ```
public protocol HistoryUpdate<Model>: Sendable {
  /// The model class.
  associatedtype Model: PersistentModel
  /// The change identifier type.
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
  /// The transaction identifier type.
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
  /// A changed property.
  typealias PropertyUpdate = PartialKeyPath<Model> & Sendable

  /// The change identifier, unique in the store.
  var changeIdentifier: ChangeIdentifier { get }
  /// The changed model.
  var changedPersistentIdentifier: PersistentIdentifier { get }
  /// The transaction that contains the change.
  var transactionIdentifier: TransactionIdentifier { get }
  /// Exactly the changed attributes.
  var updatedAttributes: [any PartialKeyPath<Model> & Sendable] { get }
}

/// The deletion of a model.
///
/// ```swift
/// let changes = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).flatMap(\.changes)
/// for case .delete(let deletion as any HistoryDelete<Trip>) in changes {
///   print(deletion.tombstone[\.name] as? String ?? "a trip", "was deleted")
/// }
/// ```
///
/// ``HistoryUpdate`` shows a type for custom stores.
public protocol HistoryDelete<Model>: Sendable {
  /// The model class.
  associatedtype Model: PersistentModel
  /// The change identifier type.
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
  /// The transaction identifier type.
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable

  /// The change identifier, unique in the store.
  var changeIdentifier: ChangeIdentifier { get }
  /// The deleted model.
  var changedPersistentIdentifier: PersistentIdentifier { get }
  /// The transaction that contains the change.
  var transactionIdentifier: TransactionIdentifier { get }
  /// The model's preserved values: the `preserveValueOnDeletion` attributes.
  var tombstone: HistoryTombstone<Model> { get }
}

/// The values that a history preserves for a deleted model: the `preserveValueOnDeletion` attributes.
///
/// ```swift
/// func describe(_ tombstone: HistoryTombstone<Trip>) -> String {
///   let name = tombstone[\.name] as? String ?? "a trip"
///   guard let start = tombstone[\.startDate] as? Date else { return name }
///   return "\(name), planned for \(start)"
/// }
/// ```
public struct HistoryTombstone<Model: PersistentModel>: Sendable {
  private let keyPaths: [any PartialKeyPath<Model> & Sendable]
  private let values: [any Sendable]

  /// Creates a tombstone with the values in the given order. The initializer is not public in SwiftData, so custom
  /// stores cannot create tombstones there.
  ///
  /// ```swift
  /// let tombstone = HistoryTombstone<Trip>([(keyPath: \.name, value: "Fjords")])
  /// ```
  ///
  /// - Parameter values: Stored attributes with their values.
  public init(_ values: [(keyPath: any PartialKeyPath<Model> & Sendable, value: any Sendable)]) {
    // Not a dictionary by key path: generic code creates a new object for each key path.
    self.keyPaths = values.map { $0.keyPath }
    self.values = values.map { $0.value }
  }

  /// An attribute's value before the deletion; nil if the attribute was not preserved.
  public subscript(keyPath: PartialKeyPath<Model>) -> (any Sendable)? {
    keyPaths.firstIndex { $0 == keyPath }.map { values[$0] }
  }
}

extension HistoryTombstone: Sequence {
  /// An attribute's value.
  public typealias Element = Any

  /// Returns an iterator over the preserved values, in declaration order.
  public func makeIterator() -> IndexingIterator<[Any]> { values.map { $0 as Any }.makeIterator() }
}

/// Encodes values by property name, for custom stores that store a history. Not in SwiftData.
extension HistoryTombstone: Codable {
  /// Decodes the model's property values. Values that do not belong to a property are ignored.
  ///
  /// - Throws: `DecodingError` if a value does not have the property's type.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
    func value<T: Decodable>(_: T.Type, _ key: DataStoreSnapshotCodingKey) throws -> any Sendable {
      let isNotANumber = (try? container.decode(String.self, forKey: key)) == NotANumber.text
      let value: Any =
        if isNotANumber, let none = NotANumber.value(T.self) { none } else { try container.decode(T.self, forKey: key) }
      // Attribute types are sendable, which a cast cannot test at run time. The cast `as Any` keeps the call from being
      // generic over the value's type.
      return unsafeBitCast(value as Any, to: (any Sendable).self)
    }
    self.init(
      try Model._$definition.layout.columns.compactMap { property in
        let key = DataStoreSnapshotCodingKey.modeledProperty(property.name)
        guard container.contains(key), case .attribute(let type) = property.kind,
          let decodable = type as? any Decodable.Type, let keyPath = property.path(of: Model.self)
        else { return nil }
        return (keyPath: keyPath, value: try value(decodable, key))
      })
  }

  /// Encodes the values.
  ///
  /// - Throws: Any error from the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
    for (keyPath, value) in zip(keyPaths, values) {
      guard let property = Model._$definition.layout.property(for: keyPath), let value = value as? any Encodable
      else { continue }
      let key = DataStoreSnapshotCodingKey.modeledProperty(property.name)
      if let decimal = value as? Decimal, decimal.isNaN {
        try container.encode(NotANumber.text, forKey: key)
      } else {
        try container.encode(value, forKey: key)
      }
    }
  }
}

// MARK: Stores

/// A store that records changes with author and time.
///
/// A custom store records each save as a transaction, and returns transactions of its own type. The following extension
/// belongs to the store in the documentation of ``DataStore``, which then has the properties `transactions` and
/// `lastDeleted`:
///
/// ```swift
/// extension MemoryStore: HistoryProviding {
///   static var historyType: MemoryTransaction.Type { MemoryTransaction.self }
///
///   func fetchHistory(_ descriptor: HistoryDescriptor<MemoryTransaction>) throws -> [MemoryTransaction] {
///     for token in descriptor.startingTokens where token.number < lastDeleted {
///       throw SwiftDataError.historyTokenExpired
///     }
///     return try matches(descriptor)
///   }
///
///   func deleteHistory(_ descriptor: HistoryDescriptor<MemoryTransaction>) throws {
///     let deleted = try matches(descriptor)
///     transactions.removeAll(where: deleted.contains)
///     lastDeleted = max(lastDeleted, deleted.map(\.token.number).max() ?? 0)
///   }
///
///   private func matches(_ descriptor: HistoryDescriptor<MemoryTransaction>) throws -> [MemoryTransaction] {
///     let found = try transactions.filter { try descriptor.predicate?.evaluate($0) ?? true }
///       .sorted(using: descriptor.sortBy)
///     return descriptor.fetchLimit == 0 ? found : Array(found.prefix(Int(clamping: descriptor.fetchLimit)))
///   }
/// }
/// ```
///
/// <doc:CustomStores> describes how a save creates the transactions.
public protocol HistoryProviding {
  /// The store's transaction type.
  associatedtype HistoryType: HistoryTransaction

  /// The store's transaction type.
  static var historyType: HistoryType.Type { get }

  /// Returns the matching transactions in the descriptor's order and up to the limit.
  ///
  /// - Parameter descriptor: The predicate, sort order and limit.
  /// - Returns: The transactions; in save order if there is no sort order.
  /// - Throws: ``SwiftDataError/historyTokenExpired`` if transactions after a token in the predicate were deleted.
  func fetchHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws -> [HistoryType]

  /// Deletes the matching transactions. Models remain unchanged.
  ///
  /// - Parameter descriptor: The transactions to delete. A predicate of nil selects the whole history.
  /// - Throws: Any error from the store.
  func deleteHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws
}

extension HistoryProviding {
  /// Returns transactions of the requested type; nil if the store's transactions have a different type.
  package func history<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T]? {
    guard let own = descriptor as? HistoryDescriptor<HistoryType> else { return nil }
    return try fetchHistory(own) as? [T]
  }

  /// Deletes transactions. Returns false if the store's transactions have a different type.
  package func forget<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> Bool {
    guard let own = descriptor as? HistoryDescriptor<HistoryType> else { return false }
    try deleteHistory(own)
    return true
  }
}

/// Describes the transactions to fetch or delete.
///
/// ```swift
/// var latest = HistoryDescriptor<DefaultHistoryTransaction>(
///   predicate: #Predicate { $0.author == "widget" },
///   sortBy: [SortDescriptor(\.transactionIdentifier, order: .reverse)])
/// latest.fetchLimit = 10
/// let transactions = try context.fetchHistory(latest)
/// ```
///
/// To read only what has changed since the last call, compare the token:
///
/// ```swift
/// func changes(after token: DefaultHistoryToken) throws -> [DefaultHistoryTransaction] {
///   try context.fetchHistory(HistoryDescriptor(predicate: #Predicate { $0.token > token }))
/// }
/// ```
///
/// Pass the token of the last transaction to the next call. <doc:History> describes how to store tokens, and what to do
/// when they expire.
public struct HistoryDescriptor<TransactionType: HistoryTransaction> {
  /// The condition for transactions; nil selects all transactions.
  public var predicate: Predicate<TransactionType>?
  /// The sort order; empty for save order.
  public var sortBy: [SortDescriptor<TransactionType>] = []
  /// The maximum transaction count; 0 for no limit. (Apple's documentation uses nil for no limit, although the property
  /// is not optional.)
  public var fetchLimit: UInt64 = 0

  /// Selects the matching transactions in save order.
  ///
  /// - Parameter predicate: The condition for transactions; nil selects all transactions.
  public init(predicate: Predicate<TransactionType>? = nil) {
    self.predicate = predicate
  }

  /// Selects the matching transactions in the given order.
  ///
  /// - Parameters:
  ///   - predicate: The condition for transactions; nil selects all transactions.
  ///   - sortBy: The sort descriptors, in descending priority; empty for save order.
  public init(
    predicate: Predicate<TransactionType>? = nil, sortBy: [SortDescriptor<TransactionType>] = []
  ) {
    self.predicate = predicate
    self.sortBy = sortBy
  }
}

/// The position range for which a store's history is complete.
package struct HistoryReach {
  /// Positions before this position are expired; the beginning if no transaction was ever deleted.
  package var floor = HistoryPosition.beginning
  /// The position after all transactions, including deleted transactions.
  package var last = HistoryPosition.beginning

  package init() {}
}
