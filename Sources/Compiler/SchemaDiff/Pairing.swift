/// Old declarations and the new ones they became.
struct Pairing<Item> {
  /// In the order of the new ones; nil for one that was added.
  private(set) var pairs: [(old: Item?, new: Item)] = []
  /// In their own order.
  private(set) var removed: [Item] = []

  /// - Parameter originalName: what a declaration says it was called before.
  init(
    from old: [Item], to new: [Item], name: (Item) -> String,
    originalName: (Item) -> String? = { _ in nil }
  ) {
    let positions = Dictionary(
      old.enumerated().map { (name($1), $0) }, uniquingKeysWith: { first, _ in first })
    var origins = [Int?](repeating: nil, count: new.count)
    var taken: Set<Int> = []
    // A stated origin goes before an equal name, but for one that was stated before already.
    for (index, item) in new.enumerated() {
      guard let origin = originalName(item), let position = positions[origin] else { continue }
      if let same = positions[name(item)], originalName(old[same]) == origin { continue }
      if taken.insert(position).inserted { origins[index] = position }
    }
    for (index, item) in new.enumerated() where origins[index] == nil {
      guard let position = positions[name(item)], taken.insert(position).inserted else { continue }
      origins[index] = position
    }
    pairs = zip(origins, new).map { origin, item in (origin.map { old[$0] }, item) }
    removed = old.indices.filter { !taken.contains($0) }.map { old[$0] }
  }

  /// - Parameter origin: the old name of a new item that is not itself new; equal names mean nothing.
  init(from old: [Item], to new: [Item], name: (Item) -> String, origin: (Item) -> String?) {
    let positions = Dictionary(
      old.enumerated().map { (name($1), $0) }, uniquingKeysWith: { first, _ in first })
    var taken: Set<Int> = []
    pairs = new.map { item in
      guard let position = origin(item).flatMap({ positions[$0] }), taken.insert(position).inserted else {
        return (nil, item)
      }
      return (old[position], item)
    }
    removed = old.indices.filter { !taken.contains($0) }.map { old[$0] }
  }

  /// Whether those that are in both have another order.
  func isReordered(from old: [Item], name: (Item) -> String) -> Bool {
    let before = old.map(name)
    let kept = pairs.compactMap { $0.old.map(name) }
    let still = Set(kept)
    return before.filter { still.contains($0) } != kept
  }
}
