import Foundation
import Testing
import Trellis

/// Tests of the public symbols of `Schema` and its nested types with SwiftData's spelling.
@Suite struct SchemaAPITests {
  @Test func schema() throws {
    let empty = Schema()
    let described = Schema(Schema.Entity("Buoy"), version: .init(1, 2, 3))
    let types: [any PersistentModel.Type] = [Ship.self]
    let listed = Schema(types, version: Schema.Version(2, 0, 0))
    let variadic = Schema(Ship.self, Harbour.self, version: Schema.Version(1, 0, 0))
    let entities: [Schema.Entity] = variadic.entities
    let byName: [String: Schema.Entity] = variadic.entitiesByName
    let found: Schema.Entity? = variadic.entity(for: Harbour.self)
    let name: String = Schema.entityName(for: Harbour.self)
    let version: Schema.Version = listed.version
    let encoding: Schema.Version = listed.encodingVersion
    #expect(empty.entities.isEmpty && described.version == Schema.Version(1, 2, 3))
    #expect(entities.count == byName.count && found?.name == name && version == Schema.Version(2, 0, 0))
    #expect(encoding == Schema.schemaEncodingVersion && empty.entity(for: Ship.self) == nil)
    #expect(Set([listed, variadic, Schema(types, version: version)]).count == 2)
    #expect(!listed.debugDescription.isEmpty)
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try listed.save(to: file)
    #expect(try Schema.load(from: file) == listed)
    #expect(try JSONDecoder().decode(Schema.self, from: JSONEncoder().encode(listed)) == listed)
  }

  @Test func S125_versionsOrderByTheirNumbers() throws {
    let version = Schema.Version(1, 2, 3)
    let parts: (Int, Int, Int) = (version.major, version.minor, version.patch)
    #expect(parts == (1, 2, 3) && version.description == "1.2.3")
    #expect(version < Schema.Version(1, 2, 10) && version < Schema.Version(1, 10, 0))
    #expect(version < Schema.Version(2, 0, 0) && !(version < version))
    let coded = try JSONDecoder().decode(
      Schema.Version.self, from: JSONEncoder().encode(version))
    #expect(Set([coded, version]).count == 1)
  }

  @Test func entity() throws {
    let name = Schema.Attribute(name: "name", valueType: String.self)
    let owner = Schema.Relationship(deleteRule: .cascade)
    owner.name = "owner"
    let bare = Schema.Entity("Buoy")
    let own = Schema.Entity("Light", properties: name)
    let base = Schema.Entity("Mark", subentities: own, bare, properties: owner)
    #expect(bare.name == "Buoy" && own.superentity === base && own.superentityName == "Mark")
    #expect(base.subentities == [own, bare])
    bare.name = "Spar"
    bare.attributes = [name]
    bare.attributesByName = ["name": name]
    bare.relationships = [owner]
    bare.relationshipsByName = ["owner": owner]
    bare.storedProperties = [name, owner]
    bare.storedPropertiesByName = ["name": name]
    bare.inheritedProperties = [owner]
    bare.inheritedPropertiesByName = ["owner": owner]
    bare.uniquenessConstraints = [["name"]]
    bare.indices = [["name"], ["owner", "name"]]
    bare.superentity = own
    bare.superentityName = "Light"
    bare.subentities = []
    let properties: [any SchemaProperty] = bare.properties
    #expect(properties.map(\.name).sorted() == ["name", "owner"])
    #expect(Set([bare, own, own]).count == 2 && !bare.debugDescription.isEmpty)
    let coded = try JSONDecoder().decode(Schema.Entity.self, from: JSONEncoder().encode(own))
    #expect(coded.name == "Light" && coded.storedPropertiesByName.keys.sorted() == ["name"])
  }

  @Test func attribute() throws {
    let short = Schema.Attribute(.unique, .externalStorage, originalName: "old", hashModifier: "x")
    let long = Schema.Attribute(
      name: "photo", originalName: "image", options: [.externalStorage], valueType: Data?.self,
      defaultValue: nil, hashModifier: "1")
    long.name = "picture"
    long.originalName = "photo"
    long.options = [.unique, .preserveValueOnDeletion]
    long.valueType = Int.self
    long.defaultValue = 3
    long.hashModifier = nil
    long.isOptional = true
    #expect(short.isUnique && long.isUnique && long.isAttribute && !long.isRelationship)
    #expect(!long.isTransient && !long.isTransformable && long.isOptional && !long.isCodable)
    #expect(long.defaultValue as? Int == 3 && long.valueType == Int.self)
    #expect(Set([short, long]).count == 2 && !long.debugDescription.isEmpty)
    let composite = Schema.CompositeAttribute(
      name: "address", originalName: nil, options: [], valueType: String.self, defaultValue: nil,
      hashModifier: nil)
    composite.properties = [long]
    let asAttribute: Schema.Attribute = composite
    #expect(asAttribute.name == "address" && composite.properties.count == 1)
    let coded = try JSONDecoder().decode(
      Schema.CompositeAttribute.self, from: JSONEncoder().encode(composite))
    #expect(coded.name == "address" && coded.properties.map(\.name) == ["picture"])
    #expect(!composite.debugDescription.isEmpty)
  }

  @Test func attributeOptions() throws {
    let options: [Schema.Attribute.Option] = [
      .unique, .externalStorage, .preserveValueOnDeletion, .ephemeral, .allowsCloudEncryption,
      .spotlight, .codable, .transformable(by: Shouting.self), .transformable(by: "Shouting"),
    ]
    // The last two options refer to one transformer.
    #expect(Set(options).count >= 8 && options.allSatisfy { !$0.debugDescription.isEmpty })
    let coded = try JSONDecoder().decode(
      [Schema.Attribute.Option].self, from: JSONEncoder().encode(options))
    #expect(coded.count == options.count && coded.first == .unique)
  }

  @Test func relationship() throws {
    let plain = Schema.Relationship()
    let full = Schema.Relationship(
      .unique, deleteRule: .deny, minimumModelCount: 1, maximumModelCount: 4,
      originalName: "boats", inverse: \Cabin.ship, hashModifier: "h")
    full.keypath = \Ship.cabins
    full.inverseKeyPath = \Cabin.ship
    full.destination = "Cabin"
    full.inverseName = "ship"
    full.deleteRule = .noAction
    full.minimumModelCount = nil
    full.maximumModelCount = 2
    full.valueType = [Cabin].self
    full.name = "cabins"
    full.originalName = "rooms"
    full.options = []
    full.hashModifier = nil
    #expect(plain.deleteRule == .nullify && plain.minimumModelCount == 0)
    #expect(plain.maximumModelCount == 0 && !full.isToOneRelationship && full.isRelationship)
    #expect(!full.isAttribute && !full.isTransient && !full.isUnique && !full.isOptional)
    #expect(full.keypath == \Ship.cabins && Set([plain, full]).count == 2)
    #expect(!full.debugDescription.isEmpty && Schema.Relationship.Option.unique == .unique)
    #expect(Schema.Relationship.DeleteRule(rawValue: "cascade") == .cascade)
    let coded = try JSONDecoder().decode(Schema.Relationship.self, from: JSONEncoder().encode(full))
    #expect(coded.name == "cabins" && coded.deleteRule == .noAction)
  }

  @Test func indexAndUnique() {
    let index = Schema.Index<Ship>(.binary([\.name]), .rtree([\.hull]))
    let plain = Schema.Index<Ship>([\.name], [\.hull, \.name])
    let unique = Schema.Unique<Ship>([\.name], [\.yard, \.hull])
    let indices: [Schema.Index<Ship>.Types<Ship>] = index.indices
    let constraints: [[PartialKeyPath<Ship>]] = unique.constraints
    #expect(indices.count == 2 && plain.indices.count == 2 && constraints[1] == [\.yard, \.hull])
    #expect(Schema.Index<Ship>.CodingKeys.indices.stringValue == "indices")
    #expect(Schema.Unique<Ship>.CodingKeys.constraints.stringValue == "constraints")
    index.name = "i"
    index.originalName = "i"
    unique.name = "u"
    unique.originalName = "u"
    let properties: [any SchemaProperty] = [index, unique]
    #expect(properties.map(\.isUnique) == [false, true])
    #expect(properties.allSatisfy { !$0.isAttribute && !$0.isRelationship && !$0.isTransient })
    #expect(!index.debugDescription.isEmpty && !unique.debugDescription.isEmpty)
    #expect(Set([index, plain]).count == 2 && unique == Schema.Unique<Ship>([\.name], [\.yard, \.hull]))
  }

  @Test func propertyMetadata() {
    let plain = Schema.PropertyMetadata(name: "hull", keypath: \Ship.hull)
    let full = Schema.PropertyMetadata(
      name: "hull", keypath: \Ship.hull, defaultValue: 3, metadata: Schema.Attribute(.unique))
    let written: [Schema.PropertyMetadata] = Ship.schemaMetadata
    // Six properties, two constraints of `#Unique`, one `#Index`.
    #expect(written.count == 9 && "\(plain)" != "\(full)")
  }
}

/// A transformer that stores upper case.
final class Shouting: ValueTransformer {
  override func transformedValue(_ value: Any?) -> Any? { (value as? String)?.uppercased() }
  override func reverseTransformedValue(_ value: Any?) -> Any? { (value as? String)?.lowercased() }
}
