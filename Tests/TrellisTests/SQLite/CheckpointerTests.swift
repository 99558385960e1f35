import Foundation
import Synchronization
import TestSupport
import TestTraits
import Testing

@testable import Trellis

/// Concurrent checkpoints must not delay saves, and the write-ahead log must not grow without limit.
@Suite(.waiting) struct CheckpointerTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture(Journey.self) }

  private var logSize: Int64 { FileStamp.size(fixture.url.path + "-wal") }

  private static let pageSize: Int64 = 4_096 + 24

  @Test func theLogBeginsAnewWhileSomebodySaves() throws {
    let count = Repetitions.isThorough ? 3_000 : 1_000
    var sizes: [Int64] = []
    do {
      let store = try fixture.open()
      let text = String(repeating: "x", count: 30_000)
      for number in 0..<count {
        try store.save(insert: [Journey.Snapshot().with { $0.name = "\(number) \(text)" }.snapshot()])
        sizes.append(logSize)
      }
      // Nine pages per save, which is more than the limit below.
      #expect(count * 9 > 8_000)
      // Without readers, the commit that finds 6,000 pages makes a checkpoint if the other thread does not.
      #expect(sizes.allSatisfy { $0 < 7_100 * Self.pageSize })
    }
    // The last connection to close removes the write-ahead log.
    #expect(logSize == 0)
    #expect(try fixture.complaints() == "")
    #expect(try fixture.shell("SELECT count(*), count(DISTINCT name) FROM Journey") == "\(count)|\(count)")
  }

  /// A reader whose transactions are longer than a save initially waits.
  private final class Reader: @unchecked Sendable {  // a lock protects the state of both threads
    private let isEnded = Mutex(false)
    private let done = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - delay: The seconds before the first transaction.
    ///   - length: The seconds of each transaction.
    init(_ path: String, after delay: Double, length: Double) {
      Thread.detachNewThread { [self] in
        Thread.sleep(forTimeInterval: delay)
        if let connection = try? Connection(path, .existing) {
          while !isEnded.withLock({ $0 }) {
            try? connection.read {
              _ = try connection.rows("SELECT count(*) FROM Journey")
              Thread.sleep(forTimeInterval: length)
            }
          }
        }
        done.signal()
      }
    }

    func end() {
      isEnded.withLock { $0 = true }
      done.wait()
    }
  }

  /// At any time, at least one reader is active. The test needs a machine that does nothing else.
  @Test(.enabled(if: Repetitions.isThorough)) func theLogDoesNotGrowBesideReadersThatOverlap() throws {
    let store = try fixture.open()
    try store.save(insert: [Journey.Snapshot().snapshot()])
    // Longer than the first wait of a commit, which is 50 ms.
    let length = 0.15
    let readers = (0..<3).map { Reader(fixture.url.path, after: length / 3 * Double($0), length: length) }
    defer { readers.forEach { $0.end() } }
    let large = Journey.Snapshot().with { $0.name = String(repeating: "x", count: 200_000) }.snapshot()
    var longest: Int64 = 0
    // 200 MB: more than the limit below.
    for _ in 0..<1_000 {
      try store.save(insert: [large])
      longest = max(longest, logSize)
    }
    #expect(longest < 20_000 * Self.pageSize)
    #expect(try fixture.complaints() == "")
  }

  /// After a commit of 1,200 pages, another thread makes a checkpoint.
  @Test func closingWaitsForTheOtherThread() throws {
    let text = String(repeating: "x", count: 1_200 * 4_096)
    let count = Repetitions.scaled(10, upTo: 40)
    for number in 1...count {
      do {
        let store = try fixture.open()
        try store.save(insert: [Journey.Snapshot().with { $0.name = text }.snapshot()])
        if number % 2 == 0 { Thread.sleep(forTimeInterval: Double(number) / 10_000) }
      }
      #expect(!FileManager.default.fileExists(atPath: fixture.url.path + "-wal"))
      #expect(!FileManager.default.fileExists(atPath: fixture.url.path + "-shm"))
    }
    #expect(try fixture.shell("SELECT count(*) FROM Journey") == "\(count)")
  }

  @Test func turnedOffTheSaveCopiesTheLogItself() throws {
    let store = try fixture.open { $0.writeAheadLog.checkpointsInBackground = false }
    let text = String(repeating: "x", count: 1_200 * 4_096)
    try store.save(insert: [Journey.Snapshot().with { $0.name = text }.snapshot()])
    let log = try store.pool.exclusively { try #require(WALIndexHeader($0.handle)) }
    #expect(log.length >= 1_200 && log.copied == log.length)
  }

  @Test func whatWasSavedIsCopiedWithoutAnotherSave() async throws {
    let store = try fixture.open()
    let text = String(repeating: "x", count: 1_200 * 4_096)
    try store.save(insert: [Journey.Snapshot().with { $0.name = text }.snapshot()])
    let log = try store.pool.exclusively { try #require(WALIndexHeader($0.handle)) }
    #expect(log.length >= 1_200)
    while log.copied < log.length { try await Task.sleep(for: .milliseconds(1)) }
    // The next save resets the WAL.
    try store.save(insert: [Journey.Snapshot().snapshot()])
    #expect(log.length < 100)
  }
}
