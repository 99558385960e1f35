import ClassicV1
import ClassicV2
import Foundation
import Testing
import Trellis

/// Fills in hierarchies, and the data around the migrated rows.
@Suite struct FillTests {
  enum V1: VersionedSchema {
    static var models: [any PersistentModel.Type] {
      [ClassicV1.Album.self, ClassicV1.LiveSong.self]
    }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  enum V2: VersionedSchema {
    static var models: [any PersistentModel.Type] {
      [ClassicV2.Album.self, ClassicV2.LiveSong.self]
    }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  static let seconds = MigrationStep.fill(
    ClassicV1.Song.Snapshot.self, ClassicV2.Song.Snapshot.self, ["seconds"]
  ) { old, new in
    new.seconds = old.title.utf8.count
    // The step does not fill this property, so the assignment has no effect.
    new.title = "?"
  }

  static let cities = MigrationStep.fill(
    ClassicV1.LiveSong.Snapshot.self, ClassicV2.LiveSong.Snapshot.self, ["city"]
  ) { old, new in new.city = old.place.uppercased() }

  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [MigrationSteps(fromVersion: V1.self, toVersion: V2.self, [seconds, cities])]
    }
  }

  struct Stop: Error {}

  enum Throwing: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [
        MigrationSteps(
          fromVersion: V1.self, toVersion: V2.self,
          [
            cities,
            .fill(ClassicV1.Song.Snapshot.self, ClassicV2.Song.Snapshot.self, ["seconds"]) { old, _ in
              if old.title == "bc" { throw Stop() }
            },
          ])
      ]
    }
  }

  /// A plan that omits a required value.
  enum Forgetful: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [MigrationSteps(fromVersion: V1.self, toVersion: V2.self, [seconds, .custom("nothing") { _ in }])]
    }
  }

  /// A custom step with the effect of a fill.
  enum ByHand: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [
        MigrationSteps(
          fromVersion: V1.self, toVersion: V2.self,
          [
            seconds,
            .custom("cities") { rows in
              try rows.forEach(ClassicV1.LiveSong.Snapshot.self) { songs in
                try rows.new.upsert(
                  contentsOf: songs.map {
                    ClassicV2.LiveSong.Snapshot(
                      persistentIdentifier: rows.identifier(of: $0, as: ClassicV2.LiveSong.self),
                      title: $0.title, seconds: 1, album: $0.album, place: $0.place, city: "hand")
                  })
              }
            },
          ])
      ]
    }
  }

  private let fixture: MigrationFixture

  init() throws {
    fixture = try MigrationFixture()
    let context = try fixture.open(V1.self)
    let bytes = Data(repeating: 3, count: 200_000)
    let album = ClassicV1.Album(
      title: "a", shape: ClassicV1.Shape(width: 1, height: 2),
      size: ClassicV1.Shape(width: 3, height: 4))
    let plain = ClassicV1.Album(title: "b", shape: ClassicV1.Shape(width: 5, height: 6))
    context.insert(album)
    context.insert(plain)
    album.songs = [
      ClassicV1.Song(title: "bc"), ClassicV1.LiveSong(title: "a", place: "oslo"),
      ClassicV1.Song(title: "e\u{301}"),
    ]
    album.cover = ClassicV1.Picture(name: "p", large: bytes, small: bytes)
    try context.save()
    album.songs = [album.songs[2], album.songs[0], album.songs[1]]
    try context.save()
  }

  private var externalFiles: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: fixture.url.path + "-external")) ?? [])
      .filter { $0 != "pending" }
  }

  @Test func fillsApplyToRowsOfSubclasses() throws {
    let context = try fixture.open(V2.self, Plan.self)
    let albums = try context.fetch(FetchDescriptor<ClassicV2.Album>(sortBy: [SortDescriptor(\.title)]))
    let songs = albums[0].songs
    // The order of the list is preserved.
    #expect(songs.map(\.title) == ["e\u{301}", "bc", "a"])
    #expect(songs.map(\.seconds) == [3, 2, 1])
    let live = try #require(songs[2] as? ClassicV2.LiveSong)
    #expect(live.place == "oslo" && live.city == "OSLO")
    #expect(albums[0].shape == ClassicV2.Shape(width: 1, height: 2, depth: 1))
    #expect(albums[0].size == ClassicV2.Shape(width: 3, height: 4, depth: 1))
    #expect(albums[1].size == nil)
    let found = FetchDescriptor<ClassicV2.Song>(predicate: #Predicate { $0.title == "\u{e9}" })
    #expect(try context.fetchCount(found) == 1)
    #expect(try fixture.complaints() == "")
  }

  @Test func aReferenceBecomesAListWithInverses() throws {
    let context = try fixture.open(V2.self, Plan.self)
    let album = try #require(
      try context.fetch(FetchDescriptor<ClassicV2.Album>(sortBy: [SortDescriptor(\.title)])).first)
    #expect(album.pictures.map(\.name) == ["p"])
    #expect(album.pictures[0].large.count == 200_000)
    // The file of the removed value exists until the next save.
    #expect(externalFiles.count == 2)
    album.title = "c"
    try context.save()
    #expect(externalFiles.count == 1)
    #expect(album.pictures[0].large.count == 200_000)
  }

  @Test func anErrorInAFillKeepsTheOldStore() throws {
    let before = try fixture.shell("SELECT * FROM Song; SELECT * FROM trellis_metadata")
    #expect(throws: Stop.self) { try fixture.open(V2.self, Throwing.self) }
    #expect(try fixture.shell("SELECT * FROM Song; SELECT * FROM trellis_metadata") == before)
    #expect(externalFiles.count == 2 && fixture.backups.isEmpty)
    #expect(try fixture.open(V1.self).all(ClassicV1.Song.self).count == 3)
  }

  @Test func valuesOmittedByACustomStepEndTheMigration() throws {
    let error = #expect(throws: SwiftDataError.self) { try fixture.open(V2.self, Forgetful.self) }
    #expect(error?.storeProblem == .migrationFailed)
    #expect(error?.explanation?.contains("'Song.city'") == true, "\(error?.explanation ?? "")")
    let context = try fixture.open(V2.self, ByHand.self)
    #expect(try context.all(ClassicV2.LiveSong.self).map(\.city) == ["hand"])
    #expect(try fixture.complaints() == "")
  }

  @Test func concurrentProgramsMigrateOnce() async throws {
    let url = fixture.url
    let opened = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let schema = Schema(versionedSchema: V2.self)
          let container = try ModelContainer(
            for: schema, migrationPlan: Plan.self,
            configurations: ModelConfiguration(schema: schema, url: url))
          return try ModelContext(container).fetchCount(FetchDescriptor<ClassicV2.Song>())
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(opened == [3, 3, 3, 3])
    #expect(fixture.backups.count == 1)
  }
}
