package import Foundation

/// Runs programs of this package and system commands as processes.
package enum Program {
  /// A program of this package, which is built together with the tests.
  package static func named(_ name: String) -> Process {
    let process = Process()
    process.executableURL = folder.appending(path: name)
    return process
  }

  /// A system command by name. `Tests/commands.txt` lists the permitted commands.
  package static func command(_ name: String, _ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    return process
  }

  /// Runs a process to its end and returns its output without trailing newlines.
  @discardableResult package static func output(of process: Process) throws -> String {
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  /// The folder of the built tests and programs.
  package static var folder: URL {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
  }
}
