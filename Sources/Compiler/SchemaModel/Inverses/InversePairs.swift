/// Tracks paired relationships while inverses are resolved.
struct InversePairs {
  typealias End = EntityLinker.End

  /// All relationships, in entity order.
  let ends: [End]
  /// The index of each entity's first relationship in `ends`.
  private let starts: [Int]
  private var partners: [End?]
  private var settled: [Bool]

  /// - Parameter counts: The number of relationships per entity.
  init(_ counts: [Int]) {
    var ends: [End] = []
    var starts: [Int] = []
    for (entity, count) in counts.enumerated() {
      starts.append(ends.count)
      for relationship in 0..<count { ends.append(End(entity: entity, relationship: relationship)) }
    }
    self.ends = ends
    self.starts = starts
    partners = Array(repeating: nil, count: ends.count)
    settled = Array(repeating: false, count: ends.count)
  }

  private func place(of end: End) -> Int { starts[end.entity] + end.relationship }

  /// The opposite side, or `nil` if the relationship is not paired.
  subscript(_ end: End) -> End? { partners[place(of: end)] }

  mutating func join(_ end: End, _ other: End) {
    partners[place(of: end)] = other
    partners[place(of: other)] = end
  }

  mutating func separate(_ end: End) { partners[place(of: end)] = nil }

  /// True if the source determines the inverse, so that none is inferred.
  func isSettled(_ end: End) -> Bool { settled[place(of: end)] }

  mutating func settle(_ end: End) { settled[place(of: end)] = true }
}
