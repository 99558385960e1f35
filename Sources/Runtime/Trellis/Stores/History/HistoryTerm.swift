import Foundation

/// What a predicate over transactions says, as far as SQL can ask for it.
///
/// A condition may let more pass than the predicate: then the predicate has the last word.
struct HistoryCondition {
  var sql: SQLFragment
  /// Whether it lets pass exactly what the predicate does.
  var isExact: Bool
  /// No transaction with a smaller number can match.
  var least = Int64.min

  static let anything = HistoryCondition(sql: "TRUE", isExact: false)
  static func constant(_ value: Bool) -> Self { Self(sql: value ? "TRUE" : "FALSE", isExact: true, least: value ? .min : .max) }

  static func and(_ lhs: Self, _ rhs: Self) -> Self {
    Self(
      sql: "(\(lhs.sql) AND \(rhs.sql))", isExact: lhs.isExact && rhs.isExact, least: max(lhs.least, rhs.least))
  }

  static func or(_ lhs: Self, _ rhs: Self) -> Self {
    Self(
      sql: "(\(lhs.sql) OR \(rhs.sql))", isExact: lhs.isExact && rhs.isExact, least: min(lhs.least, rhs.least))
  }

  /// What lets more pass turned around lets less pass, which will not do.
  static func not(_ condition: Self) -> Self {
    condition.isExact ? Self(sql: "NOT \(condition.sql)", isExact: true) : .anything
  }
}

/// A part of a predicate over transactions.
enum HistoryTerm {
  /// The transaction itself.
  case transaction
  case column(HistoryColumn)
  case constant(Any)
  case condition(HistoryCondition)
  /// Whatever only Swift can tell.
  case unknown

  var condition: HistoryCondition {
    switch self {
    case .condition(let condition): condition
    case .constant(let value as Bool): .constant(value)
    default: .anything
    }
  }
}

/// What is known of a transaction without looking into its changes.
enum HistoryColumn {
  case number, token, time, author, bundle, process, store

  init?(_ keyPath: AnyKeyPath) {
    switch keyPath {
    case \DefaultHistoryTransaction.id, \DefaultHistoryTransaction.transactionIdentifier: self = .number
    case \DefaultHistoryTransaction.token: self = .token
    case \DefaultHistoryTransaction.timestamp: self = .time
    case \DefaultHistoryTransaction.author: self = .author
    case \DefaultHistoryTransaction.bundleIdentifier: self = .bundle
    case \DefaultHistoryTransaction.processIdentifier: self = .process
    case \DefaultHistoryTransaction.storeIdentifier: self = .store
    default: return nil
    }
  }

  /// Whether it grows from transaction to transaction.
  var isNumber: Bool { self == .number || self == .token }

  var sql: SQLFragment {
    switch self {
    case .number, .token: "\"id\""
    case .time: "\"time\""
    case .author: "\"author\""
    case .bundle: "\"bundle\""
    case .process: "\"process\""
    case .store: "NULL"
    }
  }
}

/// Translates a predicate over the transactions of one store.
struct HistoryTranslation {
  let store: String
  /// Positions after which the predicate asks for what came.
  private(set) var beginnings: [Int64] = []
  /// The tokens after which it asks for what came.
  private(set) var startingTokens: [Any] = []
  let transactionType: any Any.Type
  private let tokenType: any Any.Type

  init(store: String) {
    self.store = store
    transactionType = DefaultHistoryTransaction.self
    tokenType = DefaultHistoryToken.self
  }

  /// For the tokens in a predicate over transactions of any kind.
  init<T: HistoryTransaction>(of _: T.Type) {
    store = ""
    transactionType = T.self
    tokenType = T.TokenType.self
  }

  /// What a property of a transaction is; in generic code its key path is not that of the type's own, and
  /// the type of its value tells.
  func column(_ keyPath: AnyKeyPath, _ valueType: any Any.Type) -> HistoryColumn? {
    HistoryColumn(keyPath) ?? (valueType == tokenType ? .token : nil)
  }

  mutating func term(_ node: some Any) -> HistoryTerm {
    (node as? any HistoryNode)?.historyTerm(&self) ?? .unknown
  }

  enum Order {
    case less, lessOrEqual, greater, greaterOrEqual

    var reversed: Self {
      switch self {
      case .less: .greater
      case .lessOrEqual: .greaterOrEqual
      case .greater: .less
      case .greaterOrEqual: .lessOrEqual
      }
    }

    var sql: SQLFragment {
      switch self {
      case .less: "<"
      case .lessOrEqual: "<="
      case .greater: ">"
      case .greaterOrEqual: ">="
      }
    }
  }

  mutating func comparison(_ lhs: HistoryTerm, _ rhs: HistoryTerm, _ order: Order) -> HistoryTerm {
    switch (lhs, rhs) {
    case (.column(let column), .constant(let value)): compare(column, order, value)
    case (.constant(let value), .column(let column)): compare(column, order.reversed, value)
    default: .unknown
    }
  }

  private mutating func compare(_ column: HistoryColumn, _ order: Order, _ value: Any) -> HistoryTerm {
    if case .token = column, order == .greater || order == .greaterOrEqual { startingTokens.append(value) }
    switch (column, value) {
    case (.token, let token as DefaultHistoryToken):
      // A store the token does not know begins after it.
      guard let position = token[store] else {
        let isAfter = order == .greater || order == .greaterOrEqual
        if isAfter { beginnings.append(0) }
        return .condition(.constant(isAfter))
      }
      if order == .greater { beginnings.append(position) }
      if order == .greaterOrEqual { beginnings.append(position &- 1) }
      return ordered(column, order, .integer(position))
    case (.number, let number as Int64): return ordered(column, order, .integer(number))
    case (.time, let date as Date):
      let time = date.timeIntervalSinceReferenceDate
      return time.isNaN ? .unknown : ordered(column, order, .real(time))
    default: return .unknown
    }
  }

  private func ordered(_ column: HistoryColumn, _ order: Order, _ value: SQLValue) -> HistoryTerm {
    var condition = HistoryCondition(sql: "\(column.sql) \(order.sql) \(value: value)", isExact: true)
    if column.isNumber, case .integer(let number) = value, order == .greater || order == .greaterOrEqual {
      condition.least = number
    }
    return .condition(condition)
  }

  func equality(_ lhs: HistoryTerm, _ rhs: HistoryTerm) -> HistoryTerm {
    switch (lhs, rhs) {
    case (.column(let column), .constant(let value)): equal(column, value)
    case (.constant(let value), .column(let column)): equal(column, value)
    default: .unknown
    }
  }

  private func equal(_ column: HistoryColumn, _ value: Any) -> HistoryTerm {
    let value = (value as? any OptionalValue)?.isNil == true ? nil : value
    switch (column, value) {
    case (.author, nil): return exactly("\"author\" IS NULL")
    case (_, nil): return .unknown
    case (.store, let text as String): return .condition(.constant(text == store))
    case (.author, let text as String), (.bundle, let text as String), (.process, let text as String):
      // Swift's equality sees through spellings of accents, and some of ASCII's characters have others.
      let isOther: SQLFragment = "\(column.sql) GLOB '*[^\u{1}-\u{7F}]*'"
      guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
        return .condition(HistoryCondition(sql: isOther, isExact: false))
      }
      return .condition(
        HistoryCondition(sql: "(\(column.sql) = \(value: .text(text)) OR \(isOther))", isExact: false))
    case (.number, let number as Int64): return exactly("\"id\" = \(value: .integer(number))", least: number)
    case (.token, let token as DefaultHistoryToken):
      guard token.tokenValue?.count == 1, let position = token[store] else {
        return .condition(.constant(false))
      }
      return exactly("\"id\" = \(value: .integer(position))", least: position)
    case (.time, let date as Date):
      let time = date.timeIntervalSinceReferenceDate
      return time.isNaN ? .unknown : exactly("\"time\" = \(value: .real(time))")
    default: return .unknown
    }
  }

  private func exactly(_ sql: SQLFragment, least: Int64 = .min) -> HistoryTerm {
    .condition(HistoryCondition(sql: sql, isExact: true, least: least))
  }
}
