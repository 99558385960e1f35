import CSQLite
import Foundation
import Testing
import Trellis

/// SQLite files that are deleted or replaced while a program has them open.
@Suite struct ReplacedFileTests {
  private let scratch: Scratch
  private var url: URL { scratch.file("keeps.store") }

  init() throws { scratch = try Scratch() }

  private func open() throws -> ModelContext {
    ModelContext(
      try ModelContainer(for: Keep.self, KeepScrew.self, configurations: ModelConfiguration(url: url)))
  }

  private func add(_ code: String, to context: ModelContext) throws {
    context.insert(Keep(code: code))
    try context.save()
  }

  private func codes(_ context: ModelContext) throws -> [String] {
    try KeepWorld.keeps(context).map(\.code)
  }

  private func removeFiles() throws {
    for name in scratch.names where name.hasPrefix("keeps.store") {
      try FileManager.default.removeItem(at: scratch.file(name))
    }
  }

  private func problem(_ body: () throws -> Void) -> StoreProblem? {
    (#expect(throws: SwiftDataError.self) { try body() })?.storeProblem
  }

  /// Waits for the next check of the file, which saves make once per second.
  private func waitForTheNextLook() { usleep(1_100_000) }

  @Test func aDeletedFileRefusesSavesAndANewContainerWorks() throws {
    let context = try open()
    try add("a", to: context)
    try removeFiles()
    waitForTheNextLook()
    context.insert(Keep(code: "b"))
    for _ in 0..<3 {
      #expect(problem { try context.save() } == .replaced)
      #expect(context.insertedModelsArray.count == 1)
    }
    let new = try open()
    #expect(try codes(new) == [])
    try add("c", to: new)
    #expect(problem { try context.save() } == .replaced)
    #expect(try codes(try open()) == ["c"])
  }

  @Test func replacedFilesAreNotWritten() throws {
    let context = try open()
    try add("a", to: context)
    let keep = try #require(try KeepWorld.keeps(context).first)
    // Another store replaces the file immediately, like a restored backup.
    let other = scratch.file("other.store")
    do {
      let context = ModelContext(
        try ModelContainer(for: Keep.self, KeepScrew.self, configurations: ModelConfiguration(url: other)))
      try add("other", to: context)
    }
    try removeFiles()
    #expect(rename(other.path, url.path) == 0)
    waitForTheNextLook()
    keep.code = "changed"
    #expect(problem { try context.save() } == .replaced)
    #expect(problem { try context.transaction { keep.count = 7 } } == .replaced)
    #expect(keep.code == "changed" && context.changedModelsArray.count == 1)
    // Other write operations throw as well.
    #expect(problem { try context.container.erase() } == .replaced)
    #expect(problem { _ = try context.insert(contentsOf: [Keep.Snapshot(code: "batch")]) } == .replaced)
    #expect(try codes(try open()) == ["other"])
  }

  /// A new connection would mix the rows of the new file with those of the old one.
  @Test func replacedFilesAreNotReadAsTheFormerFile() throws {
    let context = try open()
    try add("a", to: context)
    try removeFiles()
    try add("b", to: try open())
    let container = context.container
    var answers = Set<String>()
    for _ in 0..<5 {
      do {
        answers.formUnion(try codes(ModelContext(container)))
      } catch let error as SwiftDataError {
        #expect(error.storeProblem == .replaced)
      }
    }
    #expect(!answers.contains("b"))
  }

  @Test func restoredFilesAreUsableAgain() throws {
    let context = try open()
    try add("a", to: context)
    let away = scratch.file("away.store")
    #expect(rename(url.path, away.path) == 0)
    waitForTheNextLook()
    context.insert(Keep(code: "b"))
    #expect(problem { try context.save() } == .replaced)
    #expect(rename(away.path, url.path) == 0)
    try context.save()
    #expect(try codes(context) == ["a", "b"])
  }

  /// VACUUM and a hard link keep the identity of the file.
  @Test func vacuumKeepsTheFilesIdentity() throws {
    let context = try open()
    for number in 0..<50 { try add("\(number)", to: context) }
    try FileManager.default.linkItem(at: url, to: scratch.file("link"))
    var database: OpaquePointer?
    #expect(sqlite3_open(url.path, &database) == SQLITE_OK)
    #expect(sqlite3_exec(database, "VACUUM", nil, nil, nil) == SQLITE_OK)
    sqlite3_close(database)
    waitForTheNextLook()
    try add("after", to: context)
    #expect(try codes(try open()).count == 51)
  }
}
