import Foundation

/// A query for a single entity, translated to SQL.
package struct FetchQuery {
  package let query: StoreQuery
  package let plan: EntityStatements
  private let plans: StoreStatements
  package let marks: ColumnFlags

  package init(_ query: StoreQuery, _ store: DefaultStore) throws {
    try self.init(query, store.plans, store.marks)
  }

  /// Creates a query on a store's tables, in the store's SQL dialect.
  package init(_ query: StoreQuery, _ plans: StoreStatements, _ marks: ColumnFlags) throws {
    self.query = query
    self.plans = plans
    self.marks = marks
    plan = try plans.plan(for: query.definition)
  }

  /// True if the query selects every row in key order.
  package var isPlain: Bool {
    !query.hasPredicate && !query.hasOrder && !query.isPaged
      && plan.restriction.values.isEmpty && query.list == nil && query.parts == nil
  }

  /// True if column values affect the matching rows or their order, so that column flags matter.
  var dependsOnMarks: Bool { query.hasPredicate || query.hasOrder }

  var translator: PredicateTranslator {
    PredicateTranslator(
      layout: plans.catalogue.layout, entity: plan.entity, marks: marks, storeIdentifier: plans.store,
      dialect: plans.dialect)
  }

  // MARK: the text

  /// The columns for whole rows, or for the requested parts.
  package var selection: SQLFragment { query.parts.map(plan.selection) ?? plan.selection }

  package func fragment(selecting columns: SQLFragment) throws -> SQLFragment {
    var fragment: SQLFragment =
      "SELECT \(columns) FROM \(plan.source)\(try condition()) ORDER BY \(try order())"
    if query.isPaged {
      fragment += plans.dialect.page(
        limit: "\(value: .integer(limit))", offset: "\(value: .integer(Int64(query.offset)))")
    }
    return fragment
  }

  /// The maximum number of rows; -1 for all.
  private var limit: Int64 { Int64(query.limit ?? -1) }

  package func counting() throws -> SQLFragment { "SELECT COUNT(*) FROM \(plan.source)\(try condition())" }

  package func condition() throws -> SQLFragment {
    var terms: [SQLFragment] = []
    if !plan.restriction.text.isEmpty { terms.append(plan.restriction) }
    if let list = query.list { terms.append(try plans.membership(list)) }
    do {
      if let filter = try query.condition(translator) { terms.append("(\(filter))") }
    } catch is Untranslatable {
      throw DataStoreError.preferInMemoryFilter
    }
    return terms.isEmpty ? "" : " WHERE \(terms.joined(separator: " AND "))"
  }

  /// Returns the sort terms. Rows that compare equal under the sort descriptors are ordered by list position, then key.
  private func order() throws -> SQLFragment {
    var terms = try query.list.map(plans.positions) ?? []
    do {
      if query.hasOrder, let order = try query.order(translator) { terms.insert(order, at: 0) }
    } catch is Untranslatable {
      throw DataStoreError.preferInMemorySort
    }
    return (terms + [plan.key]).joined(separator: ", ")
  }

  // MARK: the shared statement

  /// Returns the purpose for a shared statement; `nil` if the text depends on more than the predicate.
  package func purpose(_ kind: CachedStatement.Purpose.Kind) -> CachedStatement.Purpose? {
    guard query.predicate != nil, query.list == nil, !query.isNarrowing,
      query.parts == nil, kind == .count || !query.hasOrder
    else { return nil }
    return .init(plan: plan.number, kind: kind, isPaged: kind != .count && query.isPaged)
  }

  /// Returns the statement shared by predicates with the same signature; `nil` if this query needs a separate one.
  package func shared(
    _ purpose: CachedStatement.Purpose, _ generation: Int
  ) -> CachedStatement.Text? {
    query.predicate?.query.statement(purpose, generation) { text(purpose) }
  }

  private func text(_ purpose: CachedStatement.Purpose) -> CachedStatement.Text? {
    guard let signed = query.predicate,
      // If this fails, the query's separate statement reports the reason.
      let fragment = try? fragment(for: purpose.kind),
      var parameters = signed.parameters(of: fragment)
    else { return nil }
    // The limit and offset are the last two parameters.
    if purpose.isPaged { parameters.replaceSubrange((parameters.count - 2)..., with: [.limit, .offset]) }
    return .init(sql: NumberedText(fragment.text), parameters: parameters)
  }

  /// Returns the statement for a purpose.
  ///
  /// - Throws: ``DataStoreError/preferInMemoryFilter`` or ``DataStoreError/preferInMemorySort``.
  package func fragment(for kind: CachedStatement.Purpose.Kind) throws -> SQLFragment {
    switch kind {
    case .rows: try fragment(selecting: selection)
    case .keys: try fragment(selecting: plan.key)
    case .count: try counting()
    }
  }

  /// Binds this query's captured values to a shared statement.
  package func bind(_ text: CachedStatement.Text, to statement: Statement) throws {
    try query.predicate?.bind(text, limit: limit, offset: Int64(query.offset), to: statement)
  }

  // MARK: explanation

  /// Returns the parts of the descriptor that cannot be translated.
  package func refusals() -> StoreExplanation {
    func refusal(_ body: () throws -> Void) -> Untranslatable? {
      do {
        try body()
        return nil
      } catch {
        return error as? Untranslatable ?? Untranslatable("\(error)")
      }
    }
    return StoreExplanation(
      filter: refusal { _ = try query.condition(translator) },
      sort: refusal { _ = try query.order(translator) })
  }
}

extension EntityStatements {
  /// Returns a row's columns, with NULL for columns that are not read.
  package func selection(of parts: FetchParts) -> SQLFragment {
    let alias = PredicateTranslator.rootAlias
    var columns = [SQLFragment](repeating: "NULL", count: Int(selectionCount))
    columns[0] = key
    if !shapes.isEmpty { columns[1] = "\(column: entity.entityColumn, of: alias)" }
    for shape in shapes.isEmpty ? [shape] : Array(shapes.values) {
      let missing = parts.missing(of: shape.entity.definition)
      for column in shape.entity.columns where !missing.contains(column.slot) {
        columns[Int(shape.columns[column.slot])] = "\(column: column.name, of: alias)"
        for (position, member) in zip(shape.members[column.slot] ?? [], column.members) {
          columns[Int(position)] = "\(column: member.name, of: alias)"
        }
      }
    }
    return columns.joined(separator: ", ")
  }
}
