import Foundation

/// What a descriptor asks of the history of one store.
struct HistoryQuery {
  let descriptor: HistoryDescriptor<DefaultHistoryTransaction>
  private let condition: HistoryCondition
  /// Positions after which it asks for what came.
  let beginnings: [Int64]
  /// Nil where only Swift can put the transactions in order.
  private let order: SQLFragment?

  init(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>, store: String) {
    self.descriptor = descriptor
    var translation = HistoryTranslation(store: store)
    condition =
      descriptor.predicate.map { translation.term($0.expression).condition } ?? .constant(true)
    beginnings = translation.beginnings
    var order: [SQLFragment]? = []
    for sort in descriptor.sortBy {
      guard let keyPath = sort.keyPath, let column = HistoryColumn(keyPath) else {
        order = nil
        break
      }
      switch column {
      case .number, .token, .time:
        order?.append(sort.order == .forward ? column.sql : "\(column.sql) DESC")
      // The order of texts is Swift's.
      case .author, .bundle, .process: order = nil
      case .store: break
      }
      if order == nil { break }
    }
    if let first = descriptor.sortBy.first, order != nil, descriptor.fetchLimit > 0 {
      isNewestFirst = first.order == .reverse && first.keyPath.flatMap(HistoryColumn.init)?.isNumber == true
    }
    // Equals come in the order in which they were saved.
    self.order = order.map { ($0 + ["\"id\""]).joined(separator: ", ") }
  }

  /// Whether every row of ``fragment`` satisfies the predicate.
  var isExact: Bool { condition.isExact }
  var isSorted: Bool { order != nil }

  /// No transaction before this one can match.
  var least: Int64 { condition.least }
  /// The first position that is asked about.
  var reach: Int64 { beginnings.min() ?? .max }
  /// Whether the first that match are the last that were saved.
  private(set) var isNewestFirst = false

  /// At most so many transactions.
  var limit: Int {
    descriptor.fetchLimit == 0 ? .max : Int(clamping: descriptor.fetchLimit)
  }

  func fragment(selecting columns: SQLFragment) -> SQLFragment {
    """
    SELECT \(columns) FROM \(name: HistoryTables.transactions)
    WHERE "changes" IS NOT NULL AND \(condition.sql) ORDER BY \(order ?? "\"id\"")
    """
  }
}
