package import SchemaDiagnostics

/// What came of judging some files.
package struct LintOutcome: Sendable {
  /// In the order of the source, ignored ones among them.
  package var findings: [Finding]
  /// Whether something did not compile, so that rules did not run.
  package var isIncomplete: Bool
  /// The codes of the rules that ran.
  package var rules: [String]
  /// How many ways from one version to the next were looked at.
  package var hops: Int

  /// Of files that hold no text, so that nothing else can be said.
  package static func unreadable(_ diagnostics: [Diagnostic]) -> LintOutcome {
    LintOutcome(
      findings: diagnostics.map { diagnostic in
        Finding(
          diagnostic: diagnostic, state: .open, subject: "",
          fingerprint: FindingPlaces.hash("\(diagnostic.id.code)|\(diagnostic.message)"))
      }, isIncomplete: true, rules: [], hops: 0)
  }
}
