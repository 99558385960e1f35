import Foundation
import StoreCare
import TestSupport
import Testing
import Trellis

/// Processes that are killed while they copy, replace, compact or import a store.
@Suite struct KilledVerbTests {
  enum Work: String, CaseIterable, CustomTestStringConvertible {
    case copy, replacement, compaction, importing

    var arguments: [String] {
      switch self {
      case .copy: ["store", "copy", "SampleTrips.store", "copy.store"]
      case .replacement: ["store", "copy", "SampleTrips.store", "copy.store", "--force"]
      case .compaction: ["store", "compact", "copy.store"]
      case .importing:
        ["import", "--from", "sqlite", "foreign.db", "--name", "Foreign", "--into", "copy.store", "--force"]
      }
    }

    var testDescription: String { rawValue }
  }

  /// The old or the new store is complete, and the next process succeeds and removes abandoned files.
  @Test(arguments: Work.allCases) func aKilledProcessLeavesACompleteStore(_ work: Work) throws {
    var random = SeededGenerator(seed: SeededGenerator.seed("killed processes: \(work)"))
    let first = try prepared(work)
    let clock = ContinuousClock()
    let start = clock.now
    try run(work, in: first)
    let duration = (clock.now - start) / .seconds(1)
    for _ in 0..<Repetitions.scaled(2, upTo: 40) {
      let store = try prepared(work)
      let source = contents(of: store.path)
      try run(work, killedAfter: duration * Double(random.roll(1_000)) / 1_000, in: store)
      // A killed reader leaves an empty log.
      #expect(contents(of: store.path).filter { !$0.value.isEmpty } == source)
      if work != .copy || FileManager.default.fileExists(atPath: store.folder.path("copy.store")) {
        // Large values of the store that was not completed may remain.
        try expectComplete(store, except: .orphanedFile)
      }
      let isDone = work == .copy && FileManager.default.fileExists(atPath: store.folder.path("copy.store"))
      if !isDone { try run(work, in: store) }
      try expectComplete(store, except: isDone ? .orphanedFile : nil)
      #expect(isDone || !store.folder.names.contains { $0.hasPrefix(".trellis") }, "\(store.folder.names)")
    }
  }

  private func expectComplete(_ store: StoreUnderTest, except kind: Finding.Kind? = nil) throws {
    let report = try StoreChecker.check(store.folder.path("copy.store"))
    #expect(report.findings.allSatisfy { $0.kind == kind }, "\(report.text)")
    #expect([72, 500].contains(report.rows), "\(report.text)")
  }

  private func prepared(_ work: Work) throws -> StoreUnderTest {
    let store = try StoreUnderTest("SampleTrips")
    if work != .copy {
      #expect(CareTests.store("copy", "SampleTrips.store", "copy.store", in: store.folder.url.path).status == 0)
    }
    if work == .compaction {
      let connection = try Connection(store.folder.path("copy.store"), .existing)
      try connection.execute("CREATE TABLE ballast AS SELECT zeroblob(4000000) AS bytes")
      try connection.execute("DROP TABLE ballast")
    }
    if work == .importing {
      let connection = try Connection(store.folder.path("foreign.db"), .creating)
      try connection.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
      try connection.execute(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
        INSERT INTO items SELECT i, 'Item ' || i FROM n
        """)
    }
    return store
  }

  /// - Parameter seconds: The time after which the process is killed; nil if it must succeed.
  private func run(_ work: Work, killedAfter seconds: Double? = nil, in store: StoreUnderTest) throws {
    let process = Process()
    process.executableURL = Program.tool("trellis-store", target: "StoreTool")
    process.arguments = work.arguments
    process.currentDirectoryURL = store.folder.url
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    if let seconds {
      Thread.sleep(forTimeInterval: seconds)
      kill(process.processIdentifier, SIGKILL)
    }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(seconds != nil || process.terminationStatus == 0, "\(text)")
  }
}
