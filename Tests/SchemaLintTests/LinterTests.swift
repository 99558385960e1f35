import SchemaDiagnostics
import SchemaLint
import SchemaModel
import Testing

@Suite struct LinterTests {
  private static let files = [
    SourceFile(
      path: "A.schema",
      text: "schema S 1.0.0\n@Model class trip { @Attribute(.unique) var code: String }\n"),
    SourceFile(path: "B.schema", text: "schema S 1.0.0\nenum Kind: Int { case a }\n"),
  ]

  @Test func schemasThatDoNotCompileAreNotLinted() {
    let file = SourceFile(path: "", text: "schema S 1.0.0\n@Model class trip { var a: Strin }\n")
    let compilation = SchemaCompiler.compile([file])
    #expect(compilation.hasErrors)
    let outcome = SchemaLinter.lint(LintInput(compilation))
    #expect(outcome.findings.open == compilation.diagnostics && outcome.isIncomplete)
  }

  @Test func profilesAddRules() {
    let compilation = SchemaCompiler.compile(Self.files)
    #expect(SchemaLinter.lint(LintInput(compilation)).findings.open.map(\.id.code) == ["NAM001"])
    #expect(
      SchemaLinter.lint(LintInput(compilation), LintSettings(profiles: [.history])).findings.open.map(\.id.code) == [
        "NAM001", "HIS001",
      ])
  }

  @Test func machineReadableReport() throws {
    var result = LintResult()
    result.append(SchemaLinter.lint(LintInput(SchemaCompiler.compile(Self.files))), files: Self.files)
    let report = LintReport(result)
    let finding = try #require(report.findings.first)
    #expect(finding.id == "NAM001")
    #expect(finding.name == "entity-upper-camel")
    #expect(finding.severity == "warning")
    #expect(finding.range.file == "A.schema")
    #expect(finding.range.start.line == 2)
    #expect(finding.range.start.column == 14)
    #expect(finding.range.end.offset == 32)
    #expect(finding.why != nil)
    #expect(report.summary.files == 2)
    #expect(report.summary.warning == 1)
    #expect(
      report.summary.rules
        == RuleCatalogue.all.count { $0.profile == nil && $0.presence != .strict && $0.presence != .comments })
  }

  @Test(.timeLimit(.minutes(60)))
  func largeSchemasTakeLinearTime() {
    var text = "schema S 1.0.0\n"
    for index in 0..<2_000 {
      text += """
        @Model class M\(index) {
          #Index<M\(index)>([\\.name], [\\.name, \\.size])
          var name: String
          var size: Int
          @Relationship(deleteRule: .cascade, inverse: \\M\((index + 1) % 2_000).before) var next: [M\((index + 1) % 2_000)]
          var before: M\((index + 1_999) % 2_000)?
        }

        """
    }
    let findings = SchemaLinter.lint(
      LintInput(SchemaCompiler.compile([SourceFile(path: "", text: text)])), LintSettings(profiles: [.history])
    ).findings.open
    #expect(findings.count { $0.id.code == "IDX001" } == 2_000)
    #expect(findings.count { $0.id.code == "REL008" } == 1)
  }
}
