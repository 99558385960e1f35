public import Foundation

/// The changes of one save to a default store.
///
///     for transaction in try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()) {
///       print(transaction.timestamp, transaction.author ?? "", transaction.changes.count)
///     }
public struct DefaultHistoryTransaction: HistoryTransaction {
  /// A position in the histories of default stores.
  public typealias TokenType = DefaultHistoryToken
  /// A number that increases with each transaction of a store.
  public typealias TransactionIdentifier = Int64

  /// The ``ModelContext/author`` of the context that saved; nil without an author.
  public let author: String?
  /// The program that saved: its bundle identifier or the name of its executable.
  public let bundleIdentifier: String
  /// The process ID of the process that saved.
  public let processIdentifier: String
  /// The store that contains the history.
  public let storeIdentifier: String
  /// The time of the save.
  public let timestamp: Date
  /// The insertions, updates and deletions, with one change for each model.
  ///
  /// Changes of models that the current schema does not contain are left out.
  public let changes: [HistoryChange]
  /// True if ``changes`` is complete. Not in SwiftData.
  ///
  /// False if a context saved while ``ModelContext/recordsHistory`` was off, and after a migration that ran steps.
  /// Readers of the history must then fetch the models again.
  public let isComplete: Bool
  /// The position immediately after the transaction.
  public package(set) var token: DefaultHistoryToken
  /// The identifier of the transaction, unique in its store.
  public let transactionIdentifier: Int64

  package init(
    author: String?, bundleIdentifier: String, processIdentifier: String, storeIdentifier: String, timestamp: Date,
    changes: [HistoryChange], isComplete: Bool, token: DefaultHistoryToken, transactionIdentifier: Int64
  ) {
    self.author = author
    self.bundleIdentifier = bundleIdentifier
    self.processIdentifier = processIdentifier
    self.storeIdentifier = storeIdentifier
    self.timestamp = timestamp
    self.changes = changes
    self.isComplete = isComplete
    self.token = token
    self.transactionIdentifier = transactionIdentifier
  }

  /// Equal to ``transactionIdentifier``.
  public var id: Int64 { transactionIdentifier }

  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.transactionIdentifier == rhs.transactionIdentifier && lhs.storeIdentifier == rhs.storeIdentifier
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(transactionIdentifier)
    hasher.combine(storeIdentifier)
  }
}
