import CSQLite
import Foundation
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// Power loss while the first pages of a store are written: SQLite rolls back, and the store is created.
@Suite struct InterruptedCreationTests {
  private let torn: StoreFixture

  /// A store during its first commit: the file has pages but no header on disk, and the journal records an empty file.
  init() throws {
    torn = try StoreFixture(Journey.self)
    let whole = try StoreFixture(Journey.self)
    let connection = try Connection(whole.url.path, .creating)
    try connection.execute("PRAGMA cache_size = 1")
    try connection.execute("BEGIN IMMEDIATE")
    try connection.execute("PRAGMA application_id = \(number: Int(StoreFile.applicationID))")
    for statement in StoreMetadata.table.statements { try connection.execute(statement) }
    for number in 0..<200 {
      try StoreMetadata.write(.text(String(repeating: "x", count: 1_000)), for: "\(number)", connection)
    }
    for suffix in ["", "-journal"] {
      try FileManager.default.copyItem(atPath: whole.url.path + suffix, toPath: torn.url.path + suffix)
    }
    try connection.execute("ROLLBACK")
  }

  private func cut(to length: Int? = nil) throws {
    let handle = try FileHandle(forUpdating: torn.url)
    if let length { try handle.truncate(atOffset: UInt64(length)) }
    try handle.seek(toOffset: 0)
    try handle.write(contentsOf: Data(count: min(length ?? 4_096, 4_096)))
    try handle.close()
    #expect(FileStamp.size(torn.url.path + "-journal") > 512)
  }

  @Test(arguments: [nil, 4_096, 50, 2]) func headerWasNotWrittenToDisk(length: Int?) throws {
    try cut(to: length)
    let error = #expect(throws: SwiftDataError.self) { try torn.open(allowsSave: false) }
    #expect(error?.storeProblem == .notWritable)
    #expect(error?.explanation?.contains("open it once with 'allowsSave: true'") == true)
    try torn.open().save(insert: [Journey.Snapshot().snapshot()])
    #expect(try torn.open().values(Journey.Snapshot.self).count == 1)
    #expect(FileStamp.size(torn.url.path + "-journal") == 0)
  }

  /// A file that is not a database stays unchanged, including the files beside it.
  @Test func invalidJournalsAreNotRolledBack() throws {
    try Data("not a database at all".utf8).write(to: torn.url)
    try Data("nor a journal".utf8).write(to: URL(fileURLWithPath: torn.url.path + "-journal"))
    let before = try torn.contents()
    for allowsSave in [false, true] {
      let error = #expect(throws: SwiftDataError.self) { try torn.open(allowsSave: allowsSave) }
      #expect(error?.storeProblem == .notADatabase)
      #expect(try torn.contents() == before)
    }
  }

  // MARK: Full disks

  /// Extending the WAL index can fail for many reasons.
  @Test(arguments: [(ENOSPC, StoreProblem.diskFull), (EDQUOT, .diskFull), (EIO, .other), (0, .other)])
  func indexErrorsIncludeTheCause(code: Int32, problem: StoreProblem) throws {
    let index = SQLITE_IOERR | (19 << 8)  // SQLITE_IOERR_SHMSIZE
    let error = SQLiteError(extendedCode: index, message: "disk I/O error", systemCode: code)
    let file = StoreFile(path: "/x.store", allowsSave: true)
    #expect((file.failure(error) as? SwiftDataError)?.storeProblem == problem)
  }

  /// The WAL index needs 32 KiB, and files are limited to less.
  @Test func insufficientSpaceForTheIndexIsAFullDisk() async {
    await #expect(processExitsWith: .success) {
      let fixture = try StoreFixture(Journey.self)
      try fixture.open().save(insert: [Journey.Snapshot().snapshot()])
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 20_000, rlim_max: rlim_t.max)
      precondition(setrlimit(__rlimit_resource_t(1), &limit) == 0)
      do {
        _ = try fixture.open()
        preconditionFailure("the store was opened")
      } catch let error as SwiftDataError {
        precondition(error.storeProblem == .diskFull, "\(error)")
      }
    }
  }
}
