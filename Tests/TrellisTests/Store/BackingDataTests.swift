import Foundation
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

@Suite struct BackingDataTests {
  @Test func backingDataOfAModelIsAView() {
    let album = Album(title: "Low", rating: 2)
    var storage = album.persistentBackingData
    #expect(storage.getValue(forKey: \.title) == "Low")
    #expect(storage.getValue(forKey: \.released) == nil)
    #expect(storage.getTransformableValue(forKey: \.tint) == Tint(red: 0))
    storage.setValue(forKey: \.title, to: "Lodger")
    storage.setValue(forKey: \.studio, to: Studio(city: "New York", founded: nil))
    storage.setTransformableValue(forKey: \.tint, to: Tint(red: 9))
    #expect(album.title == "Lodger" && album.studio?.city == "New York" && album.tint.red == 9)
    #expect(storage.persistentModelID == album.persistentModelID)
  }

  @Test func modelsAreReadableByKeyPath() {
    let album = Album(title: "Low", rating: 2)
    album.setValue(forKey: \.rating, to: 5)
    album.setTransformableValue(forKey: \.tint, to: Tint(red: 3))
    #expect(album.getValue(forKey: \.rating) == 5)
    #expect(album.getTransformableValue(forKey: \.tint) == Tint(red: 3))
    let song = Song(title: "Warszawa")
    album.setValue(forKey: \.songs, to: [song])
    #expect(album.getValue(forKey: \.songs) == [song])
    #expect(song.getValue(forKey: \.album) === album)
    song.setValue(forKey: \.album, to: nil as Album?)
    #expect(album.songs.isEmpty)
  }

  @Test func backingDataCanCreateAModel() {
    var storage = SnapshotBackingData<Album>(for: Album.self)
    storage.setValue(forKey: \.title, to: "Heroes")
    storage.setValue(forKey: \.kind, to: AlbumKind.live)
    storage.setTransformableValue(forKey: \.tint, to: Tint(red: 4))
    let label = RecordLabel()
    storage.setValue(forKey: \.label, to: label)
    #expect(storage.getValue(forKey: \.label) === label)
    let album = Album(backingData: storage)
    #expect(album.title == "Heroes" && album.kind == .live && album.tint.red == 4)
    #expect(album._$values.label == label.persistentModelID)
    func created() -> some BackingData<Song> { Album.createBackingData() }
    #expect(created().getValue(forKey: \.title) == "")
  }

  @Test func snapshotsAreCreatedFromBackingData() {
    let album = Album(title: "Low", rating: 2, kind: .live)
    var related: [PersistentIdentifier: any BackingData] = [:]
    let own = DefaultSnapshot(
      from: album.persistentBackingData, relatedBackingDatas: &related)
    #expect(own[\Album.title] == "Low" && own.persistentIdentifier == album.persistentModelID)
  }

  @Test func rowsProvideBackingDataForCustomSnapshots() throws {
    let song = Song(title: "Warszawa")
    let album = PersistentIdentifier(token: .interned(store: "s", entity: "Album"), row: 4)
    song._$values.album = album
    let row = try #require(song.capturedRow().makeBackingData(0) as? any BackingData<Song>)
    #expect(row.getValue(forKey: \.title) == "Warszawa")
    #expect(row.getValue(forKey: \.album)?.persistentModelID == album)
  }

  @Test func S020_transformersWorkInBothDirections() throws {
    let transformer = TransformerTable.transformer(TintTransformer.self)
    #expect(try TransformerTable.data(of: Tint(red: 5), by: transformer) == Data([5]))
    #expect(try TransformerTable.value(of: Data([5]), by: transformer) == Tint(red: 5))
    #expect(try TransformerTable.data(of: Tint?.none, by: transformer) == nil)
    #expect(try TransformerTable.value(of: nil, by: transformer) == Tint?.none)
    #expect(throws: SwiftDataError.self) {
      let _: Tint = try TransformerTable.value(of: nil, by: transformer)
    }
  }

  @Test func placeholdersConsistOfZeroValues() {
    struct Opaque: Codable, Equatable {
      var name: String
      var count: Int
      var date: Date
      var kind: AlbumKind
      var tags: [String]
      var note: String?
      var inner: Inner
      struct Inner: Codable, Equatable { var flag: Bool }
    }
    enum Plain: String, Codable { case first, second }
    let made: Opaque = Placeholder.make()
    #expect(made.name == "" && made.count == 0 && made.kind == .studio && made.tags.isEmpty)
    #expect(made.note == nil && !made.inner.flag)
    let plain: Plain = Placeholder.make()
    #expect(plain == .first)
  }

  @Test func placeholdersOfEnumsWithPayloadsAreTheirFirstCase() {
    enum State: Codable, Equatable { case failed(reason: String, code: Int), idle }
    indirect enum Tree: Codable { case node(Tree, Tree), leaf }
    struct Holder: Codable { var state: State, counts: [String: Int] }
    let state: State = Placeholder.make()
    #expect(state == .failed(reason: "", code: 0))
    let holder: Holder = Placeholder.make()
    #expect(holder.state == state && holder.counts.isEmpty)
    #expect(Placeholder.attempt(Tree.self) == nil)
  }
}
