package import Foundation
import SchemaDriver

/// The tool `trellis-store`, which contains the runtime and the verbs that read and write stores. Excluding the runtime
/// makes `trellis` build much faster.
package enum StoreTool {
  package static let name = "trellis-store"

  /// The last paragraph in the help of a verb that needs the runtime.
  static let help = """
    This verb needs the tool 'trellis-store', which './run install --all' installs beside 'trellis'. In a
    package: 'swift package --allow-writing-to-package-directory schema-store'.
    """

  /// Returns the error for a tool that is built without the runtime.
  static func refusal(of verb: String) -> DriverFailure {
    DriverFailure(
      [
        "error: this tool cannot open stores, because it is built without the runtime; call "
          + "'swift run trellis-store \(verb)', or 'swift package --allow-writing-to-package-directory schema-store "
          + "\(verb)' in a package"
      ], .usage)
  }

  /// Returns the executable `trellis-store` next to this executable, if the arguments name a verb that needs the
  /// runtime; otherwise nil.
  package static func neighbor(for arguments: [String], of executable: URL) -> URL? {
    guard needsRuntime(arguments), !arguments.contains("--help"), !arguments.contains("-h") else { return nil }
    let tool = executable.deletingLastPathComponent().appendingPathComponent(name)
    return FileManager.default.isExecutableFile(atPath: tool.path) ? tool : nil
  }

  /// True if the arguments name a verb that only `trellis-store` implements.
  static func needsRuntime(_ arguments: [String]) -> Bool {
    var arguments = arguments
    guard (try? GlobalOptions(&arguments)) != nil else { return false }
    return arguments.first == Fixture.name || importsRows(arguments)
  }
}

extension StoreTool {
  /// True for `import` with a form that reads rows.
  private static func importsRows(_ arguments: [String]) -> Bool {
    guard arguments.first == Import.name else { return false }
    let texts =
      zip(arguments, arguments.dropFirst()).filter { $0.0 == "--from" }.map(\.1)
      + arguments.filter { $0.hasPrefix("--from=") }.map { String($0.dropFirst("--from=".count)) }
    return texts.contains { Import.Form(rawValue: $0)?.needsRuntime ?? false }
  }
}

/// The implementation of a verb that `SchemaCommands` only describes, because it needs the runtime or libpq.
package protocol VerbImplementation: Verb {
  associatedtype Description: Verb
}

extension VerbImplementation {
  package static var name: String { Description.name }
  package static var summary: String { Description.summary }
  package static var options: Set<String> { Description.options }
  package static var flags: Set<String> { Description.flags }
  package static var choices: [String: [String]] { Description.choices }
  package static var makesDocument: Bool { Description.makesDocument }
  package static var help: String { Description.help }
}
