import Foundation
import Testing

@testable import Trellis

@Suite struct IdentifierTests {
  @Test func S089_S090_identifiersSurviveCoding() throws {
    let identifiers = try [
      PersistentIdentifier.identifier(for: "s", entityName: "Song", primaryKey: 7),
      PersistentIdentifier.identifier(for: "s", entityName: "Song", primaryKey: UUID()),
      PersistentIdentifier.identifier(for: "s", entityName: "Song", primaryKey: "key"),
      Song._$definition.temporaryIdentifier(),
    ]
    for identifier in identifiers {
      let decoded = try JSONDecoder().decode(
        PersistentIdentifier.self, from: JSONEncoder().encode(identifier))
      // S090: a decoded identifier equals the one it was made from.
      #expect(decoded == identifier)
      #expect(decoded.storeIdentifier == identifier.storeIdentifier)
      #expect(decoded.entityName == "Song" && decoded.id == identifier.id)
    }
    #expect(identifiers[0] < identifiers[1] && MemoryLayout<PersistentIdentifier>.size <= 16)
    Task.detached { _ = identifiers }
  }

  @Test func S091_equalKeysGiveEqualIdentifiers() throws {
    let uuid = UUID()
    func make<K>(_ key: K) throws -> PersistentIdentifier
    where K: Comparable, K: CustomStringConvertible, K: Codable, K: Hashable {
      try PersistentIdentifier.identifier(for: "s", entityName: "Song", primaryKey: key)
    }
    #expect(try make(uuid) == make(uuid) && make("a") == make("a") && make(3) == make(3))
    #expect(try make(3) != make("3") && make(uuid) != make(uuid.uuidString))
    #expect(try make(3).storeIdentifier == "s" && !make(3).isTemporary)
  }

  @Test func S051_temporaryIdentifiersHaveNoStore() {
    let temporary = Song._$definition.temporaryIdentifier()
    #expect(temporary.storeIdentifier == nil && temporary.isTemporary)
  }
}
