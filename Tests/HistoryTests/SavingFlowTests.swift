import Foundation
import TestSupport
import Testing

/// A context calls stores, and no store calls a context: shown by the call stack of each statement of a save.
@Suite struct SavingFlowTests {
  @Test(arguments: [true, false]) func noStoreCallsAContextDuringASave(isFile: Bool) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "trellis-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let program = Program.named("HistoryLane")
    program.arguments = ["flow", isFile ? folder.appending(path: "ledger.store").path : "memory", "-"]
    let lines = try Program.output(of: program).split(separator: "\n").map(String.init)
    #expect(program.terminationStatus == 0)
    for verb in ["BEGIN", "INSERT", "SELECT", "DELETE", "COMMIT"] {
      #expect(lines.contains("\(verb) context store"), "\(verb)")
    }
    let others = lines.filter { !$0.hasSuffix(" context store") }
    #expect(others.isEmpty, "\(others)")
  }
}
