/// From where to where the history of a store tells of everything.
struct HistoryReach {
  /// Positions before this one are expired; 0 where nothing was ever forgotten.
  var floor: Int64 = 0
  /// The number of the last transaction, also when it is forgotten; 0 before the first.
  var last: Int64 = 0
}
