/// A grouping query: keys, aggregates, condition, order and limit.
struct GroupPlan<Model: PersistentModel> {
  private var keys: [GroupSource<Model>] = []
  private var values: [GroupSource<Model>] = []
  private let having: GroupFilter<Model>?
  private let order: [GroupOrder<Model>]
  private let limit: Int?
  /// The keys, the aggregates, and the sources of the condition and the order. A group has a cell for each source.
  private let sources: [GroupSource<Model>]

  init<each Key, each Value>(
    by keys: repeat KeyPath<Model, each Key>, computing aggregates: repeat Aggregate<Model, each Value>,
    having: GroupFilter<Model>? = nil, orderedBy order: [GroupOrder<Model>] = [], limit: Int? = nil
  ) {
    for keyPath in repeat each keys { self.keys.append(GroupSource(key: keyPath)) }
    for aggregate in repeat each aggregates { values.append(aggregate.source) }
    self.having = having
    self.order = order
    self.limit = limit
    // Swift 6.3 cannot create key paths in code with parameter packs.
    sources = self.keys + values + (having?.sources ?? []) + order.map { $0.source }
  }

  /// True if the plan needs unstored values or values from other rows.
  var crossesRelationships: Bool { sources.contains { $0.input?.crossesRelationships ?? false } }

  /// Returns the groups as rows of the result type.
  func rows<Row>(of rows: ValueRows<Model>, _ makeRow: (inout GroupValues<Model>) throws -> Row) throws -> [Row] {
    try check()
    if let limit, limit <= 0 { return [] }
    let groups =
      try summarized(rows)
      ?? rows.fold(sources.map(\.input), into: { GroupTable(self) }) { try $0.add(&$1) }.groups
    return try finished(groups).map { cells in
      var values = GroupValues(cells: cells[...])
      return try makeRow(&values)
    }
  }

  /// Returns the single row of a plan that has no keys.
  func row<Row>(of rows: ValueRows<Model>, _ makeRow: (inout GroupValues<Model>) throws -> Row) throws -> Row {
    guard let row = try self.rows(of: rows, makeRow).first else { throw DataStoreError.unsupportedFeature }
    return row
  }

  /// Rejects values that cannot be distinguished, and sort keys that can differ within a group.
  private func check() throws {
    for source in sources { if let problem = source.problem { throw problem } }
    let known = keys.map(\.input?.keyPath)
    for source in order.map(\.source) where source.operation == .key && !known.contains(source.input?.keyPath) {
      throw SwiftDataError.unsupportedSortDescriptor.explained(
        "groups of '\(Model._$definition.entityName)' are sorted by '\(source.input?.keyPath ?? \Model.self)', which "
          + "is not a group key: add it to the keys, or sort by its minimum or maximum")
    }
  }

  /// Returns the groups computed by the store, or `nil` if the context must compute them.
  private func summarized(_ rows: ValueRows<Model>) throws -> [[GroupCell<Model>]]? {
    var groups: [[GroupCell<Model>]] = []
    let isAnswered = try rows.select(select) { row in
      let cells = makeCells()
      var column: Int32 = 0
      for (cell, source) in zip(cells, sources) {
        try cell.read(&row, column)
        column += source.width
      }
      groups.append(cells)
    }
    return isAnswered ? groups : nil
  }

  /// Builds the SELECT for the groups.
  func select(_ sql: inout Translation) throws -> AggregateSelect {
    AggregateSelect(
      columns: try sources.flatMap { try $0.columns(&sql) }, groupBy: try keys.flatMap { try $0.columns(&sql) })
  }

  private func makeCells() -> [GroupCell<Model>] { sources.map { $0.makeCell() } }

  /// Filters, sorts and limits the groups.
  private func finished(_ groups: [[GroupCell<Model>]]) throws -> [[GroupCell<Model>]] {
    let condition = keys.count + values.count..<sources.count - order.count
    let groups = try having.map { having in try groups.filter { try having.passes($0[condition]) } } ?? groups
    let orderKeys = try groups.map { cells in
      try (cells.suffix(order.count) + cells.prefix(keys.count)).map { try $0.orderKey() }
    }
    let sorted = groups.indices.sorted { isBefore(orderKeys[$0], orderKeys[$1]) }
    return sorted.prefix(limit ?? sorted.count).map { groups[$0] }
  }

  private func isBefore(_ lhs: [SQLValue], _ rhs: [SQLValue]) -> Bool {
    for (index, pair) in zip(lhs, rhs).enumerated() {
      let isDescending = index < order.count && order[index].isDescending
      let (first, second) = isDescending ? (pair.1, pair.0) : pair
      if OrderKey.isBefore(first, second) { return true }
      if OrderKey.isBefore(second, first) { return false }
    }
    return false
  }

  /// Collects groups from individual rows.
  private struct GroupTable {
    private let plan: GroupPlan
    private let keys: [GroupCell<Model>]
    private var indices: [[SQLValue]: Int] = [:]
    private(set) var groups: [[GroupCell<Model>]] = []

    init(_ plan: GroupPlan) {
      self.plan = plan
      keys = plan.keys.map { $0.makeCell() }
      if keys.isEmpty { groups = [plan.makeCells()] }
    }

    mutating func add(_ row: inout ValueRow<Model>) throws {
      for (column, cell) in try group(of: &row).enumerated() { try cell.add(&row, Int32(column)) }
    }

    private mutating func group(of row: inout ValueRow<Model>) throws -> [GroupCell<Model>] {
      guard !keys.isEmpty else { return groups[0] }
      var key: [SQLValue] = []
      for (column, cell) in keys.enumerated() { key.append(try cell.rowKey(&row, Int32(column))) }
      if let index = indices[key] { return groups[index] }
      indices[key] = groups.count
      groups.append(plan.makeCells())
      return groups[groups.count - 1]
    }
  }
}

/// A group's values in sequence.
struct GroupValues<Model: PersistentModel> {
  fileprivate var cells: ArraySlice<GroupCell<Model>>

  init(cells: ArraySlice<GroupCell<Model>>) { self.cells = cells }

  mutating func next<Value>(_: Aggregate<Model, Value>) throws -> Value { try next() }
  mutating func next<Key>(_: KeyPath<Model, Key>) throws -> Key { try next() }

  private mutating func next<Value>() throws -> Value {
    guard let cell = cells.popFirst() as? ValueCell<Model, Value> else { throw DataStoreError.unsupportedFeature }
    return try cell.value()
  }
}

/// The state of a key or aggregate in a group, read from the database's result or computed row by row.
class GroupCell<Model: PersistentModel> {
  /// Reads the database's result. For most cells, this is equivalent to adding the group's only row.
  ///
  /// - Parameter column: The first of the source's columns.
  func read(_ row: inout ValueRow<Model>, _ column: Int32) throws { try add(&row, column) }

  /// Adds a row of the group.
  func add(_ row: inout ValueRow<Model>, _ column: Int32) throws {}

  /// Returns a value that identifies the row's group. Used only for keys.
  func rowKey(_ row: inout ValueRow<Model>, _ column: Int32) throws -> SQLValue { .null }

  /// Returns the value by which groups are compared: `nil` sorts first, NaN after all numbers.
  func orderKey() throws -> SQLValue { .null }
}

/// A cell with a typed value.
class ValueCell<Model: PersistentModel, Value>: GroupCell<Model> {
  func value() throws -> Value { throw DataStoreError.unsupportedFeature }

  final override func orderKey() throws -> SQLValue { try OrderKey.of(value()) }
}

final class CountCell<Model: PersistentModel>: ValueCell<Model, Int> {
  private var count = 0
  private let counts: (inout ValueRow<Model>, Int32) throws -> Bool

  /// - Parameter counts: Returns true if a row is counted.
  init(_ counts: @escaping (inout ValueRow<Model>, Int32) throws -> Bool) { self.counts = counts }

  override func read(_ row: inout ValueRow<Model>, _ column: Int32) throws {
    count = try Int.read(&row.columns, column)
  }
  override func add(_ row: inout ValueRow<Model>, _ column: Int32) throws {
    if try counts(&row, column) { count += 1 }
  }
  override func value() throws -> Int { count }
}

/// A sum, or an average derived from it.
final class SumCell<Model: PersistentModel, V: SummableValue, Value>: ValueCell<Model, Value> {
  private let reader: ValueReader<Model, V>
  private let result: (Summation) throws -> Value
  private var summation = Summation()

  init(_ reader: ValueReader<Model, V>, _ result: @escaping (Summation) throws -> Value) {
    self.reader = reader
    self.result = result
  }

  override func read(_ row: inout ValueRow<Model>, _ column: Int32) throws {
    summation.count = try Int.read(&row.columns, column)
    guard summation.count > 0 else { return }
    switch reader.input.kind {
    case .integer: summation.integer = Int128(try Int64.read(&row.columns, column + 1))
    case .real, .float: summation.storedReal = try Double.read(&row.columns, column + 1)
    default: summation.storedDecimal = try String.read(&row.columns, column + 1)
    }
  }

  override func add(_ row: inout ValueRow<Model>, _ column: Int32) throws {
    V._$add(try reader(&row, column), to: &summation)
  }

  override func value() throws -> Value { try result(summation) }
}

/// The smallest or largest value.
final class ExtremeCell<Model: PersistentModel, V: OrderedValue>: ValueCell<Model, V.Ordered?> {
  private let reader: ValueReader<Model, V>
  private let isLargest: Bool
  private var best: V.Ordered?

  init(_ reader: ValueReader<Model, V>, isLargest: Bool) {
    self.reader = reader
    self.isLargest = isLargest
  }

  override func add(_ row: inout ValueRow<Model>, _ column: Int32) throws {
    // If there are no rows, the result is NULL, even for a non-optional type.
    guard !row.isNull(column), let value = V._$ordered(try reader(&row, column)) else { return }
    guard let best, !V._$isNaN(best) else {
      // A number replaces NaN.
      self.best = value
      return
    }
    guard !V._$isNaN(value) else { return }
    if isLargest ? V._$isBefore(best, value) : V._$isBefore(value, best) { self.best = value }
  }

  override func value() throws -> V.Ordered? { best.map(V._$settled) }
}

/// The common value of a group's rows.
final class KeyCell<Model: PersistentModel, V>: ValueCell<Model, V> {
  private let reader: ValueReader<Model, V>
  private var found: V?

  init(_ reader: ValueReader<Model, V>) { self.reader = reader }

  override func add(_ row: inout ValueRow<Model>, _ column: Int32) throws {
    if found == nil { found = try reader(&row, column) }
  }

  override func rowKey(_ row: inout ValueRow<Model>, _ column: Int32) throws -> SQLValue {
    try OrderKey.of(reader(&row, column), reader.input.kind)
  }

  /// Returns the value in canonical form, regardless of which row came first.
  override func value() throws -> V {
    guard let found else {
      throw SwiftDataError.unsupportedKeyPath.explained("'\(reader.keyPath)' has no value in this group")
    }
    guard let type = V.self as? any OrderedValue.Type else { return found }
    func settled<O: OrderedValue>(_: O.Type) -> V? {
      guard let value = found as? O, let ordered = O._$ordered(value) else { return nil }
      return O._$settled(ordered) as? V
    }
    return settled(type) ?? found
  }
}

/// A value's stored form, used to distinguish and sort values as in SQL.
enum OrderKey {
  static func of<V>(_ value: V) throws -> SQLValue { try of(value, ScalarKind.of(V.self)) }

  static func of<V>(_ value: V, _ kind: ScalarKind?) throws -> SQLValue {
    guard let bare = ConstantTerm.unwrap(value) else { return .null }
    guard let kind else { throw problem(V.self) }
    if let identifier = bare as? PersistentIdentifier { return .text(key(identifier)) }
    let stored = try kind.encode(bare, nil)
    if kind == .decimal, case .text(let text) = stored { return .text(DecimalText.orderKey(text)) }
    return stored
  }

  /// Returns the error for a type whose values cannot be distinguished.
  static func problem(_ type: any Any.Type) -> SwiftDataError {
    .unsupportedKeyPath.explained(
      "values of type '\(type)' cannot be grouped or counted as distinct values: use attributes "
        + "of a plain type or identifiers; for a relationship, write "
        + "'\\.trip?.persistentModelID'")
  }

  /// Returns a sort key that places saved rows before pending rows, each sorted by key.
  private static func key(_ identifier: PersistentIdentifier) -> String {
    let head = identifier.isTemporary ? "1" : "0"
    guard let row = identifier.row else { return "\(head)\(identifier)" }
    let digits = String(UInt64.init(bitPattern: row ^ Int64.min))
    return head + String(repeating: "0", count: max(0, 20 - digits.count)) + digits
      + identifier.entityName
  }

  /// SQLite's order for values of a single type: NULL, numbers, text, blobs. NaN is stored as text.
  static func isBefore(_ lhs: SQLValue, _ rhs: SQLValue) -> Bool {
    switch (lhs, rhs) {
    case (.integer(let lhs), .integer(let rhs)): lhs < rhs
    case (.real(let lhs), .real(let rhs)): lhs < rhs
    case (.text(let lhs), .text(let rhs)): lhs.utf8.lexicographicallyPrecedes(rhs.utf8)
    case (.blob(let lhs), .blob(let rhs)): lhs.lexicographicallyPrecedes(rhs)
    default: rank(lhs) < rank(rhs)
    }
  }

  private static func rank(_ value: SQLValue) -> Int {
    switch value {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob, .list: 3
    }
  }
}
