import Foundation
import SchemaDiagnostics
package import SchemaDriver
import SchemaModel
import SchemaReports

/// `trellis check`: parses and resolves schema files.
package enum Check: Verb {
  package static let name = "check"
  package static let summary = "parse and resolve schema files"
  package static let options: Set<String> = ["--format"]
  package static let help = """
    Usage: trellis check [--format text|compact] [PATH…]

    Parses and resolves schema files, those in a folder or all below this one, and prints what is
    wrong with them, with the lines it is about (text) or one line each as compilers do (compact).
    Ends with 3 when there is an error, with 1 when there are only warnings.

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    let format = arguments["--format"] ?? "text"
    guard format == "text" || format == "compact" else {
      throw DriverFailure(["error: '--format' is one of text and compact"], .usage)
    }
    let compiled = try CompiledSchemas(arguments.files, session)
    let (files, diagnostics) = (compiled.files, compiled.diagnostics)
    session.say(
      format == "text"
        ? ExcerptRenderer(files: files).render(diagnostics)
        : CompilerRenderer(files: files).render(diagnostics))
    for folder in Set(files.map(\.folder)).sorted() where try isOmitted(folder) {
      session.note(
        "\(folder): note: SwiftPM omits a target without Swift files, so that its users find no such module; add an empty "
          + "one\n")
    }
    if diagnostics.hasErrors { return .unparsable }
    return diagnostics.contains { $0.severity == .warning } ? .findings : .clean
  }

  /// True for the schema folder of a package's target that has no Swift file.
  private static func isOmitted(_ folder: String) throws -> Bool {
    guard let target = SwiftTarget(home: folder), try target.files().isEmpty else { return false }
    let package = URL(fileURLWithPath: target.sources).deletingLastPathComponent().deletingLastPathComponent()
    return SchemaPaths.kind(of: package.appendingPathComponent("Package.swift").path) == .file
  }
}
