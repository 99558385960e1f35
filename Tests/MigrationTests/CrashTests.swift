import CSQLite
import ClassicV1
import ClassicV2
import ClassicV3
import Foundation
import Synchronization
import Testing
import Trellis

/// A program that dies in the middle of a migration.
///
/// Before each statement of a migration the files are copied as they are on disk then: that is what a
/// killed process leaves behind.
@Suite(.serialized) struct CrashTests {
  /// Called before every statement of every connection that is opened while it is set, on the thread
  /// that has set it: other tests run beside this one.
  private static let watcher = Mutex<(thread: UInt, body: @Sendable () -> Void)?>(nil)

  private static func watch(_ body: (@Sendable () -> Void)?) {
    watcher.withLock { watcher in watcher = body.map { (UInt(pthread_self()), $0) } }
    typealias Entry =
      @convention(c) (
        OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
        OpaquePointer?
      ) -> Int32
    let entry: Entry = { connection, _, _ in
      sqlite3_trace_v2(
        connection, UInt32(SQLITE_TRACE_STMT),
        { _, _, _, _ in
          if let watcher = CrashTests.watcher.withLock({ $0 }), watcher.thread == UInt(pthread_self()) {
            watcher.body()
          }
          return 0
        }, nil)
      return 0
    }
    let pointer = unsafeBitCast(entry, to: (@convention(c) () -> Void).self)
    if body == nil {
      sqlite3_cancel_auto_extension(pointer)
    } else {
      sqlite3_auto_extension(pointer)
    }
  }

  /// The store as it was before each statement, each in a folder of its own.
  private final class Images: Sendable {
    let folder: URL
    let store: URL
    private let state = Mutex((statements: 0, images: 0, last: [String: Data]()))

    init(of store: URL, in folder: URL) {
      self.store = store
      self.folder = folder
    }

    var number: Int { state.withLock(\.images) }
    var statements: Int { state.withLock(\.statements) }

    func url(_ number: Int) -> URL { folder.appendingPathComponent("image-\(number)") }

    /// Copies the files, unless they are what they were before the last statement.
    func take() {
      // Without the index of the log, which the next process makes anew.
      var files: [String: Data] = [:]
      for suffix in ["", "-wal", "-journal"] {
        files[suffix] = FileManager.default.contents(atPath: store.path + suffix)
      }
      let target: URL? = state.withLock { [files] state in
        state.statements += 1
        guard state.last != files else { return nil }
        state.last = files
        state.images += 1
        return url(state.images - 1)
      }
      guard let target else { return }
      try? FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
      for (suffix, bytes) in files {
        try? bytes.write(to: URL(fileURLWithPath: target.path + "/test.store" + suffix))
      }
      try? FileManager.default.copyItem(
        atPath: store.path + "-external", toPath: target.path + "/test.store-external")
    }
  }

  @Test func aKilledMigrationLeavesTheOldStoreOrTheNewOne() throws {
    let fixture = try MigrationFixture()
    fixture.options.keepsBackup = false
    do { try Classic.fill(fixture.open(Classic.V1.self)) }
    let images = Images(of: fixture.url, in: fixture.folder)
    Self.watch { images.take() }
    do {
      defer { Self.watch(nil) }
      _ = try fixture.open(Classic.V2.self, Classic.Plan.self)
    }
    #expect(images.statements > 150 && images.number > 2)
    var old = 0
    var new = 0
    for number in 0..<images.number {
      let copy = try MigrationFixture()
      for name in try FileManager.default.contentsOfDirectory(atPath: images.url(number).path) {
        try FileManager.default.moveItem(
          at: images.url(number).appendingPathComponent(name),
          to: copy.folder.appendingPathComponent(name))
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
}
