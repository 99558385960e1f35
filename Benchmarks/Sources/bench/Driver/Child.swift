import Foundation

/// Runs programs, each to its end.
enum Child {
  struct Outcome {
    var output: Data
    /// nil when the program ended well.
    var problem: String?
  }

  /// This program, for a process of its own.
  static var ownExecutable: URL {
    Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
  }

  static func run(_ executable: URL, _ arguments: [String]) throws -> Outcome {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = executable
    process.arguments = arguments
    process.standardOutput = pipe
    // `waitUntilExit` looks every 50 ms, which is more than some programs take.
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    ended.wait()
    let isSignal = process.terminationReason == .uncaughtSignal
    let status = process.terminationStatus
    let problem = isSignal ? "ended by signal \(status)" : "ended with status \(status)"
    return Outcome(output: output, problem: isSignal || status != 0 ? problem : nil)
  }

  /// One side of one operation, measured in a fresh process.
  static func measure(_ operation: Operation, _ side: Side, _ folder: URL) throws -> Measurement {
    let outcome = try run(ownExecutable, ["measure", operation.name, side.rawValue, folder.path])
    if let problem = outcome.problem { return Measurement(unavailable: "the process \(problem)") }
    return try JSONDecoder().decode(Measurement.self, from: outcome.output)
  }
}
