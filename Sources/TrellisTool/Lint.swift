import Foundation
import SchemaDiagnostics
import SchemaDriver
import SchemaLint
import SchemaModel

/// `trellis lint`: judges schemas that compile.
enum Lint: Verb {
  static let name = "lint"
  static let summary = "judge schema files by the rules"
  static let options: Set<String> = ["--format", "--profile", "--fail-on"]
  static let help = """
    Usage: trellis lint [--format compact|text|json] [--profile history]…
                        [--fail-on error|warning|info] FILES…

    Prints what the compiler and the rules have to say about schema files, or about those in a
    folder: one line each as compilers do (compact), with the lines it is about (text), or as JSON.

      --profile NAME   adds the rules of a profile: \(LintProfile.allCases.map(\.rawValue).joined(separator: ", "))
      --fail-on LEVEL  ends with 1 when a finding is this severe or more (warning)

    Ends with 3 when a schema does not compile; its rules did not run then.

    """

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let limit = try arguments.choice("--fail-on", Severity.allCases) ?? .warning
    let format = try arguments.choice("--format", Format.allCases) ?? .compact
    let profiles = Set(try arguments.choices("--profile", LintProfile.allCases))
    let files = try SchemaReader.read(try SchemaPaths.files(arguments.files, verb: name)).get()
    let compilation = SchemaCompiler.compile(files)
    let findings = SchemaLinter.lint(compilation, profiles: profiles)
    switch format {
    case .compact: Output.findings(CompilerRenderer(files: files).render(findings))
    case .text: Output.findings(ExcerptRenderer(files: files).render(findings))
    case .json: try Output.json(LintReport(findings, files: files, profiles: profiles))
    }
    if compilation.hasErrors { return .unparsable }
    return findings.contains { $0.severity >= limit } ? .findings : .clean
  }

  private enum Format: String, CaseIterable { case compact, text, json }
}
