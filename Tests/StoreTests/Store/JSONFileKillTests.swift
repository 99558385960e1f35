import Foundation
import Synchronization
import TestSupport
import TestTraits
import Testing
import Trellis
import TrellisJSON

/// Kills programs that save to a JSON file. The test executable runs as a child process.
@Suite(.serialized, .waiting) struct JSONFileKillTests {
  private static let variable = "TRELLIS_KILLED_JSON"
  private static var isChild: Bool { ProcessInfo.processInfo.environment[variable] != nil }

  /// Opens the file of a killed program. Its models are correct if all belong to one save.
  private static func version(of file: URL) throws -> Int? {
    let context = ModelContext(try KeepWorld.container(JSONFileConfiguration(url: file)))
    let keeps = try KeepWorld.keeps(context)
    let versions = Set(keeps.map(\.count))
    #expect(versions.count <= 1, "\(file.lastPathComponent) is of the saves \(versions.sorted())")
    for keep in keeps {
      #expect(keep.parts.count == 1 && keep.parts.first?.title == "part \(keep.code)")
      #expect(keep.note == String(repeating: "\(keep.count) ", count: 200))
    }
    return versions.first
  }

  /// Runs in the child process only, until it is killed or its parent ends. Each save changes every model, adds one and
  /// deletes one. Completed saves are recorded.
  @Test(.enabled(if: isChild)) func savesUntilItIsKilled() throws {
    let path = try #require(ProcessInfo.processInfo.environment[Self.variable])
    let file = URL(fileURLWithPath: path)
    let context = ModelContext(try KeepWorld.container(JSONFileConfiguration(url: file)))
    var version = try KeepWorld.keeps(context).first?.count ?? 0
    let progress = open(path + ".progress", O_WRONLY | O_CREAT, 0o644)
    defer { close(progress) }
    let tests = getppid()
    while getppid() == tests {
      version += 1
      let keep = Keep(code: "\(version)")
      keep.parts = [KeepPart(title: "part \(version)")]
      context.insert(keep)
      let keeps = try KeepWorld.keeps(context)
      if keeps.count > 30, let oldest = keeps.first(where: { $0 !== keep }) { context.delete(oldest) }
      for keep in try KeepWorld.keeps(context) {
        keep.count = version
        keep.note = String(repeating: "\(version) ", count: 200)
      }
      try context.save()
      var saved = Int64(version)
      pwrite(progress, &saved, 8, 0)
    }
  }

  private static func saved(_ file: URL) -> Int {
    guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: file.path + ".progress")),
      bytes.count == 8
    else { return 0 }
    return Int(bytes.reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) })
  }

  private static func start(_ file: URL) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [
      "--testing-library", "swift-testing", "--filter", "JSONFileKillTests.*savesUntilItIsKilled",
    ]
    process.environment = ProcessInfo.processInfo.environment.merging([variable: file.path]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Waits until the child process has completed another save.
  private static func awaitSave(_ process: Process, _ file: URL, after version: Int) {
    while process.isRunning, saved(file) <= version { usleep(500) }
    #expect(process.isRunning, "the other program has saved, and goes on")
  }

  private static func kill(_ process: Process) {
    _ = Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
  }

  /// Kills at random moments; after each, the file is whole, and not older than what was saved.
  private static func killAgainAndAgain(_ times: Int, _ file: URL, _ dice: inout SeededGenerator) throws {
    for round in 0..<times {
      let before = saved(file)
      let process = try start(file)
      awaitSave(process, file, after: before)
      usleep(UInt32(dice.roll(12_000)))
      kill(process)
      let comment: Comment = "round \(round) of \(file.lastPathComponent)"
      let noted = saved(file)
      // The system released the lock of the process.
      let lock = open(file.path + ".lock", O_RDWR | O_CLOEXEC)
      #expect(lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0, comment)
      // A process that another test starts can have inherited the file descriptor.
      flock(lock, LOCK_UN)
      close(lock)
      let version = try #require(try version(of: file), comment)
      // The last recorded save must be present, and the next one can be.
      #expect(version == noted || version == noted + 1, comment)
      let copy = URL(fileURLWithPath: file.path + ".copy")
      try? FileManager.default.removeItem(at: copy)
      if noted > 1 {
        try FileManager.default.copyItem(atPath: file.path + ".previous", toPath: copy.path)
        let previous = try #require(try Self.version(of: copy), comment)
        #expect(previous == version || previous == version - 1, comment)
      }
    }
  }

  @Test(.enabled(if: !isChild)) func killedProgramsLeaveWholeFiles() async throws {
    let scratch = try Scratch()
    let seed = SeededGenerator.seed()
    // Each chain has a file of its own; most of the time goes into starting programs.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for chain in 0..<(Repetitions.isThorough ? 4 : 2) {
        let file = scratch.file("chain \(chain).json")
        group.addTask {
          var dice = SeededGenerator(seed: seed &+ UInt64(chain))
          try Self.killAgainAndAgain(Repetitions.scaled(1, upTo: 20), file, &dice)
        }
      }
      try await group.waitForAll()
    }
    // The next save removes temporary files.
    let container = try KeepWorld.container(JSONFileConfiguration(url: scratch.file("chain 0.json")))
    let context = ModelContext(container)
    context.insert(Keep(code: "after"))
    try context.save()
    let names = scratch.names.filter { $0.hasPrefix("chain 0.json") && !$0.contains("copy") }
    #expect(
      names == [
        "chain 0.json", "chain 0.json.history", "chain 0.json.previous", "chain 0.json.lock",
        "chain 0.json.progress",
      ])
  }

  @Test(.enabled(if: !isChild)) func aSecondProgramIsToldAndWaitsForTheFirst() throws {
    let scratch = try Scratch()
    let process = try Self.start(scratch.file())
    Self.awaitSave(process, scratch.file(), after: 0)
    #expect {
      try KeepWorld.container(JSONFileConfiguration(url: scratch.file()))
    } throws: {
      let error = $0 as? SwiftDataError
      return error?.storeProblem == .locked && "\($0)".contains("another program has the store open")
    }
    // Reading is permitted and returns a complete file.
    let reading = JSONFileConfiguration(url: scratch.file(), allowsSave: false)
    let keeps = try KeepWorld.keeps(ModelContext(KeepWorld.container(reading)))
    #expect(Set(keeps.map(\.count)).count == 1)
    Self.kill(process)
    #expect(try Self.version(of: scratch.file()) != nil)
  }
}
