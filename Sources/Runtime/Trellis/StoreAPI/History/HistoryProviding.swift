/// A store that remembers what was changed, by whom and when.
public protocol HistoryProviding {
  /// The form in which it tells of its transactions.
  associatedtype HistoryType: HistoryTransaction

  /// The form in which it tells of its transactions.
  static var historyType: HistoryType.Type { get }

  /// The transactions that match, sorted and limited as asked.
  ///
  /// - Throws: ``SwiftDataError/historyTokenExpired`` when the history after a token that the
  ///   predicate names was deleted.
  func fetchHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws -> [HistoryType]

  /// Forgets the transactions that match. Models stay as they are.
  func deleteHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws
}

extension HistoryProviding {
  /// The transactions in the form the caller asks for; nil when the store has another.
  func history<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T]? {
    guard let own = descriptor as? HistoryDescriptor<HistoryType> else { return nil }
    return try fetchHistory(own) as? [T]
  }

  /// Forgets transactions; false when the store has another form of them.
  func forget<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> Bool {
    guard let own = descriptor as? HistoryDescriptor<HistoryType> else { return false }
    try deleteHistory(own)
    return true
  }
}
