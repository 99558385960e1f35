import Foundation
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

extension ModelSnapshot {
  /// The values as a store snapshot.
  fileprivate func snapshot() -> DefaultSnapshot {
    let buffer = TypedBuffer<Self>(capacity: 1)
    buffer.append(self)
    return DefaultSnapshot(buffer: buffer, index: 0)
  }
}

/// Large data in external files.
@Suite struct ExternalStorageTests {
  static let large = ExternalFiles.threshold + 1

  static func bytes(_ seed: UInt8, _ count: Int = large) -> Data {
    Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) ^ seed })
  }

  private func photo(_ fixture: StorageFixture) throws -> ModelContext {
    let context = ModelContext(try fixture.container(Album.self))
    context.insert(Photo(name: "one", image: Self.bytes(1)))
    try context.save()
    return context
  }

  @Test func S018_largeDataIsStoredBesideTheStoreAndRoundTrips() throws {
    let fixture = try StorageFixture()
    let context = try photo(fixture)
    #expect(fixture.files.count == 1)
    #expect(fixture.lists.isEmpty)
    #expect(
      try fixture.shell("SELECT typeof(image), typeof(original), typeof(caption) FROM Photo")
        == "text|blob|text")
    #expect(try fixture.shell("SELECT image FROM Photo") == fixture.files[0])
    let file = URL(fileURLWithPath: fixture.externalFolder + "/" + fixture.files[0])
    #expect(try Data(contentsOf: file) == Self.bytes(1))
    let found = try ModelContext(context.container).only(Photo.self)
    #expect(found.image == Self.bytes(1))
    #expect(found.original == Data())
  }

  @Test(arguments: [0, 1, ExternalFiles.threshold]) func smallDataIsStoredInTheRow(_ count: Int) throws {
    let fixture = try StorageFixture()
    let context = ModelContext(try fixture.container(Album.self))
    context.insert(Photo(name: "small", image: Self.bytes(2, count)))
    context.insert(Photo(name: "none"))
    try context.save()
    #expect(fixture.files.isEmpty)
    let found = try ModelContext(context.container).fetch(
      FetchDescriptor<Photo>(sortBy: [SortDescriptor(\.name)]))
    #expect(found.map(\.image) == [nil, Self.bytes(2, count)])
  }

  @Test func inMemoryStoresKeepAllDataInTheRow() throws {
    let schema = Schema([Album.self])
    let container = try ModelContainer(
      for: schema, configurations: ModelConfiguration(schema: schema, isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    context.insert(Photo(name: "one", image: Self.bytes(1)))
    try context.save()
    #expect(try ModelContext(container).only(Photo.self).image == Self.bytes(1))
  }

  /// Saves another change. The next save removes a file that a previous save kept because a model still had its value.
  private func saveAgain(_ container: ModelContainer) throws {
    let context = ModelContext(container)
    context.insert(Album(title: "next"))
    try context.save()
  }

  @Test func filesOfReplacedValuesAreRemoved() throws {
    let fixture = try StorageFixture()
    let context = try photo(fixture)
    let first = fixture.files
    let photo = try context.only(Photo.self)
    photo.image = Self.bytes(2)
    try context.save()
    try saveAgain(context.container)
    #expect(fixture.files.count == 1)
    #expect(fixture.files != first)
    photo.image = Self.bytes(3, 10)
    try context.save()
    #expect(fixture.files.isEmpty)
    photo.image = Self.bytes(4)
    try context.save()
    photo.image = nil
    try context.save()
    #expect(fixture.files.isEmpty)
    #expect(try fixture.shell("SELECT count(*) FROM trellis_discarded_files") == "0")
  }

  @Test func otherChangesDoNotRewriteTheFile() throws {
    let fixture = try StorageFixture()
    let container = try photo(fixture).container
    let files = fixture.files
    let context = ModelContext(container)
    try context.only(Photo.self).name = "two"
    try context.save()
    #expect(fixture.files == files)
    #expect(try ModelContext(container).only(Photo.self).image == Self.bytes(1))
  }

  enum Way: CaseIterable, Sendable { case delete, cascade, batch, erase, deleteAll, upsert }

  @Test(arguments: Way.allCases) func deletedRowsLeaveNoFiles(_ way: Way) throws {
    let fixture = try StorageFixture()
    let container = try fixture.container(Album.self, Attachment.self)
    try autoreleased {
      let context = ModelContext(container)
      let album = Album(title: "all")
      context.insert(album)
      for seed in 0..<3 {
        let photo = Photo(name: "\(seed)", image: Self.bytes(UInt8(seed)))
        context.insert(photo)
        photo.album = album
      }
      context.insert(Attachment(name: "a", bytes: Self.bytes(9)))
      try context.save()
    }
    #expect(fixture.files.count == 4)
    try autoreleased { try remove(way, container) }
    // A retained deleted model keeps its last value. After its release, the next save removes the file.
    try saveAgain(container)
    let expected =
      switch way {
      case .delete, .cascade: 1;
      case .upsert: 4;
      default: 0
      }
    #expect(fixture.files.count == expected)
    #expect(try fixture.shell("SELECT count(*) FROM trellis_discarded_files") == "0")
  }

  private func remove(_ way: Way, _ container: ModelContainer) throws {
    let context = ModelContext(container)
    switch way {
    case .delete:
      for photo in try context.all(Photo.self) { context.delete(photo) }
    case .cascade: context.delete(try context.only(Album.self))
    case .batch:
      try context.delete(model: Photo.self)
      try context.delete(model: Attachment.self)
    case .erase: try container.erase()
    case .deleteAll: container.deleteAllData()
    case .upsert:
      context.insert(Attachment(name: "a", bytes: Self.bytes(10)))
    }
    try context.save()
  }

  @Test func deletedModelsKeepTheirValuesWhileRetained() throws {
    let fixture = try StorageFixture()
    let container = try photo(fixture).container
    var context: ModelContext? = ModelContext(container)
    var photo: Photo? = try context?.only(Photo.self)
    if let photo { context?.delete(photo) }
    try context?.save()
    #expect(fixture.files.count == 1)
    #expect(photo?.image == Self.bytes(1))
    photo = nil
    context = nil
    let other = ModelContext(container)
    other.insert(Photo(name: "next"))
    try other.save()
    #expect(fixture.files.isEmpty)
  }

  @Test func eachRowHasASeparateFile() throws {
    let fixture = try StorageFixture()
    let context = try photo(fixture)
    let first = try context.only(Photo.self)
    let second = Photo(name: "copy", image: first.image)
    context.insert(second)
    try context.save()
    #expect(fixture.files.count == 2)
    context.delete(first)
    try context.save()
    #expect(try ModelContext(context.container).only(Photo.self).image == Self.bytes(1))
  }

  // MARK: Damaged files

  enum Damage: CaseIterable, Sendable { case missing, short, replacedByFolder }

  @Test(arguments: Damage.allCases)
  func aMissingOrDamagedFileIsReportedAndNothingIsOverwritten(_ damage: Damage) throws {
    let fixture = try StorageFixture()
    let container = try photo(fixture).container
    let name = fixture.files[0]
    let path = fixture.externalFolder + "/" + name
    try FileManager.default.removeItem(atPath: path)
    switch damage {
    case .missing: break
    case .short: try Self.bytes(1, 50).write(to: URL(fileURLWithPath: path))
    case .replacedByFolder:
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: false)
    }
    let context = ModelContext(container)
    // The fetch succeeds with all other properties.
    let found = try context.only(Photo.self)
    #expect(found.name == "one")
    #expect(found.image == nil)
    let error = #expect(throws: ExternalFileError.self) { _ = try found._$values.image.load() }
    #expect(error?.path == path)
    // Other properties of a snapshot can be read without the file.
    let snapshot = found._$values.snapshot()
    #expect(snapshot.value(named: "caption") as? String == "")
    found.name = "two"
    try context.save()
    // The row still refers to the file, so that it can be restored.
    #expect(try fixture.shell("SELECT name, image FROM Photo") == "two|\(name)")
    try? FileManager.default.removeItem(atPath: path)
    try Self.bytes(1).write(to: URL(fileURLWithPath: path))
    #expect(try ModelContext(container).only(Photo.self).image == Self.bytes(1))
  }

  @Test func invalidFileNamesAreNotRead() throws {
    let fixture = try StorageFixture()
    let container = try photo(fixture).container
    try fixture.shell("UPDATE Photo SET image = '../test.store'")
    let error = #expect(throws: StoredValueError.self) {
      try ModelContext(container).all(Photo.self)
    }
    #expect(error?.property == "image")
  }

  @Test func unwritableFilesFailTheSaveAndLeaveNothing() throws {
    let fixture = try StorageFixture()
    let context = ModelContext(try fixture.container(Album.self))
    // A file has the path of the folder.
    try Data([1]).write(to: URL(fileURLWithPath: fixture.externalFolder))
    context.insert(Photo(name: "one", image: Self.bytes(1)))
    let error = #expect(throws: ExternalFileError.self) { try context.save() }
    #expect(error?.path.hasPrefix(fixture.externalFolder) == true)
    #expect(try fixture.shell("SELECT count(*) FROM Photo") == "0")
    #expect(context.hasChanges)
    try FileManager.default.removeItem(atPath: fixture.externalFolder)
    try context.save()
    #expect(try ModelContext(context.container).only(Photo.self).image == Self.bytes(1))
  }

  @Test func failedSavesRemoveTheirFiles() throws {
    let fixture = try StorageFixture()
    let context = ModelContext(try fixture.container(Album.self, House.self))
    context.insert(House(name: "a", address: Address(street: "s")))
    try context.save()
    context.insert(Photo(name: "one", image: Self.bytes(1)))
    context.insert(House(name: "b", address: Address(street: "s")))
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    #expect(fixture.files.isEmpty)
    #expect(fixture.lists.isEmpty)
  }

  // MARK: Crashes

  /// Copies of the folder simulate the files that a process leaves when it is killed at that time.
  @Test func orphansOfAProcessKilledBeforeTheCommitAreCollected() throws {
    let fixture = try StorageFixture()
    let context = try photo(fixture)
    let store = try DefaultStore(
      ModelConfiguration(schema: context.container.schema, url: fixture.url), migrationPlan: nil)
    let image = try StorageFixture()
    try store.pool.exclusively { connection in
      try? connection.write {
        _ = try store.files?.store(ExternalData(Self.bytes(7)))
        try connection.execute("DELETE FROM \(name: "Photo")")
        try FileManager.default.removeItem(at: image.folder)
        try FileManager.default.copyItem(at: fixture.folder, to: image.folder)
        throw CancellationError()
      }
      store.files?.resolve()
    }
    #expect(image.files.count == 2)
    #expect(image.lists.count == 1)
    let container = try image.container(Album.self)
    #expect(try ModelContext(container).only(Photo.self).image == Self.bytes(1))
    let next = ModelContext(container)
    try next.only(Photo.self).name = "two"
    try next.save()
    #expect(image.files.count == 1)
    #expect(image.lists.isEmpty)
    #expect(try ModelContext(container).only(Photo.self).image == Self.bytes(1))
  }

  @Test func aProcessKilledAfterTheCommitLosesNothing() throws {
    let fixture = try StorageFixture()
    let context = try photo(fixture)
    // The list that a killed process left.
    let pending = fixture.externalFolder + "/pending"
    try FileManager.default.createDirectory(
      atPath: pending, withIntermediateDirectories: true)
    try Data((fixture.files[0] + "\n").utf8).write(to: URL(fileURLWithPath: pending + "/left"))
    // The file of a replaced value that a killed process left.
    let stale = ExternalFile.newNumber() + "-3"
    try Data([1, 2, 3]).write(
      to: URL(fileURLWithPath: fixture.externalFolder + "/" + stale))
    try fixture.shell("INSERT INTO trellis_discarded_files (name) VALUES ('\(stale)')")
    let next = ModelContext(context.container)
    try next.only(Photo.self).name = "two"
    try next.save()
    #expect(fixture.lists.isEmpty)
    #expect(fixture.files.count == 1)
    #expect(try ModelContext(context.container).only(Photo.self).image == Self.bytes(1))
  }

  /// A reader with an open fetch sees the old rows, so their files must exist.
  @Test func filesAreKeptForReadersOfAnOlderState() throws {
    let fixture = try StorageFixture()
    let context = try photo(fixture)
    let old = fixture.files[0]
    let reader = try Connection(fixture.url.path, .existing)
    try reader.read {
      _ = try reader.rows("SELECT count(*) FROM \(name: "Photo")")
      try context.only(Photo.self).image = Self.bytes(2)
      try context.save()
      #expect(fixture.files.contains(old))
    }
    let photo = try context.only(Photo.self)
    photo.name = "later"
    try context.save()
    #expect(!fixture.files.contains(old))
    #expect(fixture.files.count == 1)
  }

  private func autoreleased(_ body: () throws -> Void) rethrows { try body() }
}
