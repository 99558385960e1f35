public import Foundation

/// Which transactions of a history to fetch or delete.
///
///     var descriptor = HistoryDescriptor<MyTransaction>(
///       predicate: #Predicate { $0.author == "widget" })
///     descriptor.fetchLimit = 10
public struct HistoryDescriptor<TransactionType: HistoryTransaction> {
  /// Which transactions; nil for all there are.
  public var predicate: Predicate<TransactionType>?
  /// The order; empty for the order in which they were saved.
  public var sortBy: [SortDescriptor<TransactionType>] = []
  /// At most this many transactions; 0 is no limit. (Apple's documentation calls a value that cannot be nil nil.)
  public var fetchLimit: UInt64 = 0

  /// The transactions that match, in the order in which they were saved.
  public init(predicate: Predicate<TransactionType>? = nil) {
    self.predicate = predicate
  }

  /// The transactions that match, sorted.
  public init(
    predicate: Predicate<TransactionType>? = nil, sortBy: [SortDescriptor<TransactionType>] = []
  ) {
    self.predicate = predicate
    self.sortBy = sortBy
  }
}
