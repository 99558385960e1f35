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
    guard !targets.isEmpty || model != nil else { return }
    let rest = targets.filter { $0.slot != slot }
    targets = model.map { rest + [(slot, $0)] } ?? rest
  }

  mutating func removeTargets() { targets = [] }
  mutating func removeLists() { setLists([]) }

  /// Replaces every list.
  mutating func setLists(_ lists: [ListEntry]) {
    let old = self
    first = lists.first
    others = Array(lists.dropFirst())
    withExtendedLifetime(old) {}
  }

  /// Keeps the targets that pass the test.
  mutating func keepTargets(where isKept: (any PersistentModel) -> Bool) {
    targets = targets.filter { isKept($0.model) }
  }

  func list(_ slot: Int) -> ModelList? {
    guard let first else { return nil }
    if first.slot == slot { return first.list }
    for other in others where other.slot == slot { return other.list }
    return nil
  }

  // What goes away, goes when the lists are complete again: models that die with it may look here.
  mutating func setList(_ slot: Int, _ list: ModelList?) {
    guard let first, first.slot != slot || !others.isEmpty else {
      self.first = list.map { (slot, $0) }
      return
    }
    if first.slot == slot, let list {
      self.first = (slot, list)
    } else {
      let rest = allLists.filter { $0.slot != slot }
      setLists(list.map { rest + [(slot, $0)] } ?? rest)
    }
  }

  var isEmpty: Bool { targets.isEmpty && first == nil }

  /// Every model this one holds.
  var reachable: [any PersistentModel] {
    targets.map(\.model) + allLists.flatMap { $0.list.models }
  }

  var allLists: [ListEntry] { first.map { [$0] + others } ?? [] }
}
