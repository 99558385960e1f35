import Foundation
import Testing
import Trellis
import TrellisJSON

/// A file size limit simulates a full disk. The test executable runs as a child process.
@Suite struct JSONFileFullDiskTests {
  private static let variable = "TRELLIS_FULL_DISK"
  private static var isChild: Bool { ProcessInfo.processInfo.environment[variable] != nil }

  /// Runs in the child process only, so that the limit does not affect other tests.
  @Test(.enabled(if: isChild)) func savesBeyondTheLimit() throws {
    let path = try #require(ProcessInfo.processInfo.environment[Self.variable])
    let file = URL(fileURLWithPath: path)
    let container = try ModelContainer(for: KeepTag.self, configurations: JSONFileConfiguration(url: file))
    let context = ModelContext(container)
    context.insert(KeepTag(word: "first"))
    try context.save()
    let before = try Data(contentsOf: file)
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: 40_000, rlim_max: rlim_t.max)
    #expect(setrlimit(__rlimit_resource_t(1), &limit) == 0)
    let large = KeepTag(word: String(repeating: "x", count: 100_000))
    context.insert(large)
    let error = #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(error?.storeProblem == .diskFull)
    #expect(context.hasChanges)
    #expect(try Data(contentsOf: file) == before)
    #expect(!FileManager.default.fileExists(atPath: path + ".new"))
    // Data within the limit is saved.
    large.word = "second"
    try context.save()
    let again = try ModelContext(container).fetch(FetchDescriptor<KeepTag>(sortBy: [SortDescriptor(\.word)]))
    #expect(again.map(\.word) == ["first", "second"])
    try Data("passed".utf8).write(to: URL(fileURLWithPath: path + ".passed"))
  }

  @Test(.enabled(if: !isChild)) func aFullDiskLeavesTheFileAsItWas() throws {
    let scratch = try Scratch()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [
      "--testing-library", "swift-testing", "--filter", "JSONFileFullDiskTests.*savesBeyondTheLimit",
    ]
    process.environment = ProcessInfo.processInfo.environment.merging([Self.variable: scratch.file().path]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(scratch.names.contains("keeps.json.passed"))
    let text = try String(contentsOf: scratch.file(), encoding: .utf8)
    #expect(text.contains("\"first\"") && text.contains("\"second\""))
  }
}
