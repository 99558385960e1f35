import Foundation

/// The sources of the package as text.
struct SourceTree {
  struct File {
    /// The path relative to the package root, separated by `/`.
    var path: String
    var lines: [Substring]

    /// The modules that the file imports.
    var imports: Set<String> {
      var modules = Set<String>()
      for line in lines {
        let words = line.split(separator: " ")
        guard let keyword = words.firstIndex(of: "import"), keyword + 1 < words.count,
          words[..<keyword].allSatisfy({
            ["public", "package", "internal", "private", "fileprivate", "@_exported"].contains($0)
              || $0.hasPrefix("@")
          })
        else { continue }
        let name = words.last.map(String.init) ?? ""
        modules.insert(name.split(separator: ".").first.map(String.init) ?? name)
      }
      return modules
    }
  }

  static var root: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
  }

  /// The groups of modules in `Sources`, from the compiler to the executables.
  static let groups = ["Compiler", "Tools", "Runtime", "Testing", "Sample", "Executables"]

  /// Executable targets whose folder has the name of the command.
  private static let commands = [
    "SchemaTool": "trellis", "StoreTool": "trellis-store", "PostgresTool": "trellis-postgres",
  ]

  /// All Swift files of a module.
  static func files(of module: String) throws -> [File] {
    let folder = commands[module] ?? module
    return try groups.flatMap { try files(below: "Sources/\($0)/\(folder)") }
  }

  /// All Swift files below a folder of the package.
  static func files(below folder: String) throws -> [File] {
    let base = root.appending(path: folder).resolvingSymlinksInPath()
    guard let paths = FileManager.default.enumerator(atPath: base.path(percentEncoded: false))
    else { return [] }
    var files: [File] = []
    for case let path as String in paths where path.hasSuffix(".swift") {
      let text = try String(contentsOf: base.appending(path: path), encoding: .utf8)
      files.append(
        File(
          path: "\(folder)/\(path)",
          lines: text.split(separator: "\n", omittingEmptySubsequences: false)))
    }
    return files.sorted { $0.path < $1.path }
  }
}
