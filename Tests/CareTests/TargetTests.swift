import Foundation
import StoreCare
import Synchronization
import TestSupport
import Testing
import Trellis

/// Where a store may be written, and what interrupted and simultaneous verbs leave.
@Suite struct TargetTests {
  private let store: StoreUnderTest
  private var folder: String { store.folder.url.path }

  init() throws { store = try StoreUnderTest("SampleTrips") }

  private func copy(_ arguments: String...) -> Outcome { CareTests.store(["copy"] + arguments, in: folder) }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: store.folder.path(name), withDestinationPath: target)
  }

  private func externalFiles(_ name: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: store.folder.path(name + "-external"))) ?? []).sorted()
  }

  private func expectComplete(_ name: String) throws {
    let report = try StoreChecker.check(store.folder.path(name))
    #expect(report.findings.isEmpty, "\(report.text)")
    #expect(report.rows > 0)
    #expect(!store.folder.names.contains { $0.contains("partial") })
  }

  // MARK: refusals

  @Test func linksAndCompanionsOfAStoreAreNoTargets() throws {
    try link("link.store", to: "SampleTrips.store")
    try link("dangling.store", to: "nowhere")
    try Data("text".utf8).write(to: URL(filePath: store.folder.path("notes")))
    try link("notes.store", to: "notes")
    let before = contents(of: store.path)
    for option in [[], ["--force"]] {
      func refusal(_ source: String, _ target: String) -> String {
        CareTests.store(["copy", source, target] + option, in: folder).errors
      }
      for (source, target) in [
        ("SampleTrips.store", "link.store"), ("link.store", "SampleTrips.store"), ("link.store", "link.store"),
      ] {
        #expect(refusal(source, target) == "error: '\(target)' is the store itself: choose a different path\n")
      }
      for name in ["dangling.store", "notes.store"] {
        #expect(refusal("SampleTrips.store", name).hasPrefix("error: \(name) is a symbolic link: "))
      }
      for name in ["-wal", "-shm", "-journal", "-external", "-external/a.store"] {
        let target = "SampleTrips.store\(name)"
        #expect(
          refusal("SampleTrips.store", target)
            == "error: \(target) belongs to the store 'SampleTrips.store': choose a different path\n")
      }
    }
    #expect(contents(of: store.path) == before)
    #expect(!FileManager.default.fileExists(atPath: store.folder.path("nowhere")))
  }

  @Test func otherFilesNextToTheTargetAreKept() throws {
    let other = store.folder.path("copy.store-external")
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(filePath: other + "/letter.txt"))
    let message = "error: copy.store-external exists without a store and is not overwritten: choose a different path\n"
    #expect(copy("SampleTrips.store", "copy.store").errors == message)
    #expect(copy("SampleTrips.store", "copy.store", "--force").errors == message)
    #expect(externalFiles("copy.store") == ["letter.txt"])
  }

  /// What another process does when its store is to be replaced.
  @Test(arguments: [
    "SELECT count(*) FROM Trip", "BEGIN; SELECT count(*) FROM Trip", "BEGIN IMMEDIATE; DELETE FROM Trip",
  ]) func aStoreThatAnotherProcessHasOpenIsKept(_ sql: String) throws {
    #expect(copy("SampleTrips.store", "copy.store").status == 0)
    let verbs = [
      ["copy", "SampleTrips.store", "copy.store"], ["check", "SampleTrips.store", "--repair", "copy.store"],
    ]
    let path = store.folder.path("copy.store")
    let before = FileStamp(path)
    try SQLiteShell(URL(filePath: path)).run(sql) {
      for verb in verbs {
        #expect(
          CareTests.store(verb + ["--force"], in: folder).errors
            == "error: copy.store: another process has the store open: end it, or choose a different path\n")
        #expect(FileStamp(path) == before)
      }
    }
    for verb in verbs {
      #expect(CareTests.store(verb + ["--force"], in: folder).status == 0)
      try expectComplete("copy.store")
    }
  }

  // MARK: interruptions

  @Test func aVerbContinuesWhereAKilledOneEnded() throws {
    // The values were moved, the database was not, and the temporary folder is not locked.
    let file = try #require(store.externalFiles.first)
    try FileManager.default.createDirectory(
      atPath: store.folder.path("copy.store-external"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
      atPath: store.folder.path(".trellis-partial-1"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: "\(store.path)-external/\(file)", toPath: store.folder.path("copy.store-external/\(file)"))
    let result = copy("SampleTrips.store", "copy.store")
    #expect(result.status == 0, "\(result.errors)")
    try expectComplete("copy.store")
  }

  @Test func aReplacedStoreLosesItsOwnFilesOnly() throws {
    #expect(copy("SampleTrips.store", "copy.store").status == 0)
    let old = externalFiles("copy.store")
    let kept = try #require(old.first)
    try store.run("UPDATE Trip SET photo = NULL WHERE photo <> '\(kept)'", "DELETE FROM trellis_discarded_files")
    for name in store.externalFiles where name != kept {
      try FileManager.default.removeItem(atPath: "\(store.path)-external/\(name)")
    }
    // A killed process has left commits in the old store's log.
    try SQLiteShell(URL(filePath: store.folder.path("copy.store"))).runAndKill("CREATE TABLE later (x)")
    #expect(FileStamp.size(store.folder.path("copy.store-wal")) > 0)
    let result = copy("SampleTrips.store", "copy.store", "--force")
    #expect(result.status == 0, "\(result.errors)")
    #expect(old.count > 1)
    #expect(externalFiles("copy.store") == [kept])
    try expectComplete("copy.store")
  }

  /// Something appears at the target while the copy is made.
  @Test(arguments: [false, true]) func aFileThatAppearsMeanwhileIsKept(_ isStore: Bool) throws {
    let (path, folder) = (store.folder.path("copy.store"), folder)
    let hasWritten = Mutex(false)
    let outcome = CareTests.store(["copy", "SampleTrips.store", "copy.store"], in: folder) { text in
      guard text.hasPrefix("copying") else { return }
      let isFirst = hasWritten.withLock { hasWritten in
        defer { hasWritten = true }
        return !hasWritten
      }
      guard isFirst else { return }
      if isStore {
        #expect(CareTests.store("copy", "SampleTrips.store", "copy.store", in: folder).status == 0)
      } else {
        #expect(FileManager.default.createFile(atPath: path, contents: Data("precious".utf8)))
      }
    }
    #expect(hasWritten.withLock { $0 })
    #expect(outcome.status == 2)
    if isStore {
      #expect(outcome.errors.hasSuffix("error: copy.store already exists: '--force' replaces a store\n"))
      #expect(externalFiles("copy.store") == store.externalFiles)
      try expectComplete("copy.store")
    } else {
      #expect(try Data(contentsOf: URL(filePath: path)) == Data("precious".utf8))
      #expect(externalFiles("copy.store") == [])
    }
  }
}
