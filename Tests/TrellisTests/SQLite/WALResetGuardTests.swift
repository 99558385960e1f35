import CSQLite
import Foundation
import Synchronization
import Testing

@testable import Trellis

/// A checkpoint during which the WAL is reset must copy nothing and lose no data.
@Suite struct WALResetGuardTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture(Journey.self) }

  private func connection() throws -> Connection {
    let connection = try Connection(fixture.url.path, .creating)
    _ = try connection.rows("PRAGMA journal_mode = WAL")
    try connection.execute("PRAGMA synchronous = NORMAL")
    sqlite3_wal_autocheckpoint(connection.handle, 0)
    return connection
  }

  /// The number of pages that a full checkpoint copies.
  @discardableResult private func checkpoint(
    _ handle: OpaquePointer, _ mode: Int32 = SQLITE_CHECKPOINT_PASSIVE
  ) throws -> Int32 {
    var copied: Int32 = 0
    let result = sqlite3_wal_checkpoint_v2(handle, "main", mode, nil, &copied)
    guard result == SQLITE_OK else { throw SQLiteError(handle, result: result) }
    return copied
  }

  /// Without the guard, both cases lose rows in SQLite before 3.51.3: "database disk image is malformed". If another
  /// program resets the WAL, this checkpoint stops; if another one makes a checkpoint, this connection does not reset
  /// the WAL.
  @Test(arguments: [true, false])
  func aLogThatIsBegunAnewDuringACheckpointLosesNothing(isOurs: Bool) throws {
    var count = 0
    do {
      let (ours, stock) = (try connection(), try StockConnection(fixture.url.path))
      let (writer, late) = isOurs ? (stock.handle, ours.handle) : (ours.handle, stock.handle)
      try StockConnection.run("CREATE TABLE t(id INTEGER PRIMARY KEY, text TEXT)", writer)
      try StockConnection.run("SELECT count(*) FROM t", late)
      func insert(_ rows: Int) throws {
        for _ in 0..<rows {
          count += 1
          try StockConnection.run("INSERT INTO t VALUES (\(count), hex(randomblob(1400)))", writer)
        }
      }
      try insert(50)
      try checkpoint(writer)
      let moment = try CheckpointMoment(of: late) { try insert(1) }
      try checkpoint(late)
      #expect(moment.hasCome)
      try insert(100)
      try checkpoint(writer)
      try insert(1)
    }
    #expect(try fixture.complaints() == "")
    #expect(try fixture.shell("SELECT count(*) FROM t") == "\(count)")
  }

  @Test(arguments: [true, false])
  func theGuardIsUsedOnlyWhereTheOptionAndSQLiteAskForIt(guardsReset: Bool) throws {
    let store = try fixture.open { $0.writeAheadLog.guardsReset = guardsReset }
    let fileSystem = try store.pool.exclusively { connection in
      var system: UnsafeMutablePointer<sqlite3_vfs>?
      sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_VFS_POINTER, &system)
      return try String(cString: #require(system?.pointee.zName))
    }
    #expect(fileSystem.hasPrefix("trellis-") == (guardsReset && sqlite3_libversion_number() < 3_051_003))
  }

  @Test(arguments: [
    SQLITE_CHECKPOINT_PASSIVE, SQLITE_CHECKPOINT_FULL, SQLITE_CHECKPOINT_RESTART, SQLITE_CHECKPOINT_TRUNCATE,
  ])
  func everyOtherCheckpointIsMade(mode: Int32) throws {
    let writer = try connection()
    let other = try connection()
    try writer.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, text TEXT)")
    for number in 1...20 {
      for connection in [writer, other] {
        try connection.execute("INSERT INTO t(text) VALUES (hex(randomblob(1400)))")
        let copied = try checkpoint((number % 3 == 0 ? other : writer).handle, mode)
        // A truncated WAL has no pages.
        #expect(copied > 0 || mode == SQLITE_CHECKPOINT_TRUNCATE)
        let log = try #require(WALIndexHeader(connection.handle))
        #expect(log.copied == log.length)
      }
    }
    #expect(try fixture.shell("SELECT count(*) FROM t") == "40")
  }

  /// The checkpoint recovers the WAL index that a killed process left.
  @Test func aCheckpointThatHasToReadTheLogFirstIsMade() throws {
    let copy = fixture.folder.appendingPathComponent("copy.store").path
    do {
      let writer = try connection()
      try writer.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, text TEXT)")
      for _ in 0..<20 { try writer.execute("INSERT INTO t(text) VALUES (hex(randomblob(1400)))") }
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: fixture.url.path + suffix, toPath: copy + suffix)
      }
    }
    let connection = try Connection(copy, .existing)
    #expect(try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)").first?.first == .integer(0))
    #expect(FileStamp.size(copy + "-wal") == 0)
    #expect(try connection.rows("SELECT count(*) FROM t") == [[.integer(20)]])
  }
}

/// A connection of another program with SQLite's default VFS.
private final class StockConnection {
  let handle: OpaquePointer

  init(_ path: String) throws {
    var opened: OpaquePointer?
    sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE, nil)
    handle = try #require(opened)
    sqlite3_wal_autocheckpoint(handle, 0)
    try Self.run("PRAGMA synchronous = NORMAL", handle)
  }

  static func run(_ sql: String, _ handle: OpaquePointer) throws {
    let result = sqlite3_exec(handle, sql, nil, nil, nil)
    guard result == SQLITE_OK else { throw SQLiteError(handle, result: result) }
  }

  deinit { sqlite3_close_v2(handle) }
}

/// Runs a closure once after a checkpoint has read the length of the WAL and before it copies pages.
///
/// SQLite unmaps memory of the file at that time, which calls this object.
private final class CheckpointMoment {
  private let file: UnsafeMutablePointer<sqlite3_file>
  private let methods: UnsafeMutablePointer<sqlite3_io_methods>
  private let base: UnsafePointer<sqlite3_io_methods>

  private static let actions = Mutex<[UInt: Action]>([:])

  private struct Action: @unchecked Sendable {  // runs on the thread that set it
    var base: UnsafePointer<sqlite3_io_methods>
    var body: (() throws -> Void)?
  }

  init(of handle: OpaquePointer, _ body: @escaping () throws -> Void) throws {
    var opened: UnsafeMutablePointer<sqlite3_file>?
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &opened)
    file = try #require(opened)
    base = try #require(file.pointee.pMethods)
    methods = .allocate(capacity: 1)
    methods.initialize(to: base.pointee)
    methods.pointee.xUnfetch = { file, place, bytes in
      guard let file, let action = CheckpointMoment.take(file) else { return SQLITE_OK }
      do {
        try action.body?()
      } catch {
        Issue.record(error)
      }
      return action.base.pointee.xUnfetch(file, place, bytes)
    }
    let action = Action(base: base, body: body)
    Self.actions.withLock { $0[UInt(bitPattern: file)] = action }
    file.pointee.pMethods = UnsafePointer(methods)
  }

  private static func take(_ file: UnsafeMutablePointer<sqlite3_file>) -> Action? {
    actions.withLock { actions in
      let key = UInt(bitPattern: file)
      defer { actions[key]?.body = nil }
      return actions[key]
    }
  }

  var hasCome: Bool {
    Self.actions.withLock { $0[UInt(bitPattern: file)].map { $0.body == nil } ?? false }
  }

  deinit {
    file.pointee.pMethods = base
    methods.deallocate()
    let key = UInt(bitPattern: file)
    Self.actions.withLock { $0[key] = nil }
  }
}
