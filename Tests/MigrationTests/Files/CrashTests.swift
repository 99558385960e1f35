import ClassicV1
import ClassicV2
import ClassicV3
import Foundation
import Testing
import Trellis
import TrellisTesting

/// A program that is killed during a migration.
///
/// The test copies the files before each statement of a migration. The copies equal the files that a killed process
/// leaves.
@Suite(.serialized) struct CrashTests {
  @Test func aKilledMigrationLeavesTheOldOrTheNewStore() throws {
    let fixture = try MigrationFixture()
    fixture.options.keepsBackup = false
    do { try Classic.fill(fixture.open(Classic.V1.self)) }
    let place = try MigrationFixture()
    let images = StoreImages(of: fixture.folder, in: place.folder, limit: 10_000)
    try StatementWatch.whileRunning(images.take) {
      _ = try fixture.open(Classic.V2.self, Classic.Plan.self)
    }
    #expect(images.statements > 150 && images.looks == images.statements && images.images.count > 2)
    var old = 0
    var new = 0
    for (number, image) in images.images {
      let copy = try MigrationFixture()
      for name in try FileManager.default.contentsOfDirectory(atPath: image.path) {
        try FileManager.default.moveItem(
          at: image.appendingPathComponent(name), to: copy.folder.appendingPathComponent(name))
      }
      #expect(try copy.complaints() == "", "before statement \(number)")
      let version = try copy.shell("SELECT value FROM trellis_metadata WHERE key = 'version'")
      if version == "1.0.0" {
        old += 1
        #expect(new == 0)
        #expect(
          try copy.shell("SELECT COUNT(*) FROM Trip; SELECT COUNT(*) FROM Log; SELECT * FROM Pair")
            == "2\n3\n1|l|r", "before statement \(number)")
        #expect(try copy.open(Classic.V1.self).all(ClassicV1.Tag.self).count == 3)
        copy.options.keepsBackup = false
      } else {
        new += 1
      }
      let context = try copy.open(Classic.V2.self, Classic.Plan.self)
      #expect(try context.all(ClassicV2.Tag.self).count == 2)
      #expect(try context.all(ClassicV2.Trip.self).compactMap(\.photo).map(\.count) == [300_000])
      #expect(try copy.complaints() == "")
    }
    #expect(old > 1 && new > 0)
  }

  /// A program that is killed at every start must not fill the disk with backups.
  @Test func copiesOfAKilledMigrationAreReplaced() throws {
    let fixture = try MigrationFixture()
    do { try Classic.fill(fixture.open(Classic.V1.self)) }
    let place = try MigrationFixture()
    let images = StoreImages(of: fixture.folder, in: place.folder, limit: 60)
    try StatementWatch.whileRunning(images.take) {
      _ = try fixture.open(Classic.V2.self, Classic.Plan.self)
    }
    var interrupted = 0
    for (number, image) in images.images {
      let copy = try MigrationFixture()
      for name in try FileManager.default.contentsOfDirectory(atPath: image.path) {
        try FileManager.default.moveItem(
          at: image.appendingPathComponent(name), to: copy.folder.appendingPathComponent(name))
      }
      // After the last file is renamed, only the commit remains.
      if copy.backups.contains("test.store.backup-1.0.0") { continue }
      if copy.backups.contains("test.store.backup-1.0.0.partial") { interrupted += 1 }
      _ = try copy.open(Classic.V2.self, Classic.Plan.self)
      #expect(copy.backups == ["test.store.backup-1.0.0"], "before statement \(number)")
      let backup = copy.folder.appendingPathComponent("test.store.backup-1.0.0").path
      #expect(try copy.shell("PRAGMA integrity_check; SELECT COUNT(*) FROM Tag", file: backup) == "ok\n3")
    }
    #expect(interrupted > 0)
  }
}
