import SchemaDiagnostics

/// Matches old declarations with the new declarations that replace them.
///
/// Used for seven declaration types by the module above. It is declared here because Swift does not specialize
/// functions of other modules that are never inlined.
package struct Pairing<Item> {
  /// In the order of the new items. `old` is nil for added items.
  package private(set) var pairs: [(old: Item?, new: Item)] = []
  /// Removed items in the original order.
  package private(set) var removed: [Item] = []

  /// - Parameter originalName: The previous name that a declaration states.
  @inline(never) package init(
    from old: [Item], to new: [Item], name: (Item) -> String,
    originalName: (Item) -> String? = { _ in nil }
  ) {
    let positions = old.positions(by: name)
    var origins = [Int?](repeating: nil, count: new.count)
    var taken: Set<Int> = []
    // A stated original name takes precedence over an equal name, unless the old declaration already stated it.
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

  /// - Parameter origin: An item's old name, or nil if the item was added. Equal names are ignored.
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

  /// True if the items that occur in both lists are in a different order in the new list.
  @inline(never) package func isReordered(from old: [Item], name: (Item) -> String) -> Bool {
    let before = old.map(name)
    let kept = pairs.compactMap { $0.old.map(name) }
    let still = Set(kept)
    return before.filter { still.contains($0) } != kept
  }
}
