import SchemaModel
import Trellis

/// The relationships between fixture rows. Inverses agree, required references have a destination, and lists respect
/// their bounds. Where permitted, the rows include nil references, empty lists, and lists with a single member and
/// with several members.
struct FixtureLinks {
  private let graph: SchemaGraph
  private let counts: RowCounts
  private(set) var references: [DescribedReference: [String: DescribedReference]] = [:]
  private(set) var lists: [DescribedReference: [String: [DescribedReference]]] = [:]

  init(_ graph: SchemaGraph, _ values: TypeValues, _ counts: RowCounts) throws(FixtureRefusal) {
    self.graph = graph
    self.counts = counts
    for pair in graph.pairs {
      let owners = rows(of: pair.own.model)
      let targets = rows(of: pair.target)
      guard !owners.isEmpty, !targets.isEmpty else { continue }
      if pair.own.isToMany {
        try connectLists(pair, owners, targets)
      } else if pair.other?.isToMany == false || graph.isUnique(pair.own, values) {
        connectPairs(pair, owners, targets)
      } else {
        connectReferences(pair, owners, targets)
      }
    }
  }

  private func rows(of model: String) -> [DescribedReference] {
    graph.members(of: model).flatMap { member in
      (0..<(counts.byModel[member] ?? 0)).map { DescribedReference(member, $0) }
    }
  }

  private func isReflexive(_ pair: RelationshipPair) -> Bool {
    graph.root(of: pair.own.model) == graph.root(of: pair.target)
  }

  private mutating func set(
    _ side: RelationshipPair.Side, of owner: DescribedReference, to target: DescribedReference
  ) {
    references[owner, default: [:]][side.relationship.name] = target
  }

  private mutating func add(
    _ member: DescribedReference, to side: RelationshipPair.Side, of owner: DescribedReference
  ) {
    // Produce an order that differs from the key order.
    if side.relationship.isOrdered, owner.row % 2 == 1 {
      lists[owner, default: [:]][side.relationship.name, default: []].insert(member, at: 0)
    } else {
      lists[owner, default: [:]][side.relationship.name, default: []].append(member)
    }
  }

  // MARK: One to one

  private mutating func connectPairs(
    _ pair: RelationshipPair, _ owners: [DescribedReference], _ targets: [DescribedReference]
  ) {
    let isRequired = pair.own.isRequired || pair.other?.isRequired ?? false
    func link(_ owner: DescribedReference, _ target: DescribedReference) {
      set(pair.own, of: owner, to: target)
      guard let other = pair.other else { return }
      if other.isToMany { add(owner, to: other, of: target) } else { set(other, of: target, to: owner) }
    }
    if pair.isItsOwnInverse {
      for place in stride(from: 0, to: owners.count - 1, by: 2) where isRequired || place % 6 != 4 {
        link(owners[place], owners[place + 1])
      }
    } else if isReflexive(pair) {
      // Connect each row to the next row. If the reference is required, the rows form a ring.
      for place in 0..<min(owners.count, targets.count) where isRequired || place % 3 != 2 {
        let next = place + 1
        if next < targets.count {
          link(owners[place], targets[next])
        } else if isRequired {
          link(owners[place], targets[0])
        }
      }
    } else {
      for (place, (owner, target)) in zip(owners, targets).enumerated() where isRequired || place % 3 != 2 {
        link(owner, target)
      }
    }
  }

  // MARK: Many to one

  private mutating func connectReferences(
    _ pair: RelationshipPair, _ owners: [DescribedReference], _ targets: [DescribedReference]
  ) {
    let list = pair.other
    let minimum = list?.minimum ?? 0
    let maximum = list?.maximum ?? .max
    let isBounded = minimum > 0 || maximum < .max
    let (room, overflow) = targets.count.multipliedReportingOverflow(by: maximum)
    var linked = owners
    if !pair.own.isRequired {
      if isBounded {
        linked = Array(owners.prefix(overflow ? owners.count : room))
        while let list, !list.canHold(linked.count) { linked.removeLast() }
        if minimum == 0 { linked = linked.enumerated().filter { $0.offset % 3 != 2 }.map(\.element) }
      } else {
        linked = owners.enumerated().filter { $0.offset % 3 != 2 }.map(\.element)
      }
    }
    for (place, owner) in linked.enumerated() {
      let target: DescribedReference
      if isBounded {
        target = targets[place % heads(linked.count, targets.count, list)]
      } else if isReflexive(pair), !pair.own.isRequired {
        // Connect each row to an earlier row, so that the rows form a tree.
        guard let above = Self.above(owner, among: targets) else { continue }
        target = above
      } else {
        target = targets[spread(owner, place, linked.count, targets.count)]
      }
      set(pair.own, of: owner, to: target)
      if let list { add(owner, to: list, of: target) }
    }
  }

  /// Returns the number of lists that get members, chosen so that each list respects the bounds.
  private func heads(_ members: Int, _ lists: Int, _ side: RelationshipPair.Side?) -> Int {
    guard let side else { return lists }
    if !side.mayBeEmpty { return lists }
    let fewest = side.maximum < .max ? (members + side.maximum - 1) / side.maximum : 1
    let most = side.minimum > 0 ? max(1, members / side.minimum) : lists
    return max(1, min(lists, max(fewest, min(most, (members + 2) / 3))))
  }

  private static func above(
    _ owner: DescribedReference, among targets: [DescribedReference]
  ) -> DescribedReference? {
    let row = owner.row / 2
    guard owner.row > 0 else { return nil }
    return targets.first { $0.model == owner.model && $0.row == (owner.row - 1) / 2 }
      ?? targets.first { $0.row == row && $0.model != owner.model }
  }

  /// Returns the index of an owner's target. Three owners share a target, the fourth has a separate target, and so on.
  /// Rows in the second half repeat the references from the first half, except for the last row.
  private func spread(_ owner: DescribedReference, _ place: Int, _ owners: Int, _ targets: Int) -> Int {
    if place == owners - 1 { return targets - 1 }
    let half = max(1, (counts.byModel[owner.model] ?? 1) / 2)
    let row = owner.row % half
    return (row / 4 * 2 + (row % 4 == 3 ? 1 : 0)) % targets
  }

  // MARK: Many to many

  private mutating func connectLists(
    _ pair: RelationshipPair, _ owners: [DescribedReference], _ targets: [DescribedReference]
  ) throws(FixtureRefusal) {
    if pair.isItsOwnInverse { return try connectFriends(pair, owners) }
    let other = pair.other
    let isBounded = (other?.minimum ?? 0) > 0 || (other?.maximum ?? .max) < .max
    let even = isBounded ? try size(pair, owners.count, targets.count) : 0
    var next = isReflexive(pair) ? 1 : 0
    // Leave some rows out of all lists, and add a few only to the last two lists.
    let pool = isBounded ? targets.count : max(min(3, targets.count), targets.count * 3 / 4)
    for (place, owner) in owners.enumerated() {
      var count = even
      if !isBounded {
        count = min([3, 0, 1, 2][place % 4], targets.count, pair.own.maximum)
        if count < pair.own.minimum { count = pair.own.mayBeEmpty && count == 0 ? 0 : pair.own.minimum }
      }
      for number in 0..<count {
        let isLast = number == 0 && place > owners.count - 3 && pool < targets.count && count > 0
        let member = isLast ? targets[pool + place % 2 % (targets.count - pool)] : targets[next % pool]
        next += 1
        add(member, to: pair.own, of: owner)
        if let other { add(owner, to: other, of: member) }
      }
    }
  }

  /// Returns a list size that respects the bounds on both sides.
  private func size(_ pair: RelationshipPair, _ owners: Int, _ targets: Int) throws(FixtureRefusal) -> Int {
    let other = pair.other
    for size in max(1, pair.own.minimum)...max(1, min(targets, pair.own.maximum)) {
      let links = owners * size
      let fewest = links / targets
      let most = (links + targets - 1) / targets
      if fewest >= other?.minimum ?? 0, most <= other?.maximum ?? .max, size <= targets { return size }
    }
    if pair.own.mayBeEmpty, other?.mayBeEmpty ?? true { return 0 }
    throw RowCounts.impossible(pair)
  }

  private mutating func connectFriends(
    _ pair: RelationshipPair, _ owners: [DescribedReference]
  ) throws(FixtureRefusal) {
    let side = pair.own
    func link(_ one: Int, _ other: Int) {
      add(owners[other], to: side, of: owners[one])
      add(owners[one], to: side, of: owners[other])
    }
    if side.minimum > 1 {
      // A ring in which each row is connected to the neighbors on both sides.
      let reach = (side.minimum + 1) / 2
      guard 2 * reach <= side.maximum, 2 * reach < owners.count || side.minimum < 3 else {
        throw RowCounts.impossible(pair)
      }
      for place in owners.indices {
        for step in 1...reach { link(place, (place + step) % owners.count) }
      }
      return
    }
    let step = side.maximum == 1 || side.minimum == 1 ? 2 : 1
    for place in stride(from: 0, to: owners.count, by: step) where side.minimum == 1 || place % 6 < 3 {
      if place + 1 < owners.count {
        link(place, place + 1)
      } else if side.minimum == 1, place > 0 {
        link(place, place - 1)
      }
    }
  }
}
