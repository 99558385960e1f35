/// One question for groups: by what, which values, which groups, in which order.
struct GroupPlan<Model: PersistentModel> {
  private var keys: [GroupSource<Model>] = []
  private var values: [GroupSource<Model>] = []
  private let having: GroupFilter<Model>?
  private let order: [GroupOrder<Model>]
  private let limit: Int?
  /// The keys, the values, those of the condition and those of the order: a group has a cell for each of them.
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

  /// True if values of other rows, or values that are not stored, are needed.
  var crossesRelationships: Bool { sources.contains { $0.term.input?.crossesRelationships ?? false } }

  /// The groups as rows of a type.
  func rows<Row>(of rows: ValueRows<Model>, _ makeRow: (inout GroupValues<Model>) throws -> Row) throws -> [Row] {
    try check()
    if let limit, limit <= 0 { return [] }
    func row(_ cells: [GroupCell<Model>]) throws -> Row {
      var values = GroupValues(cells: cells[...])
      return try makeRow(&values)
    }
    if let found = try summarized(rows, row) { return found }
    let table = try rows.fold(sources.map(\.term.input), into: { GroupTable(self) }) { try $0.add(&$1) }
    return try finished(table.groups).map(row)
  }

  /// The row of a question that has no keys.
  func row<Row>(of rows: ValueRows<Model>, _ makeRow: (inout GroupValues<Model>) throws -> Row) throws -> Row {
    guard let row = try self.rows(of: rows, makeRow).first else { throw DataStoreError.unsupportedFeature }
    return row
  }

  /// Refuses values that cannot be distinguished, and an order by something that differs in a group.
  private func check() throws {
    for source in sources { if let problem = source.term.problem { throw problem } }
    let known = keys.map(\.term.input?.keyPath)
    for term in order.map(\.source.term) where term.operation == .key && !known.contains(term.input?.keyPath) {
      throw SwiftDataError.unsupportedSortDescriptor.explained(
        "groups of '\(Model._$definition.entityName)' are sorted by '\(term.input?.keyPath ?? \Model.self)', which "
          + "they are not grouped by: group by it, too, or sort by its minimum or maximum")
    }
  }

  // MARK: groups made by the store

  /// The groups that the store makes; nil if it leaves the work to the context.
  private func summarized<Row>(
    _ rows: ValueRows<Model>, _ row: ([GroupCell<Model>]) throws -> Row
  ) throws -> [Row]? {
    var select = AggregateSelect(columns: [])
    var found: [Row] = []
    var unfinished: [[GroupCell<Model>]] = []
    var cells = makeCells()
    let isAnswered = try rows.select {
      select = try self.select(&$0)
      return select
    } row: {
      if !select.isFinished { cells = makeCells() }
      var column: Int32 = 0
      for (cell, source) in zip(cells, sources) where column < select.columns.count {
        try cell.read(&$0, column)
        column += source.term.width
      }
      if select.isFinished { found.append(try row(cells)) } else { unfinished.append(cells) }
    }
    guard isAnswered else { return nil }
    return select.isFinished ? found : try finished(unfinished).map(row)
  }

  /// The SELECT for the groups. If SQL can neither test nor sort them, it has the values for that instead.
  func select(_ sql: inout AggregateTranslation) throws -> AggregateSelect {
    let groupBy = try keys.flatMap { try $0.term.columns(&sql) }
    var select = AggregateSelect(columns: try groupBy + values.flatMap { try $0.term.columns(&sql) })
    select.groupBy = groupBy
    let condition = if let having { try having.condition(&sql) } else { nil as SQLFragment? }
    if having == nil || condition != nil, let order = try orderTerms(&sql) {
      select.having = condition
      select.order = order
      select.limit = limit
      select.isFinished = true
    } else {
      for source in sources.dropFirst(keys.count + values.count) { select.columns += try source.term.columns(&sql) }
    }
    return select
  }

  private func orderTerms(_ sql: inout AggregateTranslation) throws -> [SQLFragment]? {
    var terms: [SQLFragment] = []
    for order in order + keys.map({ GroupOrder($0, isDescending: false) }) {
      guard let term = try order.source.term.comparable(&sql) else { return nil }
      terms.append(sql.translation.dialect.sortTerm(term.sql, isReverse: order.isDescending))
    }
    return terms
  }

  // MARK: groups made by the context

  private func makeCells() -> [GroupCell<Model>] { sources.map { $0.makeCell() } }

  /// The groups that satisfy the condition, in order and up to the limit.
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

  /// The groups of the rows that were added.
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

/// The values of a group, one after the other.
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
