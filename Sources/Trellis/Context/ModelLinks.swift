/// The relationships of one model that are held as objects.
struct ModelLinks {
  typealias ListEntry = (slot: Int, list: ModelList)

  /// To-one references by column slot: only while one of the two has no context.
  private var targets: [(slot: Int, model: any PersistentModel)] = []
  /// To-many lists by list slot; most models have one at most.
  private var first: ListEntry?
  private var others: [ListEntry] = []

  func target(_ slot: Int) -> (any PersistentModel)? {
    for target in targets where target.slot == slot { return target.model }
    return nil
  }

  mutating func setTarget(_ slot: Int, _ model: (any PersistentModel)?) {
    targets.removeAll { $0.slot == slot }
    if let model { targets.append((slot, model)) }
  }

  mutating func removeTargets() { targets = [] }
  mutating func removeLists() { setLists([]) }

  /// Replaces every list.
  mutating func setLists(_ lists: [ListEntry]) {
    first = lists.first
    others = Array(lists.dropFirst())
  }

  /// Drops the targets that can be found by identifier now: those of the same context.
  mutating func releaseTargets(registeredIn context: ModelContext) {
    targets.removeAll { $0.model.ownerContext === context }
  }

  func list(_ slot: Int) -> ModelList? {
    guard let first else { return nil }
    if first.slot == slot { return first.list }
    for other in others where other.slot == slot { return other.list }
    return nil
  }

  mutating func setList(_ slot: Int, _ list: ModelList?) {
    if first == nil || (first?.slot == slot && (list != nil || others.isEmpty)) {
      first = list.map { (slot, $0) }
    } else if first?.slot == slot {
      first = others.removeLast()
    } else {
      others.removeAll { $0.slot == slot }
      if let list { others.append((slot, list)) }
    }
  }

  var isEmpty: Bool { targets.isEmpty && first == nil }

  /// Every model this one holds.
  var reachable: [any PersistentModel] {
    targets.map(\.model) + allLists.flatMap { $0.list.models }
  }

  var allLists: [ListEntry] { first.map { [$0] + others } ?? [] }
}
