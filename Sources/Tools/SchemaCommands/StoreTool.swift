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

  /// Returns the executable `trellis-postgres` or `trellis-store` next to this executable, if the arguments name a
  /// database or a verb that needs the runtime; otherwise nil.
  package static func neighbor(for arguments: [String], of executable: URL) -> URL? {
    var arguments = arguments
    guard let options = try? GlobalOptions(&arguments), !arguments.contains("--help"), !arguments.contains("-h")
    else { return nil }
    let names =
      (needsDatabase(arguments, Session(folder: options.root ?? "")) ? ["trellis-postgres"] : [])
      + (needsRuntime(arguments) ? [name] : [])
    return names.map { executable.deletingLastPathComponent().appendingPathComponent($0) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// True if the arguments name a PostgreSQL database or its SQL dialect, which need libpq.
  private static func needsDatabase(_ arguments: [String], _ session: Session) -> Bool {
    let stores = arguments.first == StudioVerb.name ? Array(arguments.dropFirst()) : values(of: "--store", arguments)
    return values(of: "--from", arguments).contains(Import.Form.postgres.rawValue)
      || values(of: "--dialect", arguments).contains(SchemaTextExport.Dialect.postgres.rawValue)
      || stores.contains { if case .database = StoreAddress($0, session) { true } else { false } }
  }

  /// True if the arguments name a verb that only `trellis-store` implements.
  private static func needsRuntime(_ arguments: [String]) -> Bool {
    switch arguments.first {
    case Fixture.name, StoreVerb.name, StudioVerb.name: return true
    case Export.name:
      let isSchema = arguments.contains { $0 == "--schema" || $0.hasPrefix("--schema=") }
      // Only the runtime knows the tables that these forms describe.
      let forms = ["sql", "json-schema"]
      return !isSchema || forms.contains { arguments.contains($0) || arguments.contains("--to=\($0)") }
    default: return importsRows(arguments)
    }
  }
}

extension StoreTool {
  /// True for `import` with a form that reads rows.
  private static func importsRows(_ arguments: [String]) -> Bool {
    guard arguments.first == Import.name else { return false }
    return values(of: "--from", arguments).contains { Import.Form(rawValue: $0)?.needsRuntime ?? false }
  }

  private static func values(of option: String, _ arguments: [String]) -> [String] {
    zip(arguments, arguments.dropFirst()).filter { $0.0 == option }.map(\.1)
      + arguments.filter { $0.hasPrefix(option + "=") }.map { String($0.dropFirst(option.count + 1)) }
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
