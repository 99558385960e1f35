import Foundation
import Testing
import Trellis

/// Tests of the public symbols of models, identifiers and backing data.
@Suite struct ModelAPITests {
  /// Generic code for any model, as an app would contain it.
  func describe<T: PersistentModel>(_ model: T) -> (PersistentIdentifier, ModelContext?, Bool, Bool)
  where T.ID == PersistentIdentifier {
    let identifier: PersistentIdentifier = model.id
    return (identifier, model.modelContext, model.hasChanges, model.isDeleted)
  }

  @Test func persistentModel() throws {
    let ship = Ship(name: "Fram", hull: 1)
    let (identifier, context, hasChanges, isDeleted) = describe(ship)
    #expect(identifier == ship.persistentModelID && identifier.isTemporary)
    #expect(context == nil && !hasChanges && !isDeleted)
    #expect(Set([ship, ship]).count == 1 && ship != Ship(name: "Fram", hull: 1))
    let root: any PersistentModel.Type = Tug.Root.self
    #expect(root == Vessel.self && Ship.Root.self == Ship.self)
  }

  @Test func valuesByKeyPath() {
    let ship = Ship(name: "Fram", hull: 1)
    let cabin = Cabin(number: 7)
    let sailor = Sailor(name: "Otto")
    ship.setValue(forKey: \.name, to: "Gjøa")
    ship.setValue(forKey: \.captain, to: sailor)
    ship.setValue(forKey: \.cabins, to: [cabin])
    ship.setTransformableValue(forKey: \.yard, to: "Rosendal")
    let name: String = ship.getValue(forKey: \.name)
    let captain: Sailor? = ship.getValue(forKey: \.captain)
    let cabins: [Cabin] = ship.getValue(forKey: \.cabins)
    let yard: String = ship.getTransformableValue(forKey: \.yard)
    #expect(name == "Gjøa" && captain === sailor && cabins.first === cabin && yard == "Rosendal")
    #expect(cabin.ship === ship && sailor.commands.first === ship)
  }

  @Test func backingData() {
    var backing = Harbour.createBackingData() as any BackingData<Harbour>
    backing.setValue(forKey: \.name, to: "Bergen")
    let name: String = backing.getValue(forKey: \.name)
    #expect(name == "Bergen")
    _ = backing.metadata
    let harbour = Harbour(backingData: backing)
    #expect(harbour.name == "Bergen")
    let own: any BackingData<Harbour> = harbour.persistentBackingData
    let identifier: PersistentIdentifier? = own.persistentModelID
    #expect(identifier == nil || identifier == harbour.persistentModelID)
    harbour.persistentBackingData = backing
    #expect(harbour.name == "Bergen")
  }

  @Test func identifiers() throws {
    let key = UUID()
    let identifier: PersistentIdentifier = try .identifier(
      for: "store", entityName: "Ship", primaryKey: key)
    let row = try PersistentIdentifier.identifier(for: "store", entityName: "Ship", primaryKey: 7)
    let text = try PersistentIdentifier.identifier(
      for: "store", entityName: "Ship", primaryKey: "seven")
    let inner: PersistentIdentifier.ID = identifier.id
    let store: String? = identifier.storeIdentifier
    let entity: String = identifier.entityName
    #expect(store == "store" && entity == "Ship" && !identifier.isTemporary)
    #expect(Set([identifier, row, text]).count == 3 && inner == identifier.id)
    #expect((row < text) != (text < row))
    let coded = try JSONDecoder().decode(
      [PersistentIdentifier].self, from: JSONEncoder().encode([identifier, row, text]))
    #expect(coded == [identifier, row, text])
    let sent: any Sendable = identifier
    #expect(sent is PersistentIdentifier)
  }

  /// Generic code for a collection of related models.
  func elementName<C: RelationshipCollection>(_: C.Type) -> String {
    Schema.entityName(for: C.PersistentElement.self)
  }

  @Test func relationshipCollections() {
    #expect(elementName([Cabin].self) == "Cabin")
  }
}
