import Foundation
import Testing

@testable import Trellis
@testable import TrellisStore

/// Translation must be cheap, and predicates of one shape must have equal SQL text.
@Suite struct PredicateCostTests {
  @Test func predicatesOfOneShapeHaveEqualText() throws {
    let store = try PredicateStore()
    func text(_ name: String, _ note: String?, _ ids: [UUID]) throws -> String {
      try store.sql(#Predicate<Item> { $0.name == name && $0.note != note && ids.contains($0.uid) })
        .text
    }
    let first = try text("a", nil, [UUID()])
    #expect(try text("b", "x", (0..<1000).map { _ in UUID() }) == first)
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["PREDICATE_COST"] != nil))
  func translationIsCheap() throws {
    let store = try PredicateStore()
    let name = "a"
    let date = Date.now
    let count = 3
    let id: PersistentIdentifier? = Group()._$identifier
    let predicate = #Predicate<Item> {
      $0.name == name && $0.date >= date && $0.count != count && $0.group?.persistentModelID == id
    }
    let simple = #Predicate<Item> { $0.name == name }
    let translator = store.translator(Item.self)
    if ProcessInfo.processInfo.environment["PREDICATE_COST"] == "loop" {
      for _ in 0..<200_000 { _ = try translator.filter(predicate) }
      return
    }
    for (label, predicate) in [("four terms", predicate), ("one term", simple)] {
      var best = Duration.seconds(9)
      for _ in 0..<9 {
        let time = try ContinuousClock().measure {
          for _ in 0..<2_000 { _ = try translator.filter(predicate) }
        }
        best = min(best, time / 2_000)
      }
      print(label, best)
    }
    let ids = (0..<100_000).map { _ in UUID() }
    let many = #Predicate<Item> { ids.contains($0.uid) }
    print("100,000 UUIDs", try ContinuousClock().measure { _ = try translator.filter(many) })
    print("100,000 UUIDs, found", try ContinuousClock().measure { _ = try store.rows(many) })
  }
}
