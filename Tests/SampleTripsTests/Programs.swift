import Foundation
import Testing

/// Runs the sample programs as processes with a temporary store.
final class Programs {
  let folder: URL
  var store: String { folder.appending(path: "trips.store").path }

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "trips-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  struct Outcome: Equatable {
    var status: Int32
    var out: String
    var error: String
  }

  func run(_ program: String, _ words: String...) throws -> Outcome {
    try start(program, words + ["--store", store]).outcome()
  }

  /// The output of a program that must succeed.
  func text(_ program: String, _ words: String...) throws -> String {
    let outcome = try start(program, words + ["--store", store]).outcome()
    #expect(outcome.status == 0 && outcome.error == "", "\(words): \(outcome)")
    return outcome.out
  }

  func start(_ program: String, _ words: [String]) throws -> Running {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: program)
    process.arguments = words
    var environment = ProcessInfo.processInfo.environment
    // The location of default stores.
    environment["XDG_DATA_HOME"] = folder.path
    process.environment = environment
    return try Running(process)
  }

  /// A running program.
  final class Running {
    private let process: Process
    private let out = Pipe()
    private let error = Pipe()

    init(_ process: Process) throws {
      self.process = process
      process.standardOutput = out
      process.standardError = error
      try process.run()
    }

    /// Waits for a number of lines.
    func lines(_ count: Int = 1) -> String {
      var text = Data()
      while text.count(where: { $0 == 10 }) < count {
        let more = out.fileHandleForReading.availableData
        if more.isEmpty { break }
        text += more
      }
      return String(decoding: text, as: UTF8.self)
    }

    /// Sends the same signal as Ctrl-C.
    func interrupt() { process.interrupt() }

    /// Waits for the end of the program and returns the remaining output.
    func outcome() -> Outcome {
      let text = String(decoding: out.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      let mistakes = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return Outcome(status: process.terminationStatus, out: text, error: mistakes)
    }
  }
}
