import Foundation

/// What a verb runs in: the folder, and what it has to say.
package struct Session: Sendable {
  /// Empty for the folder of the process; anything else is put in front of relative paths.
  package let folder: String
  /// Whether standard output is a terminal that somebody looks at.
  package let isTerminal: Bool
  /// What stands on standard input, read when somebody asks.
  let input: @Sendable () -> [UInt8]
  /// For standard output.
  package private(set) var findings = ""
  /// For standard error.
  package private(set) var progress = ""

  package init(
    folder: String = "", isTerminal: Bool = false, input: @escaping @Sendable () -> [UInt8] = { [] }
  ) {
    self.folder = folder
    self.isTerminal = isTerminal
    self.input = input
  }

  package mutating func say(_ text: String) { findings += text }
  package mutating func note(_ text: String) { progress += text }

  package func path(_ path: String) -> String { Self.join(folder, path) }

  /// A path as people write it: without the folder of the process in front.
  package func shown(_ path: String) -> String {
    let here = FileManager.default.currentDirectoryPath
    return path.hasPrefix(here + "/") ? String(path.dropFirst(here.count + 1)) : path
  }

  /// A path below a folder. Nothing and `.` are the folder of the process.
  package static func join(_ folder: String, _ path: String) -> String {
    if folder.isEmpty || folder == "." || path.hasPrefix("/") { return path }
    if path.isEmpty || path == "." { return folder }
    return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
  }
}
