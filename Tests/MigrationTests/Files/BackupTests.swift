import ClassicV1
import ClassicV2
import Foundation
import Testing
import Trellis

/// Tests of the files beside a migrated store.
@Suite struct BackupTests {
  enum V1: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV1.Picture.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  enum V2: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV2.Picture.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  /// The small picture is removed, and rows are rewritten.
  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V2.self)] }
  }

  private struct Stop: Error {}

  enum Failing: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [MigrationSteps(fromVersion: V1.self, toVersion: V2.self, [.custom("stop") { _ in throw Stop() }])]
    }
  }

  private let fixture: MigrationFixture

  init() throws { fixture = try MigrationFixture() }

  private static let large = Data(repeating: 1, count: 200_000)
  private static let small = Data(repeating: 2, count: 150_000)

  private func fill() throws {
    let context = try fixture.open(V1.self)
    try context.add([
      ClassicV1.Picture(name: "a", large: Self.large, small: Self.small),
      ClassicV1.Picture(name: "b", large: Data([1])),
    ])
  }

  private func files(_ folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: fixture.folder.path + "/" + folder)) ?? []
  }

  @Test func aBackupOpensWithAllItsFiles() throws {
    try fill()
    let new = try fixture.open(V2.self, Plan.self)
    for picture in try new.all(ClassicV2.Picture.self) { new.delete(picture) }
    try new.save()
    // The next writer removes the files of deleted values.
    try new.add([ClassicV2.Picture(name: "c", large: Data(repeating: 3, count: 140_000))])
    #expect(files("test.store-external").count == 1)
    let backup = try #require(fixture.backups.first)
    #expect(files("\(backup)-external").count == 2)
    let url = fixture.folder.appendingPathComponent(backup)
    let old = ModelContext(
      try ModelContainer(
        for: Schema(versionedSchema: V1.self), configurations: [ModelConfiguration(url: url)]))
    let pictures = try old.fetch(FetchDescriptor<ClassicV1.Picture>(sortBy: [SortDescriptor(\.name)]))
    #expect(pictures.map(\.large) == [Self.large, Data([1])] && pictures.map(\.small) == [Self.small, nil])
    // The backup has separate external files.
    for picture in pictures { old.delete(picture) }
    try old.save()
    #expect(try new.all(ClassicV2.Picture.self).map(\.large.count) == [140_000])
  }

  @Test func failedMigrationsLeaveNoCopies() throws {
    try fill()
    let before = files("test.store-external").sorted()
    #expect(throws: Stop.self) { try fixture.open(V2.self, Failing.self) }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path).allSatisfy { !$0.contains("backup") })
    #expect(files("test.store-external").sorted() == before)
    #expect(try fixture.open(V1.self).all(ClassicV1.Picture.self).compactMap(\.small) == [Self.small])
  }

  /// A process that is killed during its commit leaves the backup and the old store. A repeated failure must not fill
  /// the disk with backups.
  @Test func unchangedStoresAreNotBackedUpAgain() throws {
    do { try fill() }
    try fixture.shell("PRAGMA wal_checkpoint(TRUNCATE)")
    let original = try Data(contentsOf: fixture.url)
    func requeue() throws {
      for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: fixture.url.path + suffix) }
      try original.write(to: fixture.url)
    }
    for _ in 0..<3 {
      do { _ = try fixture.open(V2.self, Plan.self) }
      #expect(fixture.backups == ["test.store.backup-1.0.0"])
      #expect(files("test.store.backup-1.0.0-external").count == 2)
      try requeue()
    }
    do { try fixture.open(V1.self).add([ClassicV1.Picture(name: "c", large: Data([2]))]) }
    do { _ = try fixture.open(V2.self, Plan.self) }
    #expect(fixture.backups == ["test.store.backup-1.0.0", "test.store.backup-1.0.0-2"])
  }

  @Test func unusedSpaceIsReclaimedOnRequest() throws {
    func size(compacting: Bool) throws -> Int {
      let fixture = try MigrationFixture()
      fixture.options.compacts = compacting
      let old = try fixture.open(LargeStoreTests.V1.self)
      try old.insert(
        contentsOf: (0..<20_000).lazy.map { number in
          ClassicV1.Reading.Snapshot(
            station: "station", sensor: "sensor", unit: "°C", sequence: number, quality: 1, flags: 0,
            value: 1, deviation: 0.5, taken: Date(timeIntervalSinceReferenceDate: 0), isChecked: true)
        })
      let new = try fixture.open(LargeStoreTests.V3.self, LargeStoreTests.Filling.self)
      #expect(try fixture.complaints() == "")
      // The store records that its tables are unchanged, so that it does not compare them the next time it is opened.
      #expect(
        try fixture.shell(
          "SELECT value = (SELECT schema_version FROM pragma_schema_version) FROM trellis_metadata WHERE key = 'definitions'"
        )
          == "1")
      _ = new
      return Int(try fixture.shell("SELECT page_count FROM pragma_page_count")) ?? 0
    }
    let (plain, compacted) = (try size(compacting: false), try size(compacting: true))
    #expect(Double(compacted) < Double(plain) * 0.6)
  }
}
