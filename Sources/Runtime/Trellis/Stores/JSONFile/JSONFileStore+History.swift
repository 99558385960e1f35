extension JSONFileStore: HistoryProviding {
  /// The form in which the store tells of its transactions: that of a ``DefaultStore``, which holds its models
  /// while it is open. So a program does not see which of the two it works with, and one token can hold
  /// positions in stores of both kinds.
  public typealias HistoryType = DefaultHistoryTransaction
  /// A position in the store's history.
  public typealias TokenType = DefaultHistoryToken

  /// The form in which the store tells of its transactions.
  public static var historyType: DefaultHistoryTransaction.Type { DefaultHistoryTransaction.self }

  /// The transactions that match, as ``DefaultStore/fetchHistory(_:)`` finds them.
  ///
  /// A file that somebody has changed who keeps no history, an editor for instance, or that was put back to
  /// what it was before, is noticed: tokens from before are expired then, and a transaction that is not
  /// ``DefaultHistoryTransaction/isComplete`` stands for what nobody can tell.
  ///
  /// - Throws: ``SwiftDataError/historyTokenExpired``;
  ///   ``SwiftDataError/invalidTransactionFetchRequest`` when the history is damaged, while the models can be
  ///   worked with; what the predicate throws.
  public func fetchHistory(
    _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>
  ) throws -> [DefaultHistoryTransaction] {
    try history.check()
    let query = HistoryQuery(descriptor, store: identifier)
    try history.read(through: query.reach, engine)
    // The newest ones may be enough.
    var portion: Int64 = 64
    while let unread = history.unread, unread >= query.least {
      guard query.isNewestFirst else {
        try history.read(through: query.least, engine)
        break
      }
      let found = try engine.fetchHistory(descriptor)
      if found.count >= query.limit { return found }
      try history.read(through: max(unread - portion, query.least), engine)
      portion *= 4
    }
    return try engine.fetchHistory(descriptor)
  }

  /// Forgets the transactions that match; models stay as they are. Tokens of positions before the last one
  /// that was forgotten are expired then.
  ///
  /// A descriptor without a predicate also forgets a history that is damaged.
  ///
  /// - Throws: as ``fetchHistory(_:)``, except for expired tokens; ``SwiftDataError`` with a
  ///   ``SwiftDataError/storeProblem`` when the history cannot be written: then it is as it was.
  public func deleteHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws {
    try checkWritable()
    let isEverything = descriptor.predicate == nil && descriptor.fetchLimit == 0
    try history.forgetting(isEverything: isEverything, engine) { try engine.deleteHistory(descriptor) }
  }
}
