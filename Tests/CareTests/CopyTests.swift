import Foundation
import SampleTripsGolden
import SchemaCommands
import SchemaDriver
import StoreCare
import StoreCommands
import Synchronization
import TestSupport
import TestTraits
import Testing
import Trellis

/// Shared by a test and its writing thread.
private final class WriterState: Sendable {
  let isDone = Mutex(false)
  let commits = Mutex(0)
  let failures = Mutex<[String]>([])
}

@Suite struct CopyTests {
  private static func container(_ path: String) throws -> ModelContainer {
    try ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: URL(filePath: path)))
  }

  private static func trip(_ number: Int, photo: Data? = nil) -> Trip {
    let trip = Trip(
      name: "Trip \(number)", destination: "Bergen", startDate: Date(timeIntervalSinceReferenceDate: Double(number)),
      endDate: Date(timeIntervalSinceReferenceDate: Double(number + 1)))
    trip.photo = photo
    return trip
  }

  // MARK: the write-ahead log

  @Test func rowsThatAreOnlyInTheLogAreCopied() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("trips.store")
    let container = try Self.container(path)
    let context = ModelContext(container)
    for number in 0..<10 { context.insert(Self.trip(number)) }
    try context.save()
    // The file alone has no rows.
    try FileManager.default.copyItem(atPath: path, toPath: folder.path("alone.store"))
    let alone = try? Connection(folder.path("alone.store"), .readOnly, isImmutable: true).rows("SELECT * FROM Trip")
    #expect((alone ?? []).isEmpty)
    let before = contents(of: path)
    let report = try StoreCopier.copy(path, to: folder.path("copy.store"))
    #expect(report.missingFiles.isEmpty)
    #expect(contents(of: path) == before)
    #expect(try ModelContext(Self.container(folder.path("copy.store"))).fetchCount(FetchDescriptor<Trip>()) == 10)
    #expect(try StoreChecker.check(folder.path("copy.store")).findings.isEmpty)
  }

  @Test func aStoreWithoutALogIsCopiedAndLeftAsItIs() throws {
    let store = try StoreUnderTest("SampleTrips")
    let before = contents(of: store.path)
    let report = try StoreCopier.copy(store.path, to: store.folder.path("copy.store"))
    #expect(report.externalFiles == store.externalFiles.count)
    #expect(contents(of: store.path).filter { !$0.value.isEmpty } == before)
    #expect(try StoreChecker.check(store.folder.path("copy.store")).findings.isEmpty)
    #expect(!store.folder.names.contains { $0.contains("partial") })
  }

  @Test(.waiting) func copiesAreConsistentWhileAnotherConnectionWrites() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("trips.store")
    let container = try Self.container(path)
    let state = WriterState()
    let photo = Data(repeating: 7, count: 200_000)
    let writer = Thread {
      do {
        var number = 0
        while !state.isDone.withLock({ $0 }) {
          let context = ModelContext(container)
          // Each commit adds two trips, and removes an older pair with its files.
          for _ in 0..<2 {
            context.insert(Self.trip(number, photo: photo))
            number += 1
          }
          let (first, last) = ("Trip \(number - 12)", "Trip \(number - 11)")
          try context.delete(model: Trip.self, where: #Predicate { $0.name == first || $0.name == last })
          try context.save()
          state.commits.withLock { $0 += 1 }
        }
      } catch {
        state.failures.withLock { $0.append("\(error)") }
      }
    }
    writer.start()
    defer { state.isDone.withLock { $0 = true } }
    for round in 0..<8 {
      // Every copy sees the writer at work.
      let start = state.commits.withLock { $0 }
      while state.commits.withLock({ $0 }) < start + 2, state.failures.withLock(\.isEmpty) { sched_yield() }
      let copy = folder.path("copy-\(round).store")
      let report = try StoreCopier.copy(path, to: copy)
      #expect(report.missingFiles.isEmpty)
      let checked = try StoreChecker.check(copy)
      #expect(checked.findings.isEmpty, "\(checked.text)")
      let rows = try Connection(copy, .readOnly).integers("SELECT count(*) FROM Trip")
      #expect(rows.allSatisfy { $0 > 0 && $0 % 2 == 0 }, "\(rows)")
    }
    state.isDone.withLock { $0 = true }
    #expect(state.failures.withLock { $0 } == [])
    #expect(state.commits.withLock { $0 } >= 16)
  }

  // MARK: external files

  @Test func missingFilesAndLinksAreReportedAndNotFollowed() throws {
    let store = try StoreUnderTest("SampleTrips")
    let files = FileManager.default
    let file = try #require(store.externalFiles.first)
    try files.removeItem(atPath: "\(store.path)-external/\(file)")
    try files.createSymbolicLink(atPath: "\(store.path)-external/\(file)", withDestinationPath: "/etc/hostname")
    let report = try StoreCopier.copy(store.path, to: store.folder.path("copy.store"))
    #expect(report.missingFiles == [file])
    #expect(!files.fileExists(atPath: store.folder.path("copy.store-external/\(file)")))
  }

  @Test func aNameThatLeadsElsewhereIsNotCopied() throws {
    let store = try StoreUnderTest("SampleTrips")
    try Data("secret".utf8).write(to: URL(filePath: store.folder.path("secret")))
    try store.run("UPDATE Trip SET photo = '../secret' WHERE typeof(photo) = 'text'")
    let report = try StoreCopier.copy(store.path, to: store.folder.path("copy.store"))
    #expect(report.externalFiles == 0)
    #expect(!FileManager.default.fileExists(atPath: store.folder.path("copy.store-external")))
  }

  @Test func damagedFilesAreReportedAndPreventPruning() throws {
    let store = try StoreUnderTest("SampleTrips")
    let folder = store.folder.path("backups")
    for _ in 0..<2 { #expect(CareTests.store("backup", store.path, folder).status == 0) }
    let file = try #require(store.externalFiles.first)
    // The backups have links to the file, which is replaced.
    try Data([1]).write(to: URL(filePath: "\(store.path)-external/\(file)"), options: .atomic)
    let result = CareTests.store("backup", store.path, folder, "--keep", "1")
    #expect(result.status == 1)
    #expect(result.output.contains("\nmissing or damaged in the store: the external file \(file)\n"))
    #expect(result.output.hasSuffix("the copy is kept, and no older backup was removed\n"))
    let backups = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(backups.count(where: { $0.hasSuffix(".store") }) == 3)
  }

  @Test func damagedPagesAreReportedAndPreventPruning() throws {
    let store = try StoreUnderTest("SampleTrips")
    let folder = store.folder.path("backups")
    for _ in 0..<2 { #expect(CareTests.store("backup", store.path, folder).status == 0) }
    try store.damagePage(of: "BucketListItem")
    let copy = store.folder.path("copy.store")
    for arguments in [["backup", store.path, folder, "--keep", "1"], ["copy", store.path, copy]] {
      let result = CareTests.store(arguments)
      #expect(result.status == 1, "\(result)")
      #expect(
        result.output.hasSuffix(
          """
          the store and the copy have damaged pages, which 'trellis store check \(store.path)' lists: restore a backup
          the copy is kept, and no older backup was removed

          """), "\(result)")
    }
    let backups = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(backups.count(where: { $0.hasSuffix(".store") }) == 3)
  }

  @Test func aFolderOfFilesBehindALinkIsNotUsed() throws {
    let store = try StoreUnderTest("SampleTrips")
    try FileManager.default.moveItem(atPath: store.path + "-external", toPath: store.folder.path("moved"))
    try FileManager.default.createSymbolicLink(atPath: store.path + "-external", withDestinationPath: "moved")
    #expect(CareTests.store("copy", store.path, store.folder.path("copy.store")).output.contains("is a symbolic link"))
    #expect(!FileManager.default.fileExists(atPath: store.folder.path("copy.store")))
    #expect(try StoreChecker.check(store.path).findings.map(\.place) == ["missing-file"])
  }

  // MARK: read-only folders

  @Test func aStoreInAReadOnlyFolderIsCheckedAndCopied() throws {
    let (store, target) = (try StoreUnderTest("SampleTrips"), try TemporaryFolder())
    chown(store.path, getuid() == 0 ? 65_534 : getuid(), getgid())
    chmod(store.folder.url.path, 0o555)
    chmod(target.url.path, 0o777)
    defer { chmod(store.folder.url.path, 0o755) }
    let outcomes = withoutPrivileges { [path = store.path] in
      [
        CareTests.store("check", path), CareTests.store("copy", path, target.path("copy.store")),
        // Another process writes to the file, which is read without locks.
        CareTests.store(["check", path]) { text in
          guard text.contains("tables") else { return }
          utimensat(AT_FDCWD, path, [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)], 0)
        },
      ]
    }
    try #require(outcomes.count == 3)
    #expect(outcomes[0].status == 0, "\(outcomes[0])")
    #expect(outcomes[1].status == 0, "\(outcomes[1])")
    #expect(try StoreChecker.check(target.path("copy.store")).findings.isEmpty)
    #expect(outcomes[2].status == 2)
    #expect(outcomes[2].errors.contains("another process uses the store"), "\(outcomes[2])")
  }

  /// SQLite cannot create the log's index.
  @Test func aLogInAReadOnlyFolderMustBeCopied() throws {
    let (store, target) = (try StoreUnderTest("SampleTrips"), try TemporaryFolder())
    try SQLiteShell(URL(filePath: store.path)).runAndKill("UPDATE Trip SET name = 'later' WHERE id = 1")
    try FileManager.default.removeItem(atPath: store.path + "-shm")
    chmod(store.folder.url.path, 0o555)
    chmod(target.url.path, 0o777)
    defer { chmod(store.folder.url.path, 0o755) }
    let outcomes = withoutPrivileges { [path = store.path] in
      let export = StoreVerbs.run(["export", path, target.path("files"), "--to", "csv"])
      return [
        CareTests.store("check", path), CareTests.store("copy", path, target.path("copy.store")),
        (export.status.rawValue, export.findings, export.progress),
      ]
    }
    for outcome in outcomes {
      #expect(outcome.status == 2)
      #expect(outcome.errors.hasSuffix(", or copy it with its '-wal' file to a writable folder\n"), "\(outcome)")
    }
  }

  // MARK: targets

  @Test func anExistingTargetIsReplacedOnlyByForce() throws {
    let store = try StoreUnderTest("SampleTrips")
    let folder = store.folder.url.path
    #expect(CareTests.store("copy", "SampleTrips.store", "copy.store", in: folder).status == 0)
    try store.run("DELETE FROM BucketListItem")
    let refused = CareTests.store("copy", "SampleTrips.store", "copy.store", in: folder)
    #expect(refused.status == 2)
    #expect(refused.errors == "error: copy.store already exists: '--force' replaces a store\n")
    let rows = { try Connection(store.folder.path("copy.store"), .readOnly).rows("SELECT * FROM BucketListItem") }
    #expect(try !rows().isEmpty)
    #expect(CareTests.store("copy", "SampleTrips.store", "copy.store", "--force", in: folder).status == 0)
    #expect(try rows().isEmpty)
    try Data("text".utf8).write(to: URL(filePath: store.folder.path("notes")))
    for option in [[], ["--force"]] {
      let kept = CareTests.store(["copy", "SampleTrips.store", "notes"] + option, in: folder)
      #expect(kept.errors.hasPrefix("error: notes is not a Trellis store and is not overwritten"))
    }
    let itself = CareTests.store("copy", "SampleTrips.store", "./SampleTrips.store", "--force", in: folder)
    #expect(itself.errors == "error: './SampleTrips.store' is the store itself: choose a different path\n")
    #expect(store.folder.names.filter { $0.contains("partial") } == [])
  }

  // MARK: backups

  @Test func backupsHaveTheTimeInTheirNamesAndOldOnesAreRemoved() throws {
    let store = try StoreUnderTest("SampleTrips")
    let folder = store.folder.path("backups")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var names: [String] = []
    for second in 0..<4 {
      let date = Date(timeIntervalSinceReferenceDate: 800_000_000 + Double(second) + 0.25)
      let name = StoreCopier.backupName(of: store.path, at: date)
      names.append(name)
      _ = try StoreCopier.copy(store.path, to: "\(folder)/\(name)")
    }
    #expect(names[0] == "SampleTrips-2026-05-09T061320.250Z.store")
    // Files with other names are not backups.
    let others = ["SampleTrips-old.store", "SampleTrips-2026-05-09.store", "Other-2026-05-09T061320.250Z.store"]
    for name in others { try Data().write(to: URL(filePath: "\(folder)/\(name)")) }
    #expect(try StoreCopier.prune(store.path, in: folder, keeping: 2, newest: names[3]) == Array(names.prefix(2)))
    let left = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasSuffix("-external") }
    #expect(left.sorted() == (others + names.suffix(2)).sorted())
    let external = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix("-external") }
    #expect(external.sorted() == names.suffix(2).map { "\($0)-external" })
  }

  @Test func onlyOlderBackupsOfTheSameStoreAreRemoved() throws {
    let (store, other) = (try StoreUnderTest("SampleTrips"), try StoreUnderTest("Relationships"))
    try other.run("UPDATE trellis_metadata SET value = 'other' WHERE key = 'identifier'")
    let folder = store.folder.path("backups")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    func path(_ second: Double) -> String {
      "\(folder)/" + StoreCopier.backupName(of: store.path, at: Date(timeIntervalSinceReferenceDate: second))
    }
    // A clock that was ahead wrote the last name.
    for second in [1.0, 4_000_000_000] { _ = try StoreCopier.copy(store.path, to: path(second)) }
    _ = try StoreCopier.copy(other.path, to: path(2))
    try Data("damaged".utf8).write(to: URL(filePath: path(3)))
    let result = CareTests.store("backup", store.path, folder, "--keep", "1")
    #expect(result.status == 0, "\(result)")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".store") }
    let written = try #require(left.first { result.output.contains("/\($0): ") })
    #expect(Set(left) == Set([path(2), path(3)].map { URL(filePath: $0).lastPathComponent } + [written]))
  }

  @Test func theVerbWritesABackupAndKeepsTheNewest() throws {
    let store = try StoreUnderTest("SampleTrips")
    let folder = store.folder.url.path
    for _ in 0..<3 {
      let result = CareTests.store("backup", "SampleTrips.store", "backups", "--keep", "2", in: folder)
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.output.hasPrefix("backups/SampleTrips-2"))
    }
    let backups = try FileManager.default.contentsOfDirectory(atPath: store.folder.path("backups"))
    #expect(backups.count(where: { $0.hasSuffix(".store") }) == 2)
    for name in backups where name.hasSuffix(".store") {
      #expect(try StoreChecker.check(store.folder.path("backups/\(name)")).findings.isEmpty)
    }
  }
}
