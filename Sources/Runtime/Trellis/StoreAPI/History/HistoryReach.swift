/// The range of positions for which a store's history is complete.
struct HistoryReach {
  /// Earlier positions are expired; 0 if no transaction was ever deleted.
  var floor: Int64 = 0
  /// The number of the last transaction, even if it was deleted; 0 before the first transaction.
  var last: Int64 = 0
}
