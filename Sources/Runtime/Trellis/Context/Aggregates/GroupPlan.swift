/// One question for groups: by what, which values, which groups, in which order.
struct GroupPlan<Model: PersistentModel, Row> {
  /// The keys' key paths, for those that the order names.
  var keyPaths: [AnyKeyPath] = []
  var keys: [GroupSource<Model>] = []
  /// Stands for one key of a model where models are distinguished.
  var keyOf: [(Model) throws -> SQLValue] = []
  var values: [GroupSource<Model>] = []
  var having: GroupFilter<Model>?
  var order: [GroupOrder<Model>] = []
  var limit: Int?
  /// The cells of a group, keys first, and what becomes of them.
  let makeGroup: () -> (cells: [any GroupCell<Model>], row: () throws -> Row)

  init(makeGroup: @escaping () -> (cells: [any GroupCell<Model>], row: () throws -> Row)) {
    self.makeGroup = makeGroup
  }

  /// Whether values of other rows, or values that are not stored, are needed.
  var crossesRelationships: Bool {
    sources.contains(where: \.crossesRelationships)
  }

  private var sources: [GroupSource<Model>] {
    keys + values + (having?.sources ?? []) + order.map(\.source)
  }

  /// Refuses values that cannot be distinguished, and an order by something that differs in a group.
  func check() throws {
    for source in sources { if let problem = source.problem { throw problem } }
    for order in order {
      guard let keyPath = order.keyPath, !keyPaths.contains(keyPath) else { continue }
      throw SwiftDataError.unsupportedSortDescriptor.explained(
        "groups of '\(Model._$definition.entityName)' are sorted by '\(keyPath)', which they are "
          + "not grouped by: group by it, too, or sort by its minimum or maximum")
    }
  }

  func makeState() -> GroupState<Model, Row> { GroupState(self) }
}

/// The cells of one group.
struct GroupState<Model: PersistentModel, Row> {
  let cells: [any GroupCell<Model>]
  let row: () throws -> Row
  let test: GroupTest<Model>?
  private let order: [any GroupCell<Model>]
  private let keyCount: Int

  init(_ plan: GroupPlan<Model, Row>) {
    (cells, row) = plan.makeGroup()
    keyCount = plan.keys.count
    test = plan.having?.makeTest()
    order = plan.order.map { $0.source.makeCell() }
  }

  func add(_ model: Model) throws {
    for cell in cells { try cell.add(model) }
    for cell in test?.cells ?? [] { try cell.add(model) }
    for cell in order { try cell.add(model) }
  }

  /// Takes what a store has computed: the columns of the cells, then those of tests and order as
  /// far as they are requested.
  func read(_ row: inout StatementRow, _ select: AggregateSelect) throws {
    var column: Int32 = 0
    func read(_ cells: [any GroupCell<Model>]) throws {
      for cell in cells {
        try cell.read(&row, column)
        column += Int32(cell.width)
      }
    }
    try read(cells)
    if let test, select.having == nil { try read(test.cells) }
    if !select.isOrdered { try read(order) }
  }

  var passes: Bool { get throws { try test?.passes() ?? true } }

  /// By which the group is compared with others: as ordered, then by its keys.
  func orderKeys() throws -> [SQLValue] {
    try (order + cells.prefix(keyCount)).map { try $0.orderKey() }
  }
}

extension GroupPlan {
  func select(_ sql: inout AggregateTranslation) throws -> AggregateSelect {
    let keyColumns = try keys.flatMap { try $0.columns(&sql) }
    var select = AggregateSelect(
      columns: try keyColumns + values.flatMap { try $0.columns(&sql) })
    select.groupBy = keyColumns
    if let having {
      select.having = try having.condition(&sql)
      if select.having == nil {
        select.columns += try having.sources.flatMap { try $0.columns(&sql) }
      }
    }
    if let terms = try orderTerms(&sql) {
      select.order = terms
      select.isOrdered = true
    } else {
      select.columns += try order.flatMap { try $0.source.columns(&sql) }
    }
    if select.isOrdered, having == nil || select.having != nil { select.limit = limit }
    return select
  }

  private func orderTerms(_ sql: inout AggregateTranslation) throws -> [SQLFragment]? {
    var terms: [SQLFragment] = []
    for order in order {
      guard let term = try order.source.orderable(&sql) else { return nil }
      terms.append(sql.sortTerm(term.sql, isReverse: order.isDescending))
    }
    for key in keys {
      guard let term = try key.orderable(&sql) else { return nil }
      terms.append(sql.sortTerm(term.sql, isReverse: false))
    }
    return terms
  }

  /// Whether one group comes before another one.
  func isBefore(_ lhs: [SQLValue], _ rhs: [SQLValue]) -> Bool {
    for (index, pair) in zip(lhs, rhs).enumerated() {
      let isDescending = index < order.count && order[index].isDescending
      let (first, second) = isDescending ? (pair.1, pair.0) : pair
      if OrderKey.isBefore(first, second) { return true }
      if OrderKey.isBefore(second, first) { return false }
    }
    return false
  }
}
