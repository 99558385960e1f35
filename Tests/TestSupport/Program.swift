package import Foundation

/// The programs of this package, and commands of the system, as processes.
package enum Program {
  /// A program of this package, which is built beside the tests.
  package static func named(_ name: String) -> Process {
    let process = Process()
    process.executableURL = folder.appending(path: name)
    return process
  }

  /// A command of the system, by its name; `Tests/commands.txt` lists those that tests may call.
  package static func command(_ name: String, _ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    return process
  }

  /// Runs a process to its end and returns what it has written, without the newlines at its end.
  @discardableResult package static func output(of process: Process) throws -> String {
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  /// Where the tests and the programs are built.
  package static var folder: URL {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
  }
}
