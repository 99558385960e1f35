import Foundation
import Testing

@testable import Trellis

@Suite struct SchemaTests {
  @Test func S037_modelsReachableThroughRelationshipsAreFound() {
    let schema = Schema(Song.self)
    #expect(schema.entities.map(\.name) == ["Song", "Album", "RecordLabel"])
    #expect(Schema([Album.self]).entitiesByName.keys.sorted() == ["Album", "RecordLabel", "Song"])
    #expect(schema.entity(for: Album.self)?.name == "Album")
    #expect(Schema.entityName(for: Album.self) == "Album")
    #expect(Schema().entities.isEmpty)
  }

  @Test func S022_metadataAppearsInTheEntity() throws {
    let album = try #require(Schema(Album.self).entitiesByName["Album"])
    #expect(
      album.properties.map(\.name) == [
        "title", "released", "rating", "kind", "studio", "label", "tint", "songs",
      ])
    let title = try #require(album.attributesByName["title"])
    #expect(title.isUnique && title.isAttribute && !title.isRelationship && !title.isOptional)
    #expect(title.options == [.unique, .preserveValueOnDeletion])
    #expect(title.originalName == "name")
    #expect(title.valueType is String.Type)
    #expect(album.attributesByName["released"]?.isOptional == true)
    #expect(album.attributesByName["rating"]?.defaultValue as? Double == 0)
    #expect(album.attributesByName["tint"]?.isTransformable == true)
    #expect(album.uniquenessConstraints == [["title"], ["title", "released"]])
    #expect(album.conflictPolicy(for: ["title", "released"]) == .fail)
    #expect(album.conflictPolicy(for: ["title"]) == .replace)
    #expect(album.indices == [["released"], ["kind", "rating"]])
    #expect(album.definition != nil)
  }

  @Test func relationshipsHaveTheirInverse() throws {
    let schema = Schema(Album.self)
    let songs = try #require(schema.entitiesByName["Album"]?.relationshipsByName["songs"])
    #expect(songs.destination == "Song" && songs.inverseName == "album")
    #expect(songs.deleteRule == .cascade && !songs.isToOneRelationship && !songs.isOptional)
    let album = try #require(schema.entitiesByName["Song"]?.relationshipsByName["album"])
    #expect(album.isToOneRelationship && album.isOptional && album.inverseName == "songs")
    // Neither side declares the inverse, and there is exactly one candidate.
    let label = try #require(schema.entitiesByName["Album"]?.relationshipsByName["label"])
    #expect(label.inverseName == "albums" && label.inverseKeyPath == \RecordLabel.albums)
    let albums = try #require(schema.entitiesByName["RecordLabel"]?.relationshipsByName["albums"])
    #expect(albums.inverseName == "label" && albums.isOptional && !albums.isToOneRelationship)
  }

  @Test func structsBecomeCompositeAttributes() throws {
    let album = try #require(Schema(Album.self).entitiesByName["Album"])
    let studio = try #require(album.attributesByName["studio"] as? Schema.CompositeAttribute)
    #expect(studio.properties.map(\.name) == ["city", "founded"])
    #expect(studio.properties.map(\.isOptional) == [false, true])
    #expect(!(album.attributesByName["kind"] is Schema.CompositeAttribute))
  }

  @Test func theDeprecatedSpellingCompiles() {
    let relationship = (Spellings.self as any OldSpellings.Type).relationship
    #expect(relationship.deleteRule == .cascade && relationship.options.isEmpty)
  }

  @Test func S126_schemasRoundTripThroughCoding() throws {
    let schema = Schema([Album.self], version: Schema.Version(2, 1, 0))
    let decoded = try JSONDecoder().decode(Schema.self, from: JSONEncoder().encode(schema))
    #expect(decoded == schema)
    #expect(decoded.version == Schema.Version(2, 1, 0))
    let album = try #require(decoded.entitiesByName["Album"])
    #expect(album.attributesByName["title"]?.valueType is String.Type)
    #expect(album.attributesByName["released"]?.valueType is Date?.Type)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try schema.save(to: file)
    #expect(try Schema.load(from: file) == schema)
    // Encode, decode and encode again: the bytes must be equal.
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(try encoder.encode(decoded) == encoder.encode(schema))
  }

  @Test func schemasDifferIfAnAttributeDiffers() throws {
    let one = Schema(Album.self)
    let other = Schema(Album.self)
    #expect(one == other)
    other.entitiesByName["Album"]?.attributesByName["rating"]?.hashModifier = "2"
    #expect(one != other)
  }

  @Test func entitiesCanBeDeclaredManually() throws {
    let dog = Schema.Entity(
      "Dog", properties: Schema.Attribute(name: "tail", valueType: Double.self))
    let animal = Schema.Entity(
      "Animal", subentities: dog,
      properties: Schema.Attribute(name: "name", options: [.unique], valueType: String.self))
    let schema = Schema(animal)
    #expect(schema.entities.map(\.name) == ["Animal", "Dog"])
    #expect(dog.superentityName == "Animal" && dog.superentity === animal)
    #expect(animal.uniquenessConstraints == [["name"]])
    #expect(dog.properties.map(\.name) == ["name", "tail"] && dog.storedProperties.count == 1)
    #expect(try JSONDecoder().decode(Schema.self, from: JSONEncoder().encode(schema)) == schema)
  }

  @Test func unknownNewerFormatsAreRejected() throws {
    let text = #"{"encodingVersion":{"major":9,"minor":0,"patch":0},"entities":[]}"#
    #expect(throws: SwiftDataError.unknownSchema) {
      try JSONDecoder().decode(Schema.self, from: Data(text.utf8))
    }
  }

  @Test func S125_versionsOrderBySemanticVersioning() async throws {
    typealias Version = Schema.Version
    #expect(Version(1, 9, 0) < Version(1, 10, 0) && Version(1, 2, 3) < Version(2, 0, 0))
    #expect(Version(1, 0, 9) < Version(1, 1, 0) && Version(1, 0, 0) == Version(1, 0, 0))
    #expect("\(Version(1, 2, 3))" == "1.2.3")
    await #expect(processExitsWith: .failure) { _ = Schema.Version(1, -1, 0) }
    let negative = Data(#"{"major":1,"minor":-1,"patch":0}"#.utf8)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Schema.Version.self, from: negative)
    }
  }
}

/// Lets a test use deprecated symbols without a warning.
private protocol OldSpellings { static var relationship: Schema.Relationship { get } }

private enum Spellings: OldSpellings {
  @available(*, deprecated)
  static var relationship: Schema.Relationship { Schema.Relationship(.cascade) }
}
