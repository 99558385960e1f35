import CSQLite
import ClassicV1
import ClassicV2
import Foundation
import Synchronization
import Testing
import Trellis

/// Full disks and read-only folders during a migration: the error names the cause and the store stays unchanged.
@Suite(.serialized) struct FaultTests {
  /// The maximum number of pages of databases on this thread whose file name has the suffix; nil if no commit succeeds.
  private static let quota = Mutex<(thread: UInt, suffix: String, pages: Int?)?>(nil)

  /// Runs the body with a limited database size, or without a successful commit.
  private func whileFull<T>(_ suffix: String, pages: Int?, _ body: () throws -> T) rethrows -> T {
    Self.quota.withLock { $0 = (UInt(pthread_self()), suffix, pages) }
    typealias Entry =
      @convention(c) (
        OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, OpaquePointer?
      ) -> Int32
    let entry: Entry = { connection, _, _ in
      guard let quota = FaultTests.quota.withLock({ $0 }), quota.thread == UInt(pthread_self()),
        let name = sqlite3_db_filename(connection, nil), String(cString: name).hasSuffix(quota.suffix)
      else { return 0 }
      guard let pages = quota.pages else {
        sqlite3_commit_hook(connection, { _ in 1 }, nil)
        return 0
      }
      return sqlite3_exec(connection, "PRAGMA max_page_count = \(pages)", nil, nil, nil)
    }
    let pointer = unsafeBitCast(entry, to: (@convention(c) () -> Void).self)
    sqlite3_auto_extension(pointer)
    defer {
      sqlite3_cancel_auto_extension(pointer)
      Self.quota.withLock { $0 = nil }
    }
    return try body()
  }

  private let fixture: MigrationFixture
  private let before: [String: Data]

  init() throws {
    fixture = try MigrationFixture()
    try Classic.fill(fixture.open(Classic.V1.self))
    before = Self.files(of: fixture)
  }

  private static func files(of fixture: MigrationFixture) -> [String: Data] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: fixture.folder.path)) ?? []
    return Dictionary(
      uniqueKeysWithValues: names.compactMap { name in
        let path = fixture.folder.appendingPathComponent(name).path
        return FileManager.default.contents(atPath: path).map { (name, $0) }
      })
  }

  private func migrate() throws -> ModelContext { try fixture.open(Classic.V2.self, Classic.Plan.self) }

  /// Checks that the store is unchanged and can be migrated with enough space.
  private func expectTheOldStore() throws {
    #expect(Self.files(of: fixture) == before)
    #expect(try fixture.complaints() == "")
    #expect(try fixture.shell("SELECT value FROM trellis_metadata WHERE key = 'version'") == "1.0.0")
    #expect(try fixture.open(Classic.V1.self).all(ClassicV1.Tag.self).count == 3)
    #expect(try migrate().all(ClassicV2.Tag.self).count == 2)
    #expect(try fixture.complaints() == "")
  }

  @Test func aFullDiskKeepsTheOldStore() throws {
    let pages = Int(try fixture.shell("PRAGMA page_count")) ?? 0
    #expect(pages > 10)
    let error = #expect(throws: SwiftDataError.self) {
      try whileFull("test.store", pages: pages + 2) { try migrate() }
    }
    #expect(error?.storeProblem == .diskFull)
    #expect(error?.explanation?.contains("the disk is full") == true, "\(error?.explanation ?? "")")
    try expectTheOldStore()
  }

  @Test func insufficientSpaceForTheCopyKeepsTheOldStore() throws {
    let error = #expect(throws: SwiftDataError.self) {
      try whileFull(".partial", pages: 2) { try migrate() }
    }
    #expect(error?.storeProblem == .diskFull)
    #expect(error?.explanation?.contains("free some space, or set 'migration.keepsBackup'") == true)
    #expect(fixture.backups.isEmpty)
    try expectTheOldStore()
  }

  /// Either the disk is too full for the copy, or the copy already exists when the commit fails.
  @Test(arguments: [(".partial", 2, .diskFull), ("test.store", nil, .other)] as [(String, Int?, StoreProblem)])
  func aStoreThatCannotBeRenamedRemainsWithoutACopy(suffix: String, pages: Int?, problem: StoreProblem) throws {
    fixture.options.whileUnreleased = .moveAside
    let error = #expect(throws: SwiftDataError.self) {
      try whileFull(suffix, pages: pages) { try fixture.open(Classic.V2.self) }
    }
    #expect(error?.storeProblem == problem, "\(error?.explanation ?? "")")
    #expect(error?.explanation?.contains("keepsBackup") == false)
    try expectTheOldStore()
  }

  @Test func anUnwritableCopyKeepsTheOldStore() throws {
    // The superuser can write everywhere, but a name of this length is invalid for all users.
    let long = fixture.folder.appendingPathComponent(String(repeating: "s", count: 236))
    try FileManager.default.copyItem(at: fixture.url, to: long)
    let external = fixture.url.path + "-external"
    try FileManager.default.copyItem(atPath: external, toPath: long.path + "-external")
    let bytes = try Data(contentsOf: long)
    let schema = Schema(versionedSchema: Classic.V2.self)
    let error = #expect(throws: SwiftDataError.self) {
      try ModelContainer(
        for: schema, migrationPlan: Classic.Plan.self,
        configurations: ModelConfiguration(schema: schema, url: long))
    }
    #expect(error?.storeProblem == .migrationFailed)
    #expect(error?.explanation?.contains("cannot be copied to") == true, "\(error?.explanation ?? "")")
    #expect(try Data(contentsOf: long) == bytes)
    var configuration = ModelConfiguration(schema: schema, url: long)
    configuration.migration.keepsBackup = false
    let context = ModelContext(
      try ModelContainer(for: schema, migrationPlan: Classic.Plan.self, configurations: configuration))
    #expect(try context.all(ClassicV2.Tag.self).count == 2)
  }

  @Test func aReadOnlyFolderKeepsTheOldStore() throws {
    let path = fixture.folder.path
    #expect(chmod(path, 0o555) == 0)
    defer { chmod(path, 0o755) }
    // The superuser can write everywhere, so the test uses another user who may write to the file.
    #expect(chmod(fixture.url.path, 0o666) == 0)
    act(as: 65_534)
    let error = #expect(throws: SwiftDataError.self) { try migrate() }
    act(as: 0)
    #expect(error?.storeProblem == .notWritable)
    #expect(chmod(path, 0o755) == 0)
    try expectTheOldStore()
  }

  /// Changes the file system user of this thread.
  private func act(as user: UInt32) {
    typealias Set = @convention(c) (UInt32) -> Int32
    guard getuid() == 0, let found = dlsym(nil, "setfsuid") else { return }
    _ = unsafeBitCast(found, to: Set.self)(user)
  }
}
