/// The range of positions for which a store's history is complete.
package struct HistoryReach {
  /// Earlier positions are expired; the beginning if no transaction was ever deleted.
  package var floor = HistoryPosition.beginning
  /// The position after all transactions, even if they were deleted.
  package var last = HistoryPosition.beginning

  package init() {}
}
