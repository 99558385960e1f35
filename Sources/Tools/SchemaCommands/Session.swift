import Foundation

/// The environment of a verb: folder, input and output.
package struct Session: Sendable {
  /// The base of relative paths. Empty for the working directory.
  package let folder: String
  /// True if standard output is a terminal.
  package let isTerminal: Bool
  /// Reads standard input.
  let input: @Sendable () -> [UInt8]
  /// Opens stores in databases. `nil` if the tool is built without libpq.
  package let databases: (any StoreDatabases)?
  /// The terminal, or nil if the caller prints the output after the verb has ended.
  let console: Console?
  /// Receives text for standard error immediately. `nil` to collect it in ``progress``.
  package let report: (@Sendable (String) -> Void)?
  /// The text for standard output.
  package private(set) var findings = ""
  /// The text for standard error.
  package private(set) var progress = ""

  package init(
    folder: String = "", isTerminal: Bool = false, databases: (any StoreDatabases)? = nil,
    console: Console? = nil, report: (@Sendable (String) -> Void)? = nil,
    input: @escaping @Sendable () -> [UInt8] = { [] }
  ) {
    self.console = console
    self.report = report
    self.folder = folder
    self.isTerminal = isTerminal
    self.databases = databases
    self.input = input
  }

  package mutating func say(_ text: String) { findings += text }
  package mutating func note(_ text: String) {
    if let report { report(text) } else { progress += text }
  }

  package func path(_ path: String) -> String { Self.join(folder, path) }

  /// Returns the path to show in messages, relative to the working directory if possible.
  package func shown(_ path: String) -> String {
    let here = FileManager.default.currentDirectoryPath
    return path.hasPrefix(here + "/") ? String(path.dropFirst(here.count + 1)) : path
  }

  /// Joins a path to a folder. The empty path and `.` mean the working directory.
  package static func join(_ folder: String, _ path: String) -> String {
    if folder.isEmpty || folder == "." || path.hasPrefix("/") { return path }
    if path.isEmpty || path == "." { return folder }
    return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
  }
}
