package import SchemaDiagnostics
package import SchemaModel
import SchemaSyntax
package import SchemaVersions

/// The linter's input: schemas with released versions and compiler diagnostics.
package struct LintInput: Sendable {
  /// The compilation of the edited files.
  package var compilation: SchemaCompilation
  /// The histories; empty if no versions are known.
  package var histories: [SchemaHistory]
  /// The diagnostics from compilation and version checks.
  package var diagnostics: [Diagnostic]
  /// The files that source ranges refer to by index, starting with the newest version's files.
  package var files: [SourceFile]
  /// The words in migration tests, see ``MigrationTests``; `nil` if tests were not read.
  package var testWords: Set<String>?

  package init(
    _ compilation: SchemaCompilation, histories: [SchemaHistory] = [], diagnostics: [Diagnostic]? = nil,
    files: [SourceFile]? = nil, testWords: Set<String>? = nil
  ) {
    self.compilation = compilation
    self.histories = histories
    self.diagnostics = diagnostics ?? compilation.diagnostics
    self.files = files ?? compilation.trees.map(\.file)
    self.testWords = testWords
  }
}

/// Runs lint rules on schemas that compile.
package enum SchemaLinter {
  /// Returns the findings and the compiler diagnostics in source order.
  ///
  /// A schema with errors is not linted, because the findings could be wrong.
  package static func lint(_ input: LintInput, _ settings: LintSettings = LintSettings()) -> LintOutcome {
    let rules = LintRules.all.filter { settings.runs($0) }
    let isIncomplete = input.compilation.hasErrors
    var diagnostics = input.diagnostics
    if !isIncomplete {
      diagnostics += input.histories.flatMap { $0.advice() }
      diagnostics += judged(input, settings, rules)
      if settings.runs(NotFormatted.self) { diagnostics += LayoutCheck.findings(in: input.compilation.trees) }
    }
    var levels = FindingLevels(input.files.map(\.path), settings)
    let leveled = diagnostics.sortedAndUnique().compactMap { levels.leveled($0) }
    let places = FindingPlaces(input, leveled)
    var pass = SuppressionPass(input, settings, places)
    let all = places.findings(leveled)
    let findings = settings.followsSuppressions ? all.map { pass.apply(to: $0) } : all
    // Unused suppressions can be detected only after a complete run.
    let stale = isIncomplete || !settings.followsSuppressions ? [] : places.findings(pass.ownFindings)
    return LintOutcome(
      findings: (findings + stale).sorted { $0.diagnostic.range < $1.diagnostic.range },
      isIncomplete: isIncomplete,
      rules: isIncomplete ? [] : RuleCatalogue.all.filter { settings.runs($0) }.map { $0.id.code },
      hops: isIncomplete ? 0 : input.histories.reduce(0) { $0 + $1.stages.count })
  }

  private static func judged(
    _ input: LintInput, _ settings: LintSettings, _ rules: [any LintRule.Type]
  ) -> [Diagnostic] {
    let sources = SourceIndex(input.compilation.trees)
    var found: [Diagnostic] = []
    for schema in input.compilation.schemas {
      let history = input.histories.first {
        $0.head.name == schema.name && $0.head.versionRange == schema.versionRange
      }
      var context = LintContext(
        schema: schema, sources: sources, history: history, settings: settings, testWords: input.testWords)
      for rule in rules { rule.init().run(in: &context) }
      found += context.findings
    }
    return found
  }
}
