/// The last statements in a trace file, grouped by text.
struct StatementReport: Encodable, Sendable {
  /// The order of the groups, largest first.
  enum Order: String, Sendable { case total, count, mean, longest, rows, last }

  struct Group: Encodable, Sendable {
    var sql: String
    var purposes: [String] = []
    var count = 0
    var rows = 0
    /// In seconds.
    var total = 0.0
    var longest = 0.0
    /// The last statement's number.
    var last = 0

    var mean: Double { total / Double(max(1, count)) }
  }

  var path: String
  var isThere: Bool
  /// Changes when there are new statements.
  var version: String
  /// The number of statements since the start of the studio, and of the statements that are kept.
  var count = 0
  var kept = 0
  /// The number of lines that are not statements.
  var invalid = 0
  /// Nil if the page shows this version.
  var groups: [Group]?
  /// The number of groups that are not listed.
  var omitted = 0
  /// The last statements, latest first.
  var latest: [TracedLine] = []

  /// The number of groups, and of latest statements, that are listed.
  static let size = 200
}

extension StatementReport {
  init(_ path: String, _ isThere: Bool, _ version: String, _ tail: TraceTail, _ order: Order) {
    let groups = Group.all(tail.statements).sorted { $0.rank(order) > $1.rank(order) }
    self.init(
      path: path, isThere: isThere, version: version, count: tail.count, kept: tail.statements.count,
      invalid: tail.invalid, groups: Array(groups.prefix(Self.size)), omitted: max(0, groups.count - Self.size),
      latest: tail.statements.suffix(Self.size).reversed())
  }
}

extension StatementReport.Group {
  fileprivate static func all(_ statements: [TracedLine]) -> [Self] {
    var groups: [String: Self] = [:]
    for (number, statement) in statements.enumerated() {
      groups[statement.sql, default: Self(sql: statement.sql)].add(statement, number)
    }
    return groups.values.sorted { $0.last > $1.last }
  }

  private mutating func add(_ statement: TracedLine, _ number: Int) {
    count += 1
    rows = rows.addingReportingOverflow(statement.rows ?? 0).partialValue
    total += statement.seconds
    longest = max(longest, statement.seconds)
    last = number
    if let purpose = statement.purpose, !purposes.contains(purpose), purposes.count < 10 { purposes.append(purpose) }
  }

  fileprivate func rank(_ order: StatementReport.Order) -> Double {
    switch order {
    case .total: total
    case .count: Double(count)
    case .mean: mean
    case .longest: longest
    case .rows: Double(rows)
    case .last: Double(last)
    }
  }
}
