import Foundation

/// What a descriptor asks of the history of one store.
///
/// SQL finds the transactions by their numbers and times; the predicate is evaluated in memory for those alone.
package struct HistoryQuery {
  let descriptor: HistoryDescriptor<DefaultHistoryTransaction>
  private let bounds: HistoryBounds
  /// The positions after which the predicate asks for transactions.
  let beginnings: [Int64]
  /// True if the predicate or the order needs the changes of a transaction, which take time to decode.
  let readsChanges: Bool
  /// Nil where only Swift can put the transactions in order.
  private let order: SQLFragment?
  /// True if the first matches are the last transactions.
  package let isNewestFirst: Bool

  package init(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>, store: String) {
    self.descriptor = descriptor
    let scope = HistoryScope(descriptor.predicate, store: store)
    bounds = scope.bounds
    beginnings = scope.beginnings
    var reads = HistoryReads()
    if let predicate = descriptor.predicate { reads.visit(predicate.expression) }
    var order: [SQLFragment]? = []
    for sort in descriptor.sortBy {
      if !HistoryReads.isColumn(sort.keyPath) { reads.readsChanges = true }
      let column: SQLFragment? =
        HistoryReads.isNumber(sort.keyPath)
        ? "\"id\"" : sort.keyPath == \DefaultHistoryTransaction.timestamp ? "\"time\"" : nil
      guard let column else {
        order = nil
        continue
      }
      order?.append(sort.order == .forward ? column : "\(column) DESC")
    }
    readsChanges = reads.readsChanges
    // Equals come in the order in which they were saved.
    self.order = order.map { ($0 + ["\"id\""]).joined(separator: ", ") }
    let first = descriptor.sortBy.first
    isNewestFirst =
      order != nil && descriptor.fetchLimit > 0 && first?.order == .reverse
      && HistoryReads.isNumber(first?.keyPath)
  }

  /// True if the rows come in the order of the descriptor.
  var isSorted: Bool { order != nil }

  /// No transaction before this one can match.
  package var least: Int64 { bounds.numbers.least }
  /// The first position that is asked about.
  package var reach: Int64 { beginnings.min() ?? .max }
  /// The maximum number of transactions.
  package var limit: Int {
    descriptor.fetchLimit == 0 ? .max : Int(clamping: descriptor.fetchLimit)
  }

  /// The rows of the transactions that may match.
  ///
  /// - Parameter selection: the columns, see ``HistoryColumn/selection(isCurrent:_:)``.
  func fragment(_ selection: SQLFragment) -> SQLFragment {
    let (numbers, times) = (bounds.numbers, bounds.times)
    var fragment: SQLFragment = """
      SELECT \(selection) FROM \(name: HistoryTables.transactions) WHERE "changes" IS NOT NULL
      AND "id" BETWEEN \(value: .integer(numbers.least)) AND \(value: .integer(numbers.greatest))
      """
    if times.least > -.infinity || times.greatest < .infinity {
      fragment +=
        " AND \"time\" BETWEEN \(value: .real(times.least)) AND \(value: .real(times.greatest))"
    }
    fragment += " ORDER BY \(order ?? "\"id\"")"
    return fragment
  }
}

/// Finds out whether a predicate reads more of a transaction than its own columns.
private struct HistoryReads: PredicateVisitor {
  var readsChanges = false

  mutating func visitUnknown() { readsChanges = true }

  mutating func visitKeyPath<R: PredicateExpression>(
    _ keyPath: AnyKeyPath, of root: R, value: any Any.Type
  ) {
    if R.Output.self == DefaultHistoryTransaction.self, !Self.isColumn(keyPath) { readsChanges = true }
  }

  mutating func enter<I: PredicateExpression>(
    _ key: PredicateExpressions.VariableID, standingFor input: I
  ) {}

  static func isNumber(_ keyPath: AnyKeyPath?) -> Bool {
    switch keyPath {
    case \DefaultHistoryTransaction.id, \DefaultHistoryTransaction.transactionIdentifier,
      \DefaultHistoryTransaction.token:
      true
    default: false
    }
  }

  static func isColumn(_ keyPath: AnyKeyPath?) -> Bool {
    switch keyPath {
    case \DefaultHistoryTransaction.timestamp, \DefaultHistoryTransaction.author,
      \DefaultHistoryTransaction.bundleIdentifier, \DefaultHistoryTransaction.processIdentifier,
      \DefaultHistoryTransaction.storeIdentifier:
      true
    default: isNumber(keyPath)
    }
  }
}
