import SchemaDiagnostics
import SchemaDriver
import SchemaModel

/// `trellis check`: parses and resolves, nothing else.
enum Check: Verb {
  static let name = "check"
  static let summary = "parse and resolve schema files"
  static let options: Set<String> = ["--format"]
  static let help = """
    Usage: trellis check [--format text|compact] FILES…

    Parses and resolves the files and prints what is wrong with them, with the lines it is about
    (text) or one line each as compilers do (compact). Ends with 3 when there is an error, with 1
    when there are only warnings.

    """

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    guard !arguments.files.isEmpty else {
      throw DriverFailure(["error: 'trellis check' needs schema files"], .usage)
    }
    let format = arguments["--format"] ?? "text"
    guard format == "text" || format == "compact" else {
      throw DriverFailure(["error: '--format' is one of text and compact"], .usage)
    }
    let files = try SchemaReader.read(arguments.files).get()
    let diagnostics = SchemaCompiler.compile(files).diagnostics
    Output.findings(
      format == "text"
        ? ExcerptRenderer(files: files).render(diagnostics)
        : CompilerRenderer(files: files).render(diagnostics))
    if diagnostics.hasErrors { return .unparsable }
    return diagnostics.contains { $0.severity == .warning } ? .findings : .clean
  }
}
