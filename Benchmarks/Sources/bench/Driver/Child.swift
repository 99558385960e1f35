import Foundation

/// Runs child processes and waits for them.
enum Child {
  struct Outcome {
    var output: Data
    /// The failure description, or nil on success.
    var problem: String?
  }

  /// The executable of this process, for child processes.
  static var ownExecutable: URL {
    Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
  }

  static func run(_ executable: URL, _ arguments: [String]) throws -> Outcome {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = executable
    process.arguments = arguments
    process.standardOutput = pipe
    // `waitUntilExit` polls every 50 ms, which is longer than some processes run.
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

  /// Measures one side of an operation in a new process.
  static func measure(_ operation: Operation, _ side: Side, _ folder: URL) throws -> Measurement {
    let outcome = try run(ownExecutable, ["measure", operation.name, side.rawValue, folder.path])
    if let problem = outcome.problem { return Measurement(unavailable: "the process \(problem)") }
    return try JSONDecoder().decode(Measurement.self, from: outcome.output)
  }
}
