extension DefaultStore: ExplainingStore {
  func explain<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> StoreExplanation {
    let query = FetchQuery(request, plan: try plans.plan(for: T._$definition), store: self)
    var result = query.refusals()
    guard result.filter == nil, result.sort == nil else { return result }
    let sql = try query.fragment(selecting: query.plan.selection)
    result.sql = sql
    try pool.read { connection in
      var depths: [Int64: Int] = [0: 0]
      let statement = try Statement(
        ("EXPLAIN QUERY PLAN \(sql)" as SQLFragment).text, on: connection.handle, isKept: false)
      try statement.bind(sql.values)
      while try statement.step() {
        let depth = depths[statement.integer(1)] ?? 0
        depths[statement.integer(0)] = depth + 1
        result.plan.append(
          String(repeating: "  ", count: depth) + (statement.text(3) ?? ""))
      }
    }
    return result
  }
}

extension FetchQuery {
  /// What of the descriptor has no translation.
  fileprivate func refusals() -> StoreExplanation {
    func refusal(_ body: () throws -> Void) -> Untranslatable? {
      do {
        try body()
        return nil
      } catch {
        return error as? Untranslatable ?? Untranslatable("\(error)")
      }
    }
    return StoreExplanation(
      filter: refusal {
        if let predicate = descriptor.predicate { _ = try filter(predicate) }
      },
      sort: refusal { _ = try translator.order(descriptor.sortBy) })
  }
}
