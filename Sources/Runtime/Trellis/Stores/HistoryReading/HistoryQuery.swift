import Foundation

/// What a descriptor asks of the history of one store.
///
/// SQL finds the transactions by their numbers and times; the predicate is evaluated in memory for those alone.
package struct HistoryQuery {
  package let descriptor: HistoryDescriptor<DefaultHistoryTransaction>
  package let bounds: HistoryBounds
  /// The positions after which the predicate asks for transactions.
  package let beginnings: [HistoryPosition]
  /// True if the predicate or the order needs the changes of a transaction, which take time to decode.
  package let readsChanges: Bool
  /// Nil where only Swift can put the transactions in order.
  private let order: [Order]?
  /// True if the first matches are the last transactions.
  package let isNewestFirst: Bool

  package init(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>, store: String) {
    self.descriptor = descriptor
    let scope = HistoryScope(descriptor.predicate, store: store)
    bounds = scope.bounds
    beginnings = scope.beginnings
    var reads = HistoryReads()
    if let predicate = descriptor.predicate { reads.visit(predicate.expression) }
    var order: [Order]? = []
    for sort in descriptor.sortBy {
      if !HistoryReads.isColumn(sort.keyPath) { reads.readsChanges = true }
      guard let column = Order.Column(sort.keyPath) else {
        order = nil
        continue
      }
      order?.append(Order(column: column, isDescending: sort.order == .reverse))
    }
    readsChanges = reads.readsChanges
    // Equals come in the order in which they were saved.
    self.order = order.map { $0 + [Order(column: .token, isDescending: false)] }
    let first = descriptor.sortBy.first
    isNewestFirst =
      order != nil && descriptor.fetchLimit > 0 && first?.order == .reverse
      && HistoryReads.isNumber(first?.keyPath)
  }

  /// True if the rows come in the order of the descriptor.
  package var isSorted: Bool { order != nil }

  /// No transaction before this one can match.
  package var least: Int64 { bounds.numbers.least }
  /// The first position that is asked about.
  package var reach: Int64 { beginnings.min()?.number ?? .max }
  /// The maximum number of transactions.
  package var limit: Int {
    descriptor.fetchLimit == 0 ? .max : Int(clamping: descriptor.fetchLimit)
  }

  /// The rows of the transactions that may match.
  ///
  /// - Parameters:
  ///   - selection: the columns, see ``HistoryColumn/names``.
  ///   - table: the table of transactions.
  ///   - condition: what else the rows satisfy.
  ///   - position: the columns that tell the order of tokens.
  package func fragment(
    _ selection: SQLFragment, from table: String = HistoryTables.transactions, where condition: SQLFragment? = nil,
    position: [SQLFragment] = ["\"id\""]
  ) -> SQLFragment {
    let (numbers, times) = (bounds.numbers, bounds.times)
    var fragment: SQLFragment = """
      SELECT \(selection) FROM \(name: table) WHERE "changes" IS NOT NULL
      AND "id" BETWEEN \(value: .integer(numbers.least)) AND \(value: .integer(numbers.greatest))
      """
    if times.least > -.infinity || times.greatest < .infinity {
      fragment +=
        " AND \"time\" BETWEEN \(value: .real(times.least)) AND \(value: .real(times.greatest))"
    }
    if let condition { fragment += " AND \(condition)" }
    let terms = (order ?? []).flatMap { $0.terms(position) }
    fragment += " ORDER BY \((terms.isEmpty ? position : terms).joined(separator: ", "))"
    return fragment
  }

  /// A term of the order that SQL can apply.
  private struct Order {
    enum Column {
      case number, token, time

      /// Nil for a property that is no column.
      init?(_ keyPath: AnyKeyPath?) {
        switch keyPath {
        case \DefaultHistoryTransaction.token: self = .token
        case \DefaultHistoryTransaction.timestamp: self = .time
        case _ where HistoryReads.isNumber(keyPath): self = .number
        default: return nil
        }
      }
    }

    let column: Column
    let isDescending: Bool

    func terms(_ position: [SQLFragment]) -> [SQLFragment] {
      let columns: [SQLFragment] =
        switch column {
        case .number: ["\"id\""]
        case .time: ["\"time\""]
        case .token: position
        }
      return isDescending ? columns.map { "\($0) DESC" } : columns
    }
  }
}

/// Finds out whether a predicate reads more of a transaction than its own columns.
private struct HistoryReads: PredicateVisitor {
  var readsChanges = false
  var level = 0
  static let maximumLevel = 100

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
