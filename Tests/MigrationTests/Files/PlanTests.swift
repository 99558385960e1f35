import ClassicV1
import ClassicV2
import ClassicV3
import Foundation
import Testing
import Trellis

/// Handwritten plans as in SwiftData's documentation.
@Suite struct PlanTests {
  enum V1: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV1.Journey.self, ClassicV1.Pair.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  enum V2: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV2.Voyage.self, ClassicV2.Pair.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  enum V3: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV3.Cruise.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }
  }

  /// A plan with inferred stages.
  enum Inferred: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self] }
    static var stages: [MigrationStage] { [] }
  }

  enum ToSecond: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V2.self)] }
  }

  private let fixture: MigrationFixture

  init() throws {
    fixture = try MigrationFixture()
    let context = try fixture.open(V1.self)
    let journey = ClassicV1.Journey(place: "Oslo")
    journey.stops = [ClassicV1.Stop(name: "a"), ClassicV1.Stop(name: "b")]
    try context.add([
      journey, ClassicV1.Journey(place: "e\u{301}"), ClassicV1.Pair(left: "l", right: "r"),
    ])
  }

  @Test func S119_S120_compatibleChangesMigrateWithoutAPlan() throws {
    let context = try fixture.open(V2.self)
    let voyages = try context.fetch(FetchDescriptor<ClassicV2.Voyage>(sortBy: [SortDescriptor(\.harbour)]))
    #expect(voyages.map(\.harbour) == ["Oslo", "e\u{301}"])
    #expect(Set(voyages[0].calls.map(\.name)) == ["a", "b"])
    // Two properties exchanged their names and kept their values, even after the store is opened again.
    for context in [context, try fixture.open(V2.self)] {
      let pair = try #require(try context.all(ClassicV2.Pair.self).first)
      #expect(pair.left == "r" && pair.right == "l")
    }
    #expect(try fixture.complaints() == "")
  }

  @Test func S120_renamesByOriginalNameAreLightweight() throws {
    let before = try fixture.shell("SELECT rootpage FROM sqlite_schema WHERE name = 'Journey'")
    let context = try fixture.open(V2.self, ToSecond.self)
    let voyages = try context.fetch(FetchDescriptor<ClassicV2.Voyage>(sortBy: [SortDescriptor(\.harbour)]))
    #expect(voyages.map(\.harbour) == ["Oslo", "e\u{301}"])
    #expect(Set(voyages[0].calls.map(\.name)) == ["a", "b"])
    // Two properties exchanged their names and kept their values.
    let pair = try #require(try context.all(ClassicV2.Pair.self).first)
    #expect(pair.left == "r" && pair.right == "l")
    #expect(try fixture.complaints() == "")
    // No row was rewritten.
    #expect(try fixture.shell("SELECT rootpage FROM sqlite_schema WHERE name = 'Voyage'") == before)
    #expect(fixture.backups.isEmpty)
    // A search in NFC still finds text that is not in NFC.
    let found = FetchDescriptor<ClassicV2.Voyage>(predicate: #Predicate { $0.harbour == "\u{e9}" })
    #expect(try context.fetchCount(found) == 1)
    context.insert(ClassicV2.Voyage(harbour: "new"))
    try context.save()
  }

  @Test func S121_stagesRunFromTheStoredVersionToTheLatest() throws {
    let identifier = try #require(try fixture.open(V1.self).all(ClassicV1.Journey.self).first)
      .persistentModelID
    let context = try fixture.open(V3.self, Inferred.self)
    let cruises = try context.fetch(FetchDescriptor<ClassicV3.Cruise>(sortBy: [SortDescriptor(\.harbour)]))
    #expect(cruises.map(\.harbour) == ["Oslo", "e\u{301}"])
    #expect(Set(cruises[0].calls.map(\.name)) == ["a", "b"])
    #expect(cruises[0].persistentModelID.number == identifier.number)
    #expect(try fixture.complaints() == "")
    #expect(try fixture.shell("SELECT name FROM sqlite_schema WHERE name = 'Pair'") == "")
    // A model was removed, so a backup was created.
    #expect(fixture.backups == ["test.store.backup-1.0.0"])
    #expect(
      try fixture.shell(
        "SELECT left FROM Pair", file: fixture.folder.appendingPathComponent(fixture.backups[0]).path)
        == "l")
    let again = try fixture.open(V3.self, Inferred.self)
    #expect(try again.fetchCount(FetchDescriptor<ClassicV3.Cruise>()) == 2)
    #expect(fixture.backups.count == 1)
  }

  @Test func storesOfAnIntermediateVersionRunTheRemainingStages() throws {
    _ = try fixture.open(V2.self, ToSecond.self)
    let context = try fixture.open(V3.self, Inferred.self)
    #expect(try context.fetchCount(FetchDescriptor<ClassicV3.Cruise>()) == 2)
    #expect(throws: SwiftDataError.backwardMigration) { try fixture.open(V2.self, ToSecond.self) }
  }
}
