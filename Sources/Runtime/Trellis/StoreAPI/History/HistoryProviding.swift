/// A store that records its changes with their author and time.
public protocol HistoryProviding {
  /// The type of the store's transactions.
  associatedtype HistoryType: HistoryTransaction

  /// The type of the store's transactions.
  static var historyType: HistoryType.Type { get }

  /// Returns the matching transactions in the order and up to the limit of the descriptor.
  ///
  /// - Throws: ``SwiftDataError/historyTokenExpired`` if transactions after a token of the predicate were deleted.
  func fetchHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws -> [HistoryType]

  /// Deletes the matching transactions. Models stay unchanged.
  ///
  /// - Throws: Errors of the store.
  func deleteHistory(_ descriptor: HistoryDescriptor<HistoryType>) throws
}

extension HistoryProviding {
  /// The transactions of the requested type; nil if the store has transactions of another type.
  func history<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T]? {
    guard let own = descriptor as? HistoryDescriptor<HistoryType> else { return nil }
    return try fetchHistory(own) as? [T]
  }

  /// Deletes transactions. Returns false if the store has transactions of another type.
  func forget<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> Bool {
    guard let own = descriptor as? HistoryDescriptor<HistoryType> else { return false }
    try deleteHistory(own)
    return true
  }
}
