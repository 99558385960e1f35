import SchemaDiagnostics

/// Old declarations and the new ones they became.
///
/// The module above uses it for seven types of declarations. It is here because Swift does not copy what another
/// module declares as never inlined for each of them.
package struct Pairing<Item> {
  /// In the order of the new ones; nil for one that was added.
  package private(set) var pairs: [(old: Item?, new: Item)] = []
  /// In their own order.
  package private(set) var removed: [Item] = []

  /// - Parameter originalName: what a declaration says it was called before.
  @inline(never) package init(
    from old: [Item], to new: [Item], name: (Item) -> String,
    originalName: (Item) -> String? = { _ in nil }
  ) {
    let positions = old.positions(by: name)
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
  @inline(never) package init(from old: [Item], to new: [Item], name: (Item) -> String, origin: (Item) -> String?) {
    let positions = old.positions(by: name)
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
  @inline(never) package func isReordered(from old: [Item], name: (Item) -> String) -> Bool {
    let before = old.map(name)
    let kept = pairs.compactMap { $0.old.map(name) }
    let still = Set(kept)
    return before.filter { still.contains($0) } != kept
  }
}
