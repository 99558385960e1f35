import Foundation
import Testing

@testable import Trellis
@testable import TrellisModel
@testable import TrellisStore

@Suite struct PredicateShapeTests {
  @Test func crossing() {
    let id: PersistentIdentifier? = Group()._$identifier
    func crosses(_ predicate: Predicate<Item>) -> Bool {
      PredicateShape(predicate).crossesRelationships
    }
    #expect(!crosses(#Predicate { $0.name == "a" && $0.note != nil }))
    #expect(!crosses(#Predicate { $0.group == nil }))
    #expect(!crosses(#Predicate { $0.group?.persistentModelID == id }))
    #expect(crosses(#Predicate { $0.group?.title == "a" }))
    #expect(crosses(#Predicate { $0.group?.id == 1 }))
    #expect(crosses(#Predicate { $0.owner.name == "a" }))
    #expect(crosses(#Predicate { $0.parts.isEmpty }))
    #expect(crosses(#Predicate { $0.optParts?.isEmpty ?? true }))
  }

  @Test func lookups() throws {
    let id = Item()._$identifier
    let text = "a"
    let none: String? = nil
    func equalities(_ predicate: Predicate<Item>) -> [AnyKeyPath] {
      PredicateLookup(predicate).equalities.map(\.keyPath)
    }
    #expect(PredicateLookup.identifier(of: #Predicate<Item> { $0.persistentModelID == id }) == id)
    #expect(PredicateLookup.identifier(of: #Predicate<Item> { $0.persistentModelID == id && $0.flag }) == nil)
    let found = PredicateLookup(#Predicate<Item> { text == $0.name }).equalities
    #expect(found.map(\.keyPath) == [\Item.name])
    #expect(found.first?.value as? String == "a")
    #expect(equalities(#Predicate { $0.name != text }).isEmpty)
    #expect(equalities(#Predicate { $0.name == text && $0.flag }) == [\Item.name])
    #expect(equalities(#Predicate { $0.name == text || $0.flag }).isEmpty)
    #expect(equalities(#Predicate { $0.owner.name == text }).isEmpty)
    #expect(equalities(#Predicate { $0.note == none }) == [\Item.note])
  }
}
