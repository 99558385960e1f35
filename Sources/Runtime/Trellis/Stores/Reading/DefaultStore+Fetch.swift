import Foundation

extension DefaultStore {
  public func stream<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>, row: (inout StatementRow) throws -> Void
  ) throws {
    try pool.read(for: .fetch) { try stream(request, on: $0, row: row) }
  }

  private func stream<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>, on connection: Connection,
    row: (inout StatementRow) throws -> Void
  ) throws {
    let query = FetchQuery(request, plan: try plans.plan(for: T._$definition), store: self)
    guard !query.isEmpty else { return }
    guard query.isPlain else {
      try connection.expectLookups()
      return try connection.run(query, row)
    }
    let statement = try connection.statement(slot: query.plan.slot(.fetchAll), query.plainText)
    try connection.run(statement, query.plan, row)
  }

  /// Streams all rows of an entity to somebody who knows most of them: their keys until one is not
  /// known, from there on whole rows. False for any other request.
  ///
  /// - Parameter known: whether the row of the key need not be read.
  func stream<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>, known: (Int64) -> Bool,
    row: (inout StatementRow) throws -> Void
  ) throws -> Bool {
    let plan = try plans.plan(for: T._$definition)
    guard FetchQuery(request, plan: plan, store: self).isPlain else { return false }
    try reading(for: .fetch, several: true) { connection in
      let keys = try connection.statement(
        slot: plan.slot(.keys),
        ("SELECT \(plan.key) FROM \(plan.source) ORDER BY \(plan.key)" as SQLFragment).text)
      guard let first = try connection.firstKey(keys, where: { !known($0) }) else { return }
      let rest = try connection.statement(
        slot: plan.slot(.fetchFrom),
        ("""
          SELECT \(plan.selection) FROM \(plan.source) WHERE \(plan.key) >= ?1
          ORDER BY \(plan.key)
          """ as SQLFragment).text)
      rest.bind(first, at: 1)
      try connection.run(rest, plan, row)
    }
    return true
  }

  public func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    var collector = SnapshotCollector()
    var related: [PersistentIdentifier: DefaultSnapshot] = [:]
    // Rows, their lists and what comes along are of one state.
    try reading(for: .fetch, several: true) { connection in
      try stream(request, on: connection) { try collector.add(&$0) }
      try fillLists(of: collector.filled, on: connection)
      related = try relatedSnapshots(of: collector.snapshots, request, on: connection)
    }
    return DataStoreFetchResult(
      descriptor: request.descriptor, fetchedSnapshots: collector.snapshots,
      relatedSnapshots: related)
  }

  public func fetchCount<T: PersistentModel>(_ request: DataStoreFetchRequest<T>) throws -> Int {
    // Neither the order nor the page change what there is to be counted.
    let query = FetchQuery(request, plan: try plans.plan(for: T._$definition), store: self)
    var count = 0
    try pool.read(for: .count) { connection in
      try connection.runRaw(query, shared: query.purpose(.count), { try query.counting() }) {
        count = Int($0.integer(0))
      }
    }
    let rest = max(0, count - max(0, request.descriptor.fetchOffset ?? 0))
    return request.descriptor.fetchLimit.map { min(max(0, $0), rest) } ?? rest
  }

  public func fetchIdentifiers<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> [PersistentIdentifier] {
    let query = FetchQuery(request, plan: try plans.plan(for: T._$definition), store: self)
    guard !query.isEmpty else { return [] }
    var identifiers: [PersistentIdentifier] = []
    let token = query.plan.token
    try pool.read(for: .fetch) { connection in
      try connection.runRaw(
        query, shared: query.purpose(.keys), { try query.fragment(selecting: query.plan.key) }
      ) {
        identifiers.append(PersistentIdentifier(token: token, row: $0.integer(0)))
      }
    }
    return identifiers
  }
}

/// What a descriptor asks of one entity, as SQL.
struct FetchQuery<T: PersistentModel> {
  let descriptor: FetchDescriptor<T>
  /// The list the rows are members of.
  let scope: DataStoreRelatedRequest?
  let filters: [Predicate<T>]
  let plan: EntityPlan
  let store: DefaultStore
  /// Whether rows may come that the predicate does not match.
  let isNarrowing: Bool
  /// Tells which predicates share a statement with this one; nil when it is translated on its own.
  let form: PredicateForm?

  init(_ request: DataStoreFetchRequest<T>, plan: EntityPlan, store: DefaultStore) {
    self.descriptor = request.descriptor
    self.scope = request.scope
    self.filters = request.filters
    self.isNarrowing = request.isNarrowing
    // The request may ask for more than what the form was taken of: for every row.
    form = request.descriptor.predicate.flatMap { request.form ?? PredicateForm.of($0) }
    self.plan = plan
    self.store = store
  }

  var offset: Int { max(0, descriptor.fetchOffset ?? 0) }

  /// Whether nothing can match.
  var isEmpty: Bool { descriptor.fetchLimit.map { $0 <= 0 } ?? false }

  /// Whether only a part of the matches is asked for.
  var isPaged: Bool { descriptor.fetchLimit != nil || offset > 0 }

  /// Whether every row is asked for, in the order of the keys.
  var isPlain: Bool {
    descriptor.predicate == nil && descriptor.sortBy.isEmpty && descriptor.fetchLimit == nil
      && offset == 0 && plan.restriction.values.isEmpty && scope == nil
  }

  /// Whether the values of columns matter, so that it matters what their marks say.
  var dependsOnMarks: Bool {
    descriptor.predicate != nil || !descriptor.sortBy.isEmpty || !filters.isEmpty
  }

  var plainText: String {
    ("SELECT \(plan.selection) FROM \(plan.source) ORDER BY \(plan.key)" as SQLFragment).text
  }

  var translator: PredicateTranslator {
    PredicateTranslator(
      layout: store.catalogue.layout, entity: plan.entity, marks: store.marks,
      storeIdentifier: store.identifier)
  }

  func condition(_ translated: SQLFragment? = nil) throws -> SQLFragment {
    var terms: [SQLFragment] = []
    if !plan.restriction.text.isEmpty { terms.append(plan.restriction) }
    if let scope { terms.append(try store.membership(scope)) }
    do {
      for predicate in filters { terms.append("(\(try translator.filter(predicate)))") }
      if let translated {
        terms.append("(\(translated))")
      } else if let predicate = descriptor.predicate {
        terms.append("(\(try filter(predicate)))")
      }
    } catch is Untranslatable {
      throw DataStoreError.preferInMemoryFilter
    }
    return terms.isEmpty ? "" : " WHERE \(terms.joined(separator: " AND "))"
  }

  func filter(_ predicate: Predicate<T>) throws -> SQLFragment {
    guard isNarrowing else { return try translator.filter(predicate) }
    guard let beginning = translator.narrowing(predicate) else {
      throw Untranslatable("no part of the predicate comes first")
    }
    return beginning
  }

  /// Ties, and what is not sorted at all, come in the order of the keys.
  private func order() throws -> SQLFragment {
    let rest = try scope.map { try store.place($0) + [plan.key] } ?? [plan.key]
    let last = rest.joined(separator: ", ")
    guard !descriptor.sortBy.isEmpty else { return " ORDER BY \(last)" }
    do {
      let order = try translator.order(descriptor.sortBy)
      return order.text.isEmpty ? " ORDER BY \(last)" : " ORDER BY \(order), \(last)"
    } catch is Untranslatable {
      throw DataStoreError.preferInMemorySort
    }
  }

  /// The most rows; -1 for all.
  var limit: Int64 { Int64(descriptor.fetchLimit.map { max(0, $0) } ?? -1) }

  private var page: SQLFragment {
    guard isPaged else { return "" }
    return " LIMIT \(value: .integer(limit)) OFFSET \(value: .integer(Int64(offset)))"
  }

  func fragment(
    selecting columns: SQLFragment, where translated: SQLFragment? = nil
  ) throws -> SQLFragment {
    "SELECT \(columns) FROM \(plan.source)\(try condition(translated))\(try order())\(page)"
  }

  func counting(where translated: SQLFragment? = nil) throws -> SQLFragment {
    "SELECT COUNT(*) FROM \(plan.source)\(try condition(translated))"
  }
}
