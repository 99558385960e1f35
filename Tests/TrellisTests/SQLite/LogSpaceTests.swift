import CSQLite
import Foundation
import TestSupport
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

  /// A file of 5,000 bytes on a disk that has room for so many.
  private struct File {
    var file = sqlite3_file()
    var length: Int64 = 5_000
    let room: Int64

    static func of(_ file: UnsafeMutablePointer<sqlite3_file>?) -> UnsafeMutablePointer<File>? {
      file.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: File.self) }
    }

    mutating func prepare(at path: String, upTo end: Int64) -> Int64 {
      var methods = sqlite3_io_methods()
      methods.xFileSize = { file, size in
        guard let length = File.of(file)?.pointee.length else { return SQLITE_IOERR }
        size?.pointee = length
        return SQLITE_OK
      }
      methods.xWrite = { file, _, count, place in
        guard let own = File.of(file), place <= own.pointee.length else { return SQLITE_IOERR }
        let end = place + Int64(count)
        own.pointee.length = max(own.pointee.length, min(end, own.pointee.room))
        return end <= own.pointee.room ? SQLITE_OK : SQLITE_FULL
      }
      methods.xTruncate = { file, size in
        File.of(file)?.pointee.length = size
        return SQLITE_OK
      }
      return withUnsafeMutablePointer(to: &self) {
        LogSpace.prepare(
          UnsafeMutableRawPointer($0).assumingMemoryBound(to: sqlite3_file.self), &methods, at: path, upTo: end)
      }
    }
  }

  /// The next write is the one to fail, if there is no room for it either; what was written of the room goes.
  @Test(arguments: [
    (9_000, 65_536, 65_536), (9_000, 65_535, 5_000), (9_000, 5_000, 5_000), (5_000, 65_536, 5_000),
    (65_537, 131_072, 5_000), (90_000, 131_072, 5_000),
  ] as [(end: Int64, room: Int64, length: Int64)])
  func aDiskWithoutRoomIsLeftToTheWriteItself(end: Int64, room: Int64, length: Int64) {
    var file = File(room: room)
    #expect(file.prepare(at: fixture.folder.path, upTo: end) == length)
    #expect(file.length == length)
  }

  /// It would be missing where the log is copied into the store.
  @Test(arguments: ["/proc", "/nowhere/at/all"])
  func whereTheDiskIsNearlyFull_nothingIsTakenAhead(path: String) {
    var file = File(room: 1_000_000)
    #expect(file.prepare(at: path, upTo: 9_000) == 5_000)
    #expect(file.length == 5_000)
  }

  private static func end(_ pages: UInt32) -> Int { 32 + Int(pages) * (4_096 + 24) }

  /// What a machine that stops now would keep, as another program reads it.
  private func expectCopy(holds count: Int) throws {
    let copy = fixture.url.path + ".copy"
    // By another process: one that closes a file gives up its locks on it.
    for ending in ["", "-wal"] {
      let process = Program.command("cp", [fixture.url.path + ending, copy + ending])
      try Program.output(of: process)
      #expect(process.terminationStatus == 0)
    }
    defer { for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy + ending) } }
    let found = try fixture.shell("SELECT count(DISTINCT name) FROM Journey; PRAGMA integrity_check", at: copy)
    #expect(found == "\(count)\nok")
  }
}
