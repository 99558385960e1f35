import SchemaModel

/// The row count for each model: the requested number, reduced if there are fewer unique values, and increased for
/// enums with more cases and for relationships that need more destinations.
struct RowCounts {
  private let graph: SchemaGraph
  private let values: TypeValues
  private(set) var byModel: [String: Int] = [:]
  /// The maximum row count by model.
  private var limits: [String: Int] = [:]

  init(_ graph: SchemaGraph, _ values: TypeValues, wanted: Int) throws(FixtureRefusal) {
    self.graph = graph
    self.values = values
    for entity in graph.schema.entities {
      let cases = graph.attributes(of: entity.name).map { attribute -> Int in
        guard case .enumeration = attribute.type.unwrapped else { return 0 }
        return values.samples(of: attribute.type).count
      }
      byModel[entity.name] = max(wanted, cases.max() ?? 0)
    }
    limit()
    try satisfyRelationships()
  }

  /// Returns the row count for a model, including all subclasses.
  func all(_ model: String) -> Int { graph.members(of: model).reduce(0) { $0 + (byModel[$1] ?? 0) } }

  private mutating func limit() {
    for entity in graph.schema.entities {
      for unique in entity.uniques {
        let count = unique.properties.reduce(1) { count, property in
          let (product, overflow) = count.multipliedReportingOverflow(by: choices(property, of: entity.name))
          return overflow ? .max : product
        }
        let members = graph.members(of: entity.name)
        guard count < all(entity.name) else { continue }
        for (place, member) in members.enumerated() {
          let share = count / members.count + (place < count % members.count ? 1 : 0)
          limits[member] = min(limits[member] ?? .max, share)
          byModel[member] = min(byModel[member] ?? 0, share)
        }
      }
    }
  }

  /// Returns the number of distinct values that a property can have. NULL values are distinct.
  private func choices(_ path: String, of model: String) -> Int {
    let name = path.split(separator: ".").first.map(String.init)
    guard let attribute = graph.attributes(of: model).first(where: { $0.name == name }) else { return .max }
    let count = graph.count(path, of: model, values)
    return count == 0 && attribute.type.unwrapped != attribute.type ? .max : count
  }

  private mutating func satisfyRelationships() throws(FixtureRefusal) {
    for _ in 0..<64 {
      var isSettled = true
      for pair in graph.pairs {
        for need in needs(of: pair) where all(need.model) < need.rows {
          isSettled = false
          let more = need.rows - all(need.model)
          let rows = (byModel[need.model] ?? 0) + more
          guard rows <= limits[need.model] ?? .max, rows <= 10_000_000 else {
            throw Self.impossible(pair)
          }
          byModel[need.model] = rows
        }
      }
      if isSettled { return }
    }
    throw FixtureRefusal(
      "no row count satisfies all relationships of '\(graph.schema.name)', because they require more and more rows")
  }

  static func impossible(_ pair: RelationshipPair) -> FixtureRefusal {
    FixtureRefusal(
      "'\(pair.own.key)' needs more rows than its bounds or unique values allow; reduce the count with '--rows'"
    )
  }

  private func needs(of pair: RelationshipPair) -> [(model: String, rows: Int)] {
    let owners = all(pair.own.model)
    let targets = all(pair.target)
    guard owners > 0 else { return [] }
    var needs: [(model: String, rows: Int)] = []
    let isReflexive = graph.root(of: pair.own.model) == graph.root(of: pair.target)
    if pair.own.isRequired { needs.append((pair.target, 1)) }
    if pair.own.isToMany, pair.isItsOwnInverse {
      let isPairs = pair.own.minimum == 1 && pair.own.maximum == 1
      return [(pair.target, max(pair.own.minimum + 1, isPairs ? owners + owners % 2 : 0))]
    }
    if pair.own.isToMany {
      needs.append((pair.target, pair.own.minimum))
      if let other = pair.other {
        needs.append((pair.own.model, other.minimum))
        // There must be enough lists for all members.
        if other.maximum < .max, !pair.own.mayBeEmpty {
          needs.append((pair.target, (owners * pair.own.minimum + other.maximum - 1) / other.maximum))
        }
        if pair.own.maximum < .max, !other.mayBeEmpty {
          needs.append((pair.own.model, (targets * other.minimum + pair.own.maximum - 1) / pair.own.maximum))
        }
      }
      return needs
    }
    if pair.own.isRequired, graph.isUnique(pair.own, values) { needs.append((pair.target, owners)) }
    guard let other = pair.other else { return needs }
    if other.isToMany {
      if other.minimum > 0, !other.mayBeEmpty { needs.append((pair.own.model, targets * other.minimum)) }
      if pair.own.isRequired, !other.canHold(owners) { needs.append((pair.own.model, owners + 1)) }
      if pair.own.isRequired, other.maximum < .max {
        needs.append((pair.target, (owners + other.maximum - 1) / other.maximum))
      }
      return needs
    }
    if isReflexive {
      if pair.isItsOwnInverse, pair.own.isRequired { needs.append((pair.own.model, owners + owners % 2)) }
      if pair.own.isRequired { needs.append((pair.target, owners)) }
      if other.isRequired { needs.append((pair.own.model, targets)) }
      return needs
    }
    // An optional side needs a row that has no partner.
    if pair.own.isRequired { needs.append((pair.target, owners + (other.isRequired ? 0 : 1))) }
    if other.isRequired { needs.append((pair.own.model, targets + (pair.own.isRequired ? 0 : 1))) }
    return needs
  }
}
