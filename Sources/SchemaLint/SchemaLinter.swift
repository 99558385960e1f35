package import SchemaDiagnostics
package import SchemaModel

/// Judges schemas that compile.
package enum SchemaLinter {
  /// The findings, and what the compiler had to say already, in the order of the source.
  ///
  /// A schema with errors is not judged: what a rule would say about it may be wrong.
  package static func lint(
    _ compilation: SchemaCompilation, profiles: Set<LintProfile> = []
  ) -> [Diagnostic] {
    guard !compilation.hasErrors else { return compilation.diagnostics }
    let sources = SourceIndex(compilation.trees)
    let rules = LintRules.running(profiles).map { $0.init() }
    var findings = compilation.diagnostics
    for schema in compilation.schemas {
      var context = LintContext(schema: schema, sources: sources)
      for rule in rules { rule.run(in: &context) }
      findings += context.findings
    }
    return findings.sortedAndUnique()
  }
}
