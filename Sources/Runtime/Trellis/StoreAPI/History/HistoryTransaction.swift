public import Foundation

/// What one save changed, as the history of a store remembers it.
public protocol HistoryTransaction: Hashable, Identifiable, Sendable {
  /// A position in the history.
  associatedtype TokenType: Comparable, Hashable, Identifiable, Sendable
  /// What tells the transaction from others of its store.
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable

  /// The ``ModelContext/author`` of the context that saved; nil when it had none.
  var author: String? { get }
  /// What was changed, in the order in which it was changed.
  var changes: [HistoryChange] { get }
  /// The store whose history this is.
  var storeIdentifier: String { get }
  /// When the transaction was saved.
  var timestamp: Date { get }
  /// The position just after the transaction: later transactions have greater tokens.
  var token: TokenType { get }
  /// What tells the transaction from others of its store.
  var transactionIdentifier: TransactionIdentifier { get }
}

/// A position in a history that can be kept between launches.
public protocol HistoryToken: Comparable, Codable, Hashable, Identifiable, Sendable {
  /// What a store writes down to find the position again.
  associatedtype TokenType: Codable, Hashable, Sendable

  /// What the store wrote down; nil for a position before everything.
  var tokenValue: TokenType? { get }

  /// The store whose history the position is in.
  ///
  /// ``ModelContainer/configurationName(forStoreIdentifier:)`` tells the configuration.
  var storeIdentifier: String { get }
}

extension HistoryToken {
  /// Empty for tokens that do not say.
  public var storeIdentifier: String { "" }
}
