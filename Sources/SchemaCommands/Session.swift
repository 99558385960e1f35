/// What a verb runs in: the folder, and what it has to say.
package struct Session: Sendable {
  /// Empty for the folder of the process; anything else is put in front of relative paths.
  package let folder: String
  /// For standard output.
  package private(set) var findings = ""
  /// For standard error.
  package private(set) var progress = ""

  package init(folder: String = "") { self.folder = folder }

  mutating func say(_ text: String) { findings += text }
  mutating func note(_ text: String) { progress += text }

  func path(_ path: String) -> String { Self.join(folder, path) }

  /// A path below a folder. Nothing and `.` are the folder of the process.
  static func join(_ folder: String, _ path: String) -> String {
    if folder.isEmpty || folder == "." || path.hasPrefix("/") { return path }
    if path.isEmpty || path == "." { return folder }
    return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
  }
}
