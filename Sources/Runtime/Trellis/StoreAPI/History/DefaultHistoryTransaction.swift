public import Foundation

/// What one save has changed in a default store.
///
///     for transaction in try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()) {
///       print(transaction.timestamp, transaction.author ?? "", transaction.changes.count)
///     }
public struct DefaultHistoryTransaction: HistoryTransaction {
  /// A position in the histories of default stores.
  public typealias TokenType = DefaultHistoryToken
  /// Grows from transaction to transaction of a store.
  public typealias TransactionIdentifier = Int64

  /// The ``ModelContext/author`` of the context that saved; nil when it had none.
  public let author: String?
  /// The program that saved: the identifier of its bundle, or the name of its executable.
  public let bundleIdentifier: String
  /// The process that saved, by the number the system gave it.
  public let processIdentifier: String
  /// The store whose history this is.
  public let storeIdentifier: String
  /// When the transaction was saved.
  public let timestamp: Date
  /// What was changed, each model once: insertions, updates, deletions.
  ///
  /// Changes of models that the schema no longer has are left out.
  public let changes: [HistoryChange]
  /// Whether ``changes`` tells of everything. Not in SwiftData.
  ///
  /// False where a context saved with ``ModelContext/recordsHistory`` off, and where a migration has run
  /// steps: whoever follows the history has to read the models again.
  public let isComplete: Bool
  /// The position just after the transaction.
  public internal(set) var token: DefaultHistoryToken
  /// What tells the transaction from others of its store.
  public let transactionIdentifier: Int64

  /// The same number as ``transactionIdentifier``.
  public var id: Int64 { transactionIdentifier }

  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.transactionIdentifier == rhs.transactionIdentifier && lhs.storeIdentifier == rhs.storeIdentifier
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(transactionIdentifier)
    hasher.combine(storeIdentifier)
  }
}
