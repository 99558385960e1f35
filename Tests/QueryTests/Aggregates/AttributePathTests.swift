import Testing

@testable import TestWorlds
@testable import Trellis
@testable import TrellisModel

/// Optional chains are resolved, and computed properties are not mistaken for stored ones.
@Suite struct AttributePathTests {
  private func route<V>(_ keyPath: KeyPath<Probe, V>) -> String? {
    SortPath.ofAttribute(keyPath, Probe._$definition)?.names.joined(separator: ".")
  }

  @Test func chainsToStoredValues() {
    #expect(route(\.label) == "label")
    #expect(route(\.station?.name) == "station.name")
    #expect(route(\.station?.height) == "station.height")
    #expect(route(\.station?.region?.name) == "station.region.name")
    #expect(route(\.station?.persistentModelID) == "station")
    #expect(route(\.persistentModelID) == "")
  }

  @Test func otherPathsAreEvaluatedInMemory() {
    #expect(route(\.shout) == nil)
    #expect(route(\.station?.name.count) == nil)
    #expect(route(\.station?.motto) == nil)
    #expect(route(\.label.count) == nil)
    #expect(route(\.nextStation?.name) == nil)
  }
}

extension Station {
  fileprivate var motto: String { name.uppercased() }
}

extension Probe {
  fileprivate var nextStation: Station? { station }
}
