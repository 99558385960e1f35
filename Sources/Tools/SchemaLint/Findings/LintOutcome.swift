package import SchemaDiagnostics

/// The result of a linter run.
package struct LintOutcome: Sendable {
  /// The findings in source order, including ignored findings.
  package var findings: [Finding]
  /// True if a schema did not compile, so that rules did not run.
  package var isIncomplete: Bool
  /// The codes of the rules that ran.
  package var rules: [String]
  /// The number of checked migration stages.
  package var hops: Int

  /// Returns the result for files that cannot be read.
  package static func unreadable(_ diagnostics: [Diagnostic]) -> LintOutcome {
    LintOutcome(
      findings: diagnostics.map { diagnostic in
        Finding(
          diagnostic: diagnostic, state: .open, subject: "",
          fingerprint: FindingPlaces.hash("\(diagnostic.id.code)|\(diagnostic.message)"))
      }, isIncomplete: true, rules: [], hops: 0)
  }
}
