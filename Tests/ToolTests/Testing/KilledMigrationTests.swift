import Foundation
import SampleTripsGolden
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisTesting

/// Kills processes that run `MigrationLane` during a migration.
@Suite(.serialized, .waiting) struct KilledMigrationTests {
  private typealias V1 = SampleTripsSchema.V1_0_0
  private typealias Head = SampleTripsSchema.Current

  private let folder: URL
  /// A store of the first version, which is copied for each process.
  private let original: URL
  private let before: StoreContents
  private let after: StoreContents

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("killed-migration-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    original = folder.appendingPathComponent("original.store")
    try StoreFixture(V1.self, rowsPerModel: 8).write(to: original)
    before = try Self.contents(of: V1.self, original)
    let whole = folder.appendingPathComponent("whole.store")
    try FileManager.default.copyItem(at: original, to: whole)
    after = try Self.contents(of: Head.self, whole)
  }

  private static func contents(of version: any VersionedSchema.Type, _ url: URL) throws -> StoreContents {
    var configuration = ModelConfiguration(url: url)
    configuration.migration.keepsBackup = false
    return try StoreContents(
      of: version,
      ModelContainer(
        for: Schema(versionedSchema: version), migrationPlan: SampleTripsMigrationPlan.self,
        configurations: configuration))
  }

  /// Copies the original to a separate folder.
  private func copy(_ name: String) throws -> URL {
    let own = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    let url = own.appendingPathComponent("test.store")
    try FileManager.default.copyItem(at: original, to: url)
    return url
  }

  private func start(_ arguments: [String]) throws -> (Process, Pipe) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("MigrationLane")
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    return (process, output)
  }

  private func text(_ pipe: Pipe) -> String {
    String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// - Returns: True if the killed process had migrated the store.
  private func kill(at statement: Int, after delay: Int, _ url: URL) throws -> Bool {
    let (process, _) = try start([url.path, "kill", "\(statement)", "\(delay)"])
    process.waitUntilExit()
    #expect(
      process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL,
      "statement \(statement), \(delay) µs")
    let facts = try StoreFacts(of: url)
    #expect(facts.complaints == [], "statement \(statement), \(delay) µs")
    let isOld = facts.version == "1.0.0"
    if isOld {
      let difference = try Self.contents(of: V1.self, url).difference(from: before)
      #expect(difference == nil, "statement \(statement), \(delay) µs")
    }
    // The next process completes the migration.
    let difference = try Self.contents(of: Head.self, url).difference(from: after)
    #expect(difference == nil, "statement \(statement), \(delay) µs")
    #expect(try StoreFacts(of: url).complaints == [])
    return !isOld
  }

  @Test func aProcessKilledAtAnyStatementLeavesTheOldOrTheNewStore() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let (counting, output) = try start([try copy("count").path, "count"])
    let total = try #require(Int(text(output)))
    counting.waitUntilExit()
    #expect(total > 100)
    // All of the last statements, which create the new store, and a sample of the earlier ones.
    let last = (total - 8)...total
    let count = Repetitions.scaled(6, upTo: 64)
    let spread = (0..<count).map { 1 + $0 * (total - 9) / count }
    var old = 0
    var new = 0
    for statement in Set(spread).union(last).sorted() {
      let isNew = try kill(at: statement, after: 0, try copy("\(statement)"))
      #expect(isNew || new == 0, "statement \(statement): the new store was there already")
      if isNew { new += 1 } else { old += 1 }
    }
    #expect(old + new > count && old >= max(1, count - 10) && new > 0)
    // Kill the process also during statements, such as a commit.
    for statement in last {
      for delay in [100, 700] where Repetitions.isThorough || (statement % 2 == 0) == (delay == 100) {
        _ = try kill(at: statement, after: delay, try copy("\(statement)-\(delay)"))
      }
    }
  }

  @Test func onlyOneOfSeveralProcessesMigrates() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    for round in 0..<3 {
      let url = try copy("race-\(round)")
      let signal = folder.appendingPathComponent("go-\(round)")
      let processes = try (0..<3).map { _ in try start([url.path, "wait", signal.path]) }
      for (_, output) in processes { _ = try output.fileHandleForReading.read(upToCount: 6) }
      try Data().write(to: signal)
      let answers = processes.map { process, output in
        let answer = text(output)
        process.waitUntilExit()
        return answer
      }
      #expect(answers.sorted() == ["migrated", "opened", "opened"], "\(answers)")
      #expect(processes.allSatisfy { $0.0.terminationStatus == 0 })
      let copies = try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
        .filter { $0.contains(".backup-") && !$0.hasSuffix("-external") }
      #expect(copies == ["test.store.backup-1.0.0"])
      #expect(try Self.contents(of: Head.self, url).difference(from: after) == nil)
      #expect(try StoreFacts(of: url).complaints == [])
    }
  }
}
