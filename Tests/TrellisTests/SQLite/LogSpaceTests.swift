import CSQLite
import Foundation
import Testing

@testable import Trellis

/// Logs have room at their end, which is no part of them.
@Suite struct LogSpaceTests {
  private let fixture: StoreFixture
  private var log: String { fixture.url.path + "-wal" }

  init() throws { fixture = try StoreFixture(Journey.self) }

  @Test func aLogGrowsByManyPages_andWhatFollowsIsNoPage() throws {
    let store = try fixture.open()
    // The log is as long as the making of the store has left it.
    #expect(try fixture.shell("PRAGMA wal_checkpoint(TRUNCATE)").hasPrefix("0|"))
    var sizes: Set<UInt64> = []
    for number in 0..<40 {
      try store.save(insert: [Journey.Snapshot().with { $0.name = "\(number)" }.snapshot()])
      sizes.insert(FileManager.default.size(ofItem: log))
    }
    #expect(sizes.allSatisfy { $0 % 65_536 == 0 } && sizes.count < 20)
    let pages = try store.pool.exclusively { try #require(LogIndex($0.handle)).length }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: log))
    #expect(bytes.count > Self.end(pages) && bytes[Self.end(pages)...].allSatisfy { $0 == 0 })
    #expect(bytes[..<Self.end(pages)].suffix(4_096).contains { $0 != 0 })
    try expectCopy(holds: 40)
  }

  /// What comes after it begins the log anew, where the file ends.
  @Test func aLogThatAnotherProgramCutsOffGrowsAgain() throws {
    let store = try fixture.open()
    for number in 0..<60 {
      try store.save(insert: [Journey.Snapshot().with { $0.name = "\(number)" }.snapshot()])
      if number % 20 == 9 {
        #expect(try fixture.shell("PRAGMA wal_checkpoint(TRUNCATE)").hasPrefix("0|"))
        #expect(FileManager.default.size(ofItem: log) == 0)
      } else if number % 20 == 10 {
        #expect(FileManager.default.size(ofItem: log) == 65_536)
      }
      if number % 10 == 0 { try expectCopy(holds: number + 1) }
    }
    #expect(try fixture.complaints() == "")
  }

  /// The next write is the one to fail, if there is no room for it either.
  @Test func aDiskWithoutRoomIsLeftToTheWriteItself() {
    var file = sqlite3_file()
    var methods = sqlite3_io_methods()
    methods.xFileSize = { _, size in
      size?.pointee = 5_000
      return SQLITE_OK
    }
    methods.xWrite = { _, _, _, _ in SQLITE_FULL }
    #expect(LogSpace.prepare(&file, &methods, upTo: 9_000) == 5_000)
    methods.xWrite = { _, _, count, place in
      Int64(count) + place == 65_536 ? SQLITE_OK : SQLITE_IOERR
    }
    #expect(LogSpace.prepare(&file, &methods, upTo: 9_000) == 65_536)
    #expect(LogSpace.prepare(&file, &methods, upTo: 65_537) == 5_000)
    // There is room already.
    methods.xWrite = nil
    #expect(LogSpace.prepare(&file, &methods, upTo: 5_000) == 5_000)
    methods.xFileSize = { _, _ in SQLITE_IOERR }
    #expect(LogSpace.prepare(&file, &methods, upTo: 9_000) == 0)
  }

  private static func end(_ pages: UInt32) -> Int { 32 + Int(pages) * (4_096 + 24) }

  /// What a machine that stops now would keep, as SQLite's own shell reads it.
  private func expectCopy(holds count: Int) throws {
    let copy = fixture.url.path + ".copy"
    // By another process: one that closes a file gives up its locks on it.
    for ending in ["", "-wal"] {
      let process = try Process.run(
        URL(fileURLWithPath: "/usr/bin/env"), arguments: ["cp", fixture.url.path + ending, copy + ending])
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
    defer { for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy + ending) } }
    let found = try fixture.shell("SELECT count(DISTINCT name) FROM Journey; PRAGMA integrity_check", at: copy)
    #expect(found == "\(count)\nok\n")
  }
}
