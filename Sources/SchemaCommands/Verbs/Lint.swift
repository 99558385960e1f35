import Foundation
import SchemaDiagnostics
package import SchemaDriver
import SchemaLint
import SchemaModel

/// `trellis lint`: judges schemas that compile.
package enum Lint: Verb {
  package static let name = "lint"
  package static let summary = "judge schema files by the rules"
  package static let options: Set<String> = ["--format", "--profile", "--fail-on"]
  package static let help = """
    Usage: trellis lint [--format compact|text|json] [--profile history]…
                        [--fail-on error|warning|info] [PATH…]

    Prints what the compiler and the rules have to say about schema files, about those in a folder,
    or about all below this one: one line each as compilers do (compact), with the lines it is about
    (text), or as JSON.

      --profile NAME   adds the rules of a profile: \(LintProfile.allCases.map(\.rawValue).joined(separator: ", "))
      --fail-on LEVEL  ends with 1 when a finding is this severe or more (warning)

    Ends with 3 when a schema does not compile; its rules did not run then.

    """

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    let limit = try arguments.choice("--fail-on", Severity.allCases) ?? .warning
    let format = try arguments.choice("--format", Format.allCases) ?? .compact
    let profiles = Set(try arguments.choices("--profile", LintProfile.allCases))
    let files = try SchemaReader.read(try SchemaPaths.files(arguments.files, session)).get()
    let compilation = SchemaCompiler.compile(files)
    let findings = SchemaLinter.lint(compilation, profiles: profiles)
    switch format {
    case .compact: session.say(CompilerRenderer(files: files).render(findings))
    case .text: session.say(ExcerptRenderer(files: files).render(findings))
    case .json: try session.json(LintReport(findings, files: files, profiles: profiles))
    }
    if compilation.hasErrors { return .unparsable }
    return findings.contains { $0.severity >= limit } ? .findings : .clean
  }

  private enum Format: String, CaseIterable { case compact, text, json }
}
