import Foundation
import SchemaDiagnostics
package import SchemaDriver
import SchemaModel
import SchemaReports

/// `trellis check`: parses and resolves schema files.
package enum Check: Verb {
  package static let name = "check"
  package static let summary = "Check schema files for errors"
  package static let options: Set<String> = ["--format"]
  package static let help = """
    Usage: trellis check [--format text|compact] [PATH…]

    Parses and resolves schema files. Prints each error and warning with its source lines (text), or on a
    single line as compilers do (compact).

    PATH is a schema file or a folder. The default is every schema below the current folder.

    Exits with 3 if there is an error, and with 1 if there are only warnings.

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    let format = arguments["--format"] ?? "text"
    guard format == "text" || format == "compact" else {
      throw DriverFailure(["error: '--format' must be text or compact"], .usage)
    }
    let compiled = try CompiledSchemas(arguments.files, session)
    let (files, diagnostics) = (compiled.files, compiled.diagnostics)
    session.say(
      format == "text"
        ? ExcerptRenderer(files: files).render(diagnostics)
        : CompilerRenderer(files: files).render(diagnostics))
    for folder in Set(files.map(\.folder)).sorted() where try isOmitted(folder) {
      session.note(
        "\(folder): note: SwiftPM omits targets that contain no Swift file, so 'import' would fail; add an empty Swift "
          + "file\n")
    }
    if diagnostics.hasErrors { return .unparsable }
    return diagnostics.contains { $0.severity == .warning } ? .findings : .clean
  }

  /// Returns true if the folder belongs to a package target that contains no Swift file.
  private static func isOmitted(_ folder: String) throws -> Bool {
    guard let target = SwiftTarget(home: folder), try target.files().isEmpty else { return false }
    let package = URL(fileURLWithPath: target.sources).deletingLastPathComponent().deletingLastPathComponent()
    return SchemaPaths.kind(of: package.appendingPathComponent("Package.swift").path) == .file
  }
}
