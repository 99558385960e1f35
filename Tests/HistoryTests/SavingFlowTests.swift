import Foundation
import TestSupport
import Testing

/// Checks that contexts call stores and no store calls a context, based on the call stack of each call during a save.
@Suite struct SavingFlowTests {
  @Test func noStoreCallsAContextDuringASave() throws {
    let program = Program.named("HistoryLane")
    program.arguments = ["flow", "-", "-"]
    let lines = try Program.output(of: program).split(separator: "\n").map(String.init)
    #expect(program.terminationStatus == 0)
    #expect(lines.count { $0 == "save context store" } == 2)
    #expect(lines.contains("fetch context store"))
    let others = lines.filter { !$0.hasSuffix(" context store") }
    #expect(others.isEmpty, "\(others)")
  }
}
