import Foundation
import Testing

@testable import Trellis

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
    func lookup(_ predicate: Predicate<Item>) -> PredicateShape.Lookup? {
      PredicateShape(predicate).lookup
    }
    guard case .identifier(let found)? = lookup(#Predicate { $0.persistentModelID == id }) else {
      Issue.record("no look-up by identifier")
      return
    }
    #expect(found == id)
    guard case .attribute(let path, let value)? = lookup(#Predicate { text == $0.name }) else {
      Issue.record("no look-up by attribute")
      return
    }
    #expect(path == \Item.name)
    #expect(value as? String == "a")
    func isNone(_ lookup: PredicateShape.Lookup?) -> Bool {
      if case nil = lookup { true } else { false }
    }
    #expect(isNone(lookup(#Predicate { $0.name != text })))
    #expect(isNone(lookup(#Predicate { $0.name == text && $0.flag })))
    #expect(isNone(lookup(#Predicate { $0.owner.name == text })))
    #expect(!isNone(lookup(#Predicate { $0.note == none })))
  }
}
