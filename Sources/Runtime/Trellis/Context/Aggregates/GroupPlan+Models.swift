extension GroupPlan {
  /// The answer made from models, the same as that of a store.
  func rows(of models: [Model]) throws -> [Row] {
    var groups: [GroupState<Model, Row>] = []
    var indices: [[SQLValue]: Int] = [:]
    if keys.isEmpty {
      let all = makeState()
      for model in models { try all.add(model) }
      groups = [all]
    } else {
      for model in models {
        let key = try keyOf.map { try $0(model) }
        if let index = indices[key] {
          try groups[index].add(model)
        } else {
          indices[key] = groups.count
          let state = makeState()
          try state.add(model)
          groups.append(state)
        }
      }
    }
    return try groups.filter { try $0.passes }
      .map { (row: try $0.row(), keys: try $0.orderKeys()) }
      .sorted { isBefore($0.keys, $1.keys) }
      .prefix(limit ?? groups.count).map(\.row)
  }
}
