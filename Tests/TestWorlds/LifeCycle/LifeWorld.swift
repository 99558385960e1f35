/// A context's expected contents as plain values.
///
/// A relationship change sets both sides immediately and removes the previous owner. Deleted nodes are hidden until a
/// save or an undo manager applies the delete rules.
struct LifeWorld {
  struct Node: Equatable {
    var kind: Kind
    /// The number behind each attribute value, by attribute index.
    var attributes: [Int: Int] = [:]
    /// The attributes written since the last save.
    var dirty: Set<Int> = []
    var isDeleted = false
    /// The destinations; at most one for a to-one relationship.
    var links: [Link: [Int]] = [:]
  }

  struct Refusal: Error {}

  var nodes: [Int: Node] = [:]

  // MARK: Reading

  func isVisible(_ id: Int) -> Bool { nodes[id].map { !$0.isDeleted } ?? false }

  func visible(_ kind: Kind) -> [Int] {
    nodes.filter { !$0.value.isDeleted && $0.value.kind.isA(kind) }.keys.sorted()
  }

  var visible: [Int] { nodes.filter { !$0.value.isDeleted }.keys.sorted() }

  func others(_ id: Int, _ link: Link) -> [Int] {
    (nodes[id]?.links[link] ?? []).filter(isVisible)
  }

  // MARK: Writing

  mutating func set(_ id: Int, _ attribute: Int, _ number: Int) {
    nodes[id]?.attributes[attribute] = number
    nodes[id]?.dirty.insert(attribute)
  }

  mutating func set(_ id: Int, _ link: Link, _ others: [Int]) {
    let old = nodes[id]?.links[link] ?? []
    var new: [Int] = []
    for other in others where !new.contains(other) { new.append(other) }
    if !link.isMany {
      new = Array(new.prefix(1))
      if old == new { return }
    }
    nodes[id]?.links[link] = new
    for other in old where !new.contains(other) { drop(id, from: other, link.inverse) }
    for other in new where !old.contains(other) { show(id, at: other, link.inverse) }
  }

  private mutating func drop(_ id: Int, from other: Int, _ inverse: Link?) {
    guard let inverse else { return }
    nodes[other]?.links[inverse]?.removeAll { $0 == id }
  }

  private mutating func show(_ id: Int, at other: Int, _ inverse: Link?) {
    guard let inverse, nodes[other]?.links[inverse]?.contains(id) != true else { return }
    if inverse.isMany {
      nodes[other]?.links[inverse, default: []].append(id)
      return
    }
    let previous = nodes[other]?.links[inverse] ?? []
    for owner in previous { drop(other, from: owner, inverse.inverse) }
    nodes[other]?.links[inverse] = [id]
  }

  // MARK: Saving

  /// Applies delete rules: cascades and nullified references.
  mutating func propagate() {
    var wave = nodes.keys.filter { nodes[$0]?.isDeleted == true }
    while let id = wave.popLast() {
      guard let kind = nodes[id]?.kind else { continue }
      for link in Link.of(kind) {
        for other in others(id, link) {
          if link.isCascade {
            nodes[other]?.isDeleted = true
            wave.append(other)
          } else if let inverse = link.inverse, !inverse.isMany {
            nodes[other]?.links[inverse]?.removeAll { $0 == id }
            nodes[id]?.links[link]?.removeAll { $0 == other }
          }
        }
      }
    }
  }

  /// Saves the world. Throws if a required model is missing.
  mutating func save() throws {
    var saved = self
    saved.propagate()
    for id in saved.visible {
      for link in Link.of(saved.nodes[id]?.kind ?? .studio) where link.isRequired {
        if saved.others(id, link).isEmpty { throw Refusal() }
      }
    }
    saved.forgetDeleted()
    for id in saved.nodes.keys { saved.nodes[id]?.dirty = [] }
    self = saved
  }

  mutating func forgetDeleted(where isForgotten: (Int) -> Bool = { _ in true }) {
    nodes = nodes.filter { !$0.value.isDeleted || !isForgotten($0.key) }
    let kept = Set(nodes.keys)
    for id in kept {
      let links = nodes[id]?.links.mapValues { $0.filter(kept.contains) }
      nodes[id]?.links = links ?? [:]
    }
  }

  // MARK: Comparison

  /// The attribute values. Several numbers can produce the same value.
  private func texts(_ id: Int) -> [Int: String] {
    var texts: [Int: String] = [:]
    for (index, number) in nodes[id]?.attributes ?? [:] { texts[index] = Attribute.all[index].text(number) }
    return texts
  }

  /// True if the worlds have no visible difference.
  func looksLike(_ other: LifeWorld) -> Bool {
    let ids = visible
    guard ids == other.visible else { return false }
    return ids.allSatisfy { id in
      texts(id) == other.texts(id)
        && Link.of(nodes[id]?.kind ?? .studio).allSatisfy { link in
          let mine = others(id, link)
          let theirs = other.others(id, link)
          return link.isOrdered ? mine == theirs : Set(mine) == Set(theirs)
        }
    }
  }
}
