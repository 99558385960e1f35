import SchemaDiagnostics
import SchemaLint
import SchemaModel
import SchemaSyntax
import SchemaVersions

extension Pipeline {
  /// Applies one fix. The result must parse, and the finding must be gone.
  mutating func checkFixes(_ outcome: LintOutcome, _ file: SourceFile, _ number: Int) {
    let fixable = outcome.findings.filter { $0.isOpen && !$0.diagnostic.fixIts.isEmpty }
    guard !fixable.isEmpty else { return }
    // Select a different finding for each schema.
    let finding = fixable[number % fixable.count]
    let fixes = finding.diagnostic.fixIts
    let fix = fixes[number / 7 % fixes.count]
    let fixed = file.applying(fix.edits, file: 0)
    let id = finding.diagnostic.id
    let what = "the fix '\(fix.title)' of \(id)"
    if fixed == file { return fail("\(what) changes nothing") }
    if !outcome.isIncomplete, Parser.parse(fixed, index: 0).1.hasErrors { return fail("\(what) does not parse") }
    let compilation = SchemaCompiler.compile([fixed])
    let history = compilation.schemas.first.map { SchemaHistory(head: $0) }
    let after = SchemaLinter.lint(LintInput(compilation, histories: history.map { [$0] } ?? []), settings)
    guard outcome.isIncomplete else {
      if after.isIncomplete {
        if RuleCatalogue.rule(id.code)?.fix == .auto { fail("\(what) leads to errors") }
        return
      }
      let (old, new) = (count(finding, outcome), count(finding, after))
      return new >= old ? fail("\(what) leaves \(new) of \(old)") : ()
    }
    // Other errors can appear after a fix, but not an equal one at the location.
    let isThere = after.findings.contains { other in
      other.diagnostic.id == id && other.diagnostic.message == finding.diagnostic.message
        && other.diagnostic.range.start == finding.diagnostic.range.start
    }
    let isMoved = fix.edits.contains { $0.range.start <= finding.diagnostic.range.start }
    if isThere, !isMoved { fail("\(what) leaves it where it was") }
  }

  /// The number of findings of equal kind for the declaration.
  private func count(_ finding: Finding, _ outcome: LintOutcome) -> Int {
    outcome.findings.count {
      $0.isOpen && $0.diagnostic.id == finding.diagnostic.id && $0.subject == finding.subject
    }
  }
}
