/// Which relationships are the two sides of one, while that is found out.
struct InversePairs {
  typealias End = EntityLinker.End

  /// All there are, in the order of the entities.
  let ends: [End]
  /// Where the relationships of each entity begin.
  private let starts: [Int]
  private var partners: [End?]
  private var settled: [Bool]

  /// - Parameter counts: how many relationships each entity has.
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

  /// The other side.
  subscript(_ end: End) -> End? { partners[place(of: end)] }

  mutating func join(_ end: End, _ other: End) {
    partners[place(of: end)] = other
    partners[place(of: other)] = end
  }

  mutating func separate(_ end: End) { partners[place(of: end)] = nil }

  /// Whether its author has said what its other side is, and no other one is looked for.
  func isSettled(_ end: End) -> Bool { settled[place(of: end)] }

  mutating func settle(_ end: End) { settled[place(of: end)] = true }
}
