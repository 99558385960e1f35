import CSQLite
import Foundation
import Testing

@testable import Trellis

/// Commits that are written in one piece leave what SQLite would have left.
@Suite struct CommitJoinerTests {
  @Test func aConnectionToALogJoinsItsCommits() throws {
    let folder = try Folder()
    let connection = try Self.connection(folder.url.appendingPathComponent("a.db").path)
    try connection.write { try connection.execute("INSERT INTO t VALUES (1, 'a')") }
    #expect(CommitJoiner(connection.handle) != nil)
    let memory = try Connection(":memory:", .creating)
    #expect(CommitJoiner(memory.handle) == nil)
    let journal = try Connection(folder.url.appendingPathComponent("b.db").path, .creating)
    try journal.execute("PRAGMA journal_mode = PERSIST")
    try journal.execute("CREATE TABLE t(a)")
    #expect(CommitJoiner(journal.handle) == nil)
  }

  /// After each commit the files are what a machine that stops there would keep: SQLite itself, without our
  /// file system, has to find every row in a copy of them.
  @Test(arguments: [512, 4_096, 65_536])
  func everyCommitIsWhole(pageSize: Int) throws {
    let seed = ProcessInfo.processInfo.environment["TRELLIS_SEED"].flatMap(UInt64.init) ?? .random(in: 0 ... .max)
    print("TRELLIS_SEED=\(seed)")
    var random = SeededGenerator(state: seed)
    let folder = try Folder()
    let path = folder.url.appendingPathComponent("store.db").path
    let connection = try Self.connection(path, pageSize: pageSize)
    // Small, so that large transactions write to the log before they commit, and a page twice.
    try connection.execute("PRAGMA cache_size = 12")
    sqlite3_wal_autocheckpoint(connection.handle, 40)
    var other: Connection? = try Self.connection(path)
    var expected: [Int64: String] = [:]
    for step in 0..<120 {
      var rows = expected
      let writer = step % 7 == 3 ? other ?? connection : connection
      let fails = random.next() % 6 == 0
      let count = random.next() % 9 == 0 ? 400 : Int(random.next() % 4) + 1
      do {
        try writer.write {
          for _ in 0..<count {
            let key = Int64(random.next() % 300)
            if random.next() % 4 == 0 {
              try writer.execute("DELETE FROM t WHERE id = \(value: .integer(key))")
              rows[key] = nil
            } else if random.next() % 24 == 0 {
              // Taken back they would be lost to SQLite itself: 3.40.1 cannot read a log again in which
              // pages were written that a savepoint took back.
              try writer.execute("SAVEPOINT part")
              for _ in 0..<random.next() % 4 {
                try writer.execute("UPDATE t SET text = text || 'z'")
                rows = rows.mapValues { $0 + "z" }
              }
              try writer.execute("RELEASE part")
            } else {
              let text = String(repeating: "x", count: Int(random.next() % 700)) + "\(step)"
              try writer.execute(
                "INSERT OR REPLACE INTO t VALUES (\(value: .integer(key)), \(value: .text(text)))")
              rows[key] = text
            }
          }
          if fails { throw Failure() }
        }
        expected = rows
      } catch is Failure {}
      if random.next() % 20 == 0 { try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
      if random.next() % 20 == 0 { other = random.next() % 2 == 0 ? nil : try Self.connection(path) }
      try Self.check(path, in: folder.url, holds: expected, "seed \(seed), step \(step)")
    }
  }

  /// SQLite begins a log twice in such a transaction, and writes the headers of its pages once more when it
  /// commits: the last one has to be in the file like all others.
  @Test(arguments: [true, false])
  func aLogThatWasBegunTwiceIsWhole(savepoint: Bool) throws {
    let folder = try Folder()
    let path = folder.url.appendingPathComponent("store.db").path
    let text = { (step: Int) in String(repeating: "y", count: 300) + "\(step)" }
    var expected: [Int64: String] = [:]
    do {
      let first = try Self.connection(path, pageSize: 1_024)
      try first.write {
        for key in 0..<Int64(300) {
          try first.execute("INSERT INTO t VALUES (\(value: .integer(key)), \(value: .text(text(0))))")
          expected[key] = text(0)
        }
      }
    }
    // Closing it has emptied the log.
    let connection = try Self.connection(path)
    try connection.execute("PRAGMA cache_size = 10")
    try connection.write {
      if savepoint {
        try connection.execute("SAVEPOINT a")
        for step in 1...3 { try connection.execute("UPDATE t SET text = \(value: .text(text(step)))") }
        try connection.execute("ROLLBACK TO a")
        try connection.execute("RELEASE a")
      } else {
        #expect(throws: SQLiteError.self) {
          try connection.execute(
            """
            INSERT INTO t SELECT id + (id % 7) * 1000 + 1000000, text || text FROM t UNION ALL SELECT 1, 'x'
            """)
        }
      }
      try connection.execute("UPDATE t SET text = \(value: .text(text(9))) WHERE id < 120")
      for key in 0..<Int64(120) { expected[key] = text(9) }
    }
    try Self.check(path, in: folder.url, holds: expected, "begun twice")
  }

  private static func check(
    _ path: String, in folder: URL, holds expected: [Int64: String], _ place: String
  ) throws {
    let copy = folder.appendingPathComponent("copy.db").path
    for ending in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: copy + ending)
      // The index is made anew from the log.
      guard ending != "-shm", FileManager.default.fileExists(atPath: path + ending) else { continue }
      try FileManager.default.copyItem(atPath: path + ending, toPath: copy + ending)
    }
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    try #require(sqlite3_open(copy, &handle) == SQLITE_OK)
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    try #require(sqlite3_prepare_v2(handle, "SELECT id, text FROM t", -1, &statement, nil) == SQLITE_OK)
    var found: [Int64: String] = [:]
    while sqlite3_step(statement) == SQLITE_ROW {
      found[sqlite3_column_int64(statement, 0)] = String(cString: sqlite3_column_text(statement, 1))
    }
    #expect(found == expected, "\(place)")
  }

  private static func connection(_ path: String, pageSize: Int = 4_096) throws -> Connection {
    let connection = try Connection(path, .creating)
    try connection.execute("PRAGMA page_size = \(number: pageSize)")
    _ = try connection.rows("PRAGMA journal_mode = WAL")
    try connection.execute("PRAGMA synchronous = NORMAL")
    try connection.execute("CREATE TABLE IF NOT EXISTS t(id INTEGER PRIMARY KEY, text TEXT)")
    connection.joinsCommits = true
    return connection
  }

  private struct Failure: Error {}

  /// A folder that goes with the test.
  private final class Folder {
    let url: URL

    init() throws {
      url = FileManager.default.temporaryDirectory.appendingPathComponent("trellis-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
  }
}
