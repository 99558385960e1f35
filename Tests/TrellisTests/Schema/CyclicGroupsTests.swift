import Testing
@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

@Suite struct CyclicGroupsTests {
  /// Compares the result with a search from every node.
  @Test func mutuallyReachableNodesFormOneGroup() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      let size = Int.random(in: 1...9, using: &random)
      let names = (0..<size).map { "n\($0)" }
      var edges: [String: Set<String>] = [:]
      for _ in 0..<Int.random(in: 0...2 * size, using: &random) {
        guard let from = names.randomElement(using: &random),
          let to = names.randomElement(using: &random)
        else { continue }
        edges[from, default: []].insert(to)
      }
      let groups = CyclicGroups(edges)
      for one in names {
        for other in names {
          let expected = Self.leads(one, to: other, edges) && Self.leads(other, to: one, edges)
          #expect(groups.share(one, other) == expected, "\(one), \(other) in \(edges)")
        }
      }
    }
  }

  @Test func longChainsDoNotOverflowTheStack() {
    var edges: [String: Set<String>] = [:]
    for number in 0..<20_000 { edges["n\(number)"] = ["n\(number + 1)"] }
    #expect(CyclicGroups(edges).groups.isEmpty)
    edges["n20000"] = ["n0"]
    #expect(Set(CyclicGroups(edges).groups.values).count == 1)
  }

  private static func leads(_ start: String, to goal: String, _ edges: [String: Set<String>]) -> Bool {
    var found = Set<String>()
    var queue = [start]
    while let node = queue.popLast() {
      for next in edges[node] ?? [] where found.insert(next).inserted { queue.append(next) }
    }
    return found.contains(goal)
  }
}
