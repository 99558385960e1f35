import SchemaDiagnostics
import SchemaEmitter
import SchemaFormat
import SchemaLint
import SchemaModel
import SchemaSyntax
import SchemaVersions

/// Everything the tool does with a text, and what must hold whatever the text is.
struct Pipeline {
  private let settings: LintSettings

  init() {
    var settings = LintSettings(profiles: Set(LintProfile.allCases))
    settings.preset = .strict
    self.settings = settings
  }

  /// Whether the text compiled.
  private(set) var compiled = 0

  /// What is wrong; empty when everything holds.
  mutating func run(_ bytes: [UInt8]) -> [String] {
    let file = SourceFile(path: "S.schema", bytes: bytes)
    var problems: [String] = []
    let compilation = SchemaCompiler.compile([file])
    if compilation.trees.first?.printed() != bytes { problems.append("the tree does not print the text") }
    for diagnostic in compilation.diagnostics where diagnostic.range.end > bytes.count || diagnostic.range.start < 0 {
      problems.append("\(diagnostic.id) is outside of the file")
    }
    let history = compilation.schemas.first.map { SchemaHistory(head: $0) }
    let outcome = SchemaLinter.lint(
      LintInput(compilation, histories: history.map { [$0] } ?? []), settings)
    var result = LintResult()
    result.append(outcome, files: [file])
    for format in [ReportFormat.compact, .text] where (try? format.render(result)) == nil {
      problems.append("\(format.rawValue) cannot be written")
    }
    if let tree = compilation.trees.first, let formatted = SchemaFormatter.format(tree) {
      problems += check(formatted, of: file, compilation)
    }
    guard !compilation.hasErrors, let history else { return problems }
    compiled += 1
    let input = EmissionInput(
      histories: [history], files: [file], module: "M", target: "M", access: .internal, root: "")
    if SchemaEmitter.emit(input).contains(where: { $0.text.isEmpty }) { problems.append("an empty file is generated") }
    return problems
  }

  private func check(
    _ formatted: [UInt8], of file: SourceFile, _ compilation: SchemaCompilation
  ) -> [String] {
    var problems: [String] = []
    let again = SourceFile(path: file.path, bytes: formatted)
    let second = SchemaCompiler.compile([again])
    if second.schemas.map({ $0.fingerprint() }) != compilation.schemas.map({ $0.fingerprint() }) {
      problems.append("formatting changes the fingerprint")
    }
    if let tree = second.trees.first, SchemaFormatter.format(tree) != formatted {
      problems.append("formatting twice is not formatting once")
    }
    return problems
  }
}
