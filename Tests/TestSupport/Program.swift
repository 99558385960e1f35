package import Foundation

/// Runs this package's executables and system commands as processes.
package enum Program {
  /// An executable of this package, which is built together with the tests.
  package static func named(_ name: String) -> Process {
    let process = Process()
    process.executableURL = folder.appending(path: name)
    return process
  }

  /// The executable of a product. A package that `TRELLIS_TESTS` limits has no products, and names the executable after
  /// the target. If both exist, the newer one is meant.
  package static func tool(_ product: String, target: String) -> URL {
    func age(_ name: String) -> Date {
      let attributes = try? FileManager.default.attributesOfItem(atPath: folder.appending(path: name).path)
      return attributes?[.modificationDate] as? Date ?? .distantPast
    }
    return folder.appending(path: age(product) < age(target) ? target : product)
  }

  /// A system command by name. `Tests/commands.txt` lists the permitted commands.
  package static func command(_ name: String, _ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    return process
  }

  /// Runs a process to completion and returns the output, with trailing newlines removed.
  @discardableResult package static func output(of process: Process) throws -> String {
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  /// The folder that contains the built tests and executables.
  package static var folder: URL {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
  }
}
