public import Foundation

/// A description of the transactions to fetch or delete.
///
///     var descriptor = HistoryDescriptor<MyTransaction>(
///       predicate: #Predicate { $0.author == "widget" })
///     descriptor.fetchLimit = 10
public struct HistoryDescriptor<TransactionType: HistoryTransaction> {
  /// The condition of the transactions; nil selects all transactions.
  public var predicate: Predicate<TransactionType>?
  /// The order; empty for the order of the saves.
  public var sortBy: [SortDescriptor<TransactionType>] = []
  /// The maximum number of transactions; 0 for no limit. (Apple's documentation calls the absence of a limit nil,
  /// although the property is not optional.)
  public var fetchLimit: UInt64 = 0

  /// Selects the matching transactions in the order of the saves.
  public init(predicate: Predicate<TransactionType>? = nil) {
    self.predicate = predicate
  }

  /// Selects the matching transactions in the given order.
  public init(
    predicate: Predicate<TransactionType>? = nil, sortBy: [SortDescriptor<TransactionType>] = []
  ) {
    self.predicate = predicate
    self.sortBy = sortBy
  }
}
