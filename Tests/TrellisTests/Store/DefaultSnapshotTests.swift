import Foundation
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

@Suite struct DefaultSnapshotTests {
  private let schema = Schema(Album.self)

  private func snapshot(_ edit: (inout Album.Snapshot) -> Void = { _ in }) -> DefaultSnapshot {
    var row = Album.Snapshot(
      persistentIdentifier: Album._$definition.temporaryIdentifier(), title: "Low",
      released: Date(timeIntervalSinceReferenceDate: 1000), rating: 4.5, kind: .live,
      studio: Studio(city: "Berlin", founded: 1976), label: permanent("RecordLabel", 3),
      tint: Tint(red: 7), songs: [permanent("Song", 1), permanent("Song", 2)])
    edit(&row)
    let buffer = TypedBuffer<Album.Snapshot>(capacity: 1)
    buffer.append(row)
    return DefaultSnapshot(buffer: buffer, index: 0)
  }

  private func permanent(_ entity: String, _ row: Int64) -> PersistentIdentifier {
    PersistentIdentifier(token: .interned(store: "store", entity: entity), row: row)
  }

  @Test func S098_roundTripThroughJSON() throws {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = .sortedKeys
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    for original in [
      snapshot(),
      snapshot {
        $0.released = nil; $0.songs = nil; $0.label = nil
      },
    ] {
      let data = try encoder.encode([original])
      let decoded = try SchemaScope.$current.withValue(schema) {
        try decoder.decode([DefaultSnapshot].self, from: data)
      }
      #expect(try encoder.encode(decoded) == data)
      #expect(decoded[0].persistentIdentifier == original.persistentIdentifier)
      #expect(
        try decoded[0].buffer.differing(0, from: original.buffer, 0).isEmpty)
      #expect(decoded[0][\Album.songs] == original[\Album.songs])
    }
    let text = String(decoding: try encoder.encode(snapshot()), as: UTF8.self)
    #expect(text.contains(#""released":"2001-01-01T00:16:40Z""#))
    #expect(text.contains(#""kind":"live""#))
  }

  @Test func S098_roundTripThroughPropertyLists() throws {
    let original = snapshot { $0.studio = nil }
    let decoder = PropertyListDecoder()
    decoder.userInfo[.schema] = schema
    let decoded = try decoder.decode(
      DefaultSnapshot.self, from: PropertyListEncoder().encode(original))
    #expect(try decoded.buffer.differing(0, from: original.buffer, 0).isEmpty)
  }

  @Test func decodingWithoutASchemaIsATypedError() throws {
    let data = try JSONEncoder().encode(snapshot())
    #expect(throws: SwiftDataError.unknownSchema) {
      try JSONDecoder().decode(DefaultSnapshot.self, from: data)
    }
    #expect(throws: SwiftDataError.unknownSchema) {
      try SchemaScope.$current.withValue(Schema()) {
        try JSONDecoder().decode(DefaultSnapshot.self, from: data)
      }
    }
  }

  @Test func propertiesAddedLaterHaveTheirDefault() throws {
    let data = try JSONEncoder().encode(snapshot())
    var object = try #require(
      JSONSerialization.jsonObject(with: data) as? [String: Any])
    object["kind"] = nil
    object["released"] = NSNull()
    let decoder = JSONDecoder()
    decoder.userInfo[.schema] = schema
    let decoded = try decoder.decode(
      DefaultSnapshot.self, from: JSONSerialization.data(withJSONObject: object))
    #expect(decoded[\Album.kind] == .studio)
    #expect(decoded[\Album.released] == nil)
    object["title"] = nil
    #expect(throws: DecodingError.self) {
      try decoder.decode(
        DefaultSnapshot.self, from: JSONSerialization.data(withJSONObject: object))
    }
  }

  @Test func typedSnapshotsAreCodable() throws {
    let row = try #require((snapshot().buffer as? TypedBuffer<Album.Snapshot>)?.first)
    let decoded = try JSONDecoder().decode(
      Album.Snapshot.self, from: JSONEncoder().encode(row))
    #expect(decoded.title == "Low" && decoded.studio?.founded == 1976 && decoded.tint.red == 7)
    #expect(decoded.label == row.label && decoded.songs == row.songs)
  }

  @Test func valuesAreReadByKeyPathAndByName() {
    let snapshot = snapshot()
    #expect(snapshot[\Album.title] == "Low")
    #expect(snapshot[\Album.released] == Date(timeIntervalSinceReferenceDate: 1000))
    #expect(snapshot[\Album.label] == permanent("RecordLabel", 3))
    #expect(snapshot[\Album.songs] == [permanent("Song", 1), permanent("Song", 2)])
    #expect(snapshot.value(named: "rating") as? Double == 4.5)
    #expect(snapshot.value(named: "label") as? PersistentIdentifier == permanent("RecordLabel", 3))
    #expect(snapshot.value(named: "nothing") == nil)
    #expect(snapshot[\Song.title] == nil)
    #expect(snapshot.propertyNames.first == "title" && snapshot.propertyNames.count == 8)
  }

  @Test func S096_copyChangesTheIdentifierAndEveryReference() {
    let original = snapshot()
    let copy = original.copy(
      persistentIdentifier: permanent("Album", 9),
      remappedIdentifiers: [
        permanent("RecordLabel", 3): permanent("RecordLabel", 30),
        permanent("Song", 2): permanent("Song", 20),
      ])
    #expect(copy.persistentIdentifier == permanent("Album", 9))
    #expect(copy[\Album.label] == permanent("RecordLabel", 30))
    #expect(copy[\Album.songs] == [permanent("Song", 1), permanent("Song", 20)])
    #expect(original[\Album.label] == permanent("RecordLabel", 3))
    #expect(original.persistentIdentifier.isTemporary)
  }

  @Test func S096_copiesOfOneSaveResolveEachOther() throws {
    let temporarySong = Song._$definition.temporaryIdentifier()
    let album = snapshot { $0.songs = [temporarySong] }
    let songs = TypedBuffer<Song.Snapshot>(capacity: 1)
    songs.append(Song.Snapshot(persistentIdentifier: temporarySong, title: "Warszawa"))
    songs.setReference(0, 1, album.persistentIdentifier)
    let song = DefaultSnapshot(buffer: songs, index: 0)

    let (albumCopy, songCopy) = IdentifierRemapping.$current.withValue(IdentifierRemapping()) {
      (
        album.copy(persistentIdentifier: permanent("Album", 1)),
        song.copy(persistentIdentifier: permanent("Song", 8))
      )
    }
    // The album was copied before the song had its permanent identifier.
    #expect(albumCopy[\Album.songs] == [permanent("Song", 8)])
    #expect(songCopy[\Song.album] == permanent("Album", 1))
    #expect(albumCopy.resolved().buffer.references(0, 0) == [permanent("Song", 8)])
    let text = String(decoding: try JSONEncoder().encode(songCopy), as: UTF8.self)
    #expect(!text.contains("\"integer\":\(temporarySong.row ?? 0),") || [1, 8].contains(temporarySong.row))
  }

  @Test func rowsDifferIfTheirStoredValuesDiffer() throws {
    let original = snapshot()
    func slots(_ edit: (inout Album.Snapshot) -> Void) throws -> [Int] {
      try snapshot(edit).buffer.differing(0, from: original.buffer, 0).slots
    }
    #expect(try slots { _ in } == [])
    #expect(try slots { $0.title = "High" } == [0])
    #expect(try slots { $0.released = nil } == [1])
    #expect(
      try slots {
        $0.rating = .nan; $0.kind = .studio
      } == [2, 3])
    // Equal by the `==` operator of the type.
    #expect(try slots { $0.studio = Studio(city: "Berlin", founded: 1) } == [4])
    #expect(try slots { $0.label = nil } == [5])
    #expect(try slots { $0.tint = Tint(red: 8) } == [6])
    let composed = snapshot { $0.title = "caf\u{E9}" }
    let decomposed = snapshot { $0.title = "cafe\u{301}" }
    #expect(try composed.buffer.differing(0, from: decomposed.buffer, 0).slots == [0])
    let notANumber = snapshot { $0.rating = .nan }
    #expect(try notANumber.buffer.differing(0, from: notANumber.buffer, 0).isEmpty)
  }

  @Test func codingKeysArePropertyNames() {
    typealias Key = DataStoreSnapshotCodingKey
    #expect(Key(stringValue: "persistentIdentifier") == .persistentIdentifier)
    #expect(Key(stringValue: "name") == .modeledProperty("name"))
    #expect(Key.modeledProperty("name").stringValue == "name" && Key(intValue: 1) == nil)
  }
}
