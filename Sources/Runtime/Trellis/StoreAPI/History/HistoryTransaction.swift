public import Foundation

/// The changes of one save in the history of a store.
public protocol HistoryTransaction: Hashable, Identifiable, Sendable {
  /// A position in the history.
  associatedtype TokenType: Comparable, Hashable, Identifiable, Sendable
  /// The type of transaction identifiers.
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable

  /// The ``ModelContext/author`` of the context that saved; nil without an author.
  var author: String? { get }
  /// The changes in the order in which they were made.
  var changes: [HistoryChange] { get }
  /// The store that contains the history.
  var storeIdentifier: String { get }
  /// The time of the save.
  var timestamp: Date { get }
  /// The position immediately after the transaction. Later transactions have greater tokens.
  var token: TokenType { get }
  /// The identifier of the transaction, unique in its store.
  var transactionIdentifier: TransactionIdentifier { get }
}

/// A position in a history that can be encoded and saved.
public protocol HistoryToken: Comparable, Codable, Hashable, Identifiable, Sendable {
  /// The encoded form of the position.
  associatedtype TokenType: Codable, Hashable, Sendable

  /// The encoded form of the position; nil for the beginning of the history.
  var tokenValue: TokenType? { get }

  /// The store that contains the history.
  ///
  /// Use ``ModelContainer/configurationName(forStoreIdentifier:)`` to find its configuration.
  var storeIdentifier: String { get }
}

extension HistoryToken {
  /// Empty for tokens that do not identify a store.
  public var storeIdentifier: String { "" }
}
