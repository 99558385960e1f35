import SchemaDiagnostics
import SchemaLint
import SchemaModel
import TestSupport
import Testing

/// Reports must conform to their published formats for all findings.
@Suite struct ReportShapeTests {
  /// All rules that have an example, and other possible contents of a report.
  static let cases =
    RuleCatalogue.all.filter { $0.example != nil }.map { $0.id.code } + [
      "nothing", "no schema", "an error", "ignored", "ignored without a reason", "tolerated", "old", "hostile",
      "two folders", "not formatted",
    ]

  /// Each SARIF report lists all rules with their descriptions, so a short run tests only every fifth rule.
  private static let casesOfSARIF = cases.enumerated().filter { number, name in
    Repetitions.isThorough || number % 5 == 0 || RuleCatalogue.rule(name) == nil
  }.map(\.element)

  private static let bad = "schema S 1.0.0\n@Model class trip { @Attribute(.unique) var code: String? }\n"

  private static func lint(
    _ text: String, path: String = "Sources/App/S.schema", _ settings: LintSettings = LintSettings()
  ) -> LintResult {
    let files = [SourceFile(path: path, text: text)]
    var result = LintResult()
    result.append(SchemaLinter.lint(LintInput(SchemaCompiler.compile(files)), settings), files: files)
    return result
  }

  static func report(_ name: String) throws -> LintResult {
    switch name {
    case "nothing": return LintResult()
    case "no schema": return lint("")
    case "an error": return lint("schema S 1.0.0\n@Model class Trip { var a: Strin; @Relationship")
    case "ignored": return lint("// schema:ignore-file NAM001 -- \"quoted\", ümläut\n" + bad)
    case "ignored without a reason":
      var settings = LintSettings()
      settings.requiresReason = false
      return lint("// schema:ignore-file NAM001\n" + bad, settings)
    case "tolerated":
      var result = lint(bad)
      #expect(Baseline(result).apply(to: &result).isEmpty)
      #expect(result.open.isEmpty)
      return result
    case "old":
      var result = lint(bad)
      result.update { _ in .old }
      return result
    case "hostile":
      return lint(
        "schema S 1.0.0\n@Model class trip_旅 { var `a\u{1}` = \"\u{8}]]>\u{FFFE}\"; var 🚂_x: Int = 1; var Ü: Strin\u{0} }\n",
        path: "/tmp/a b/旅%,:;#?[x]\u{1}\"<&>'\\\n.schema")
    case "two folders":
      var result = lint(bad, path: "A/S.schema")
      result.append(lint(bad, path: "B/S.schema"))
      return result
    case "not formatted":
      var settings = LintSettings()
      let rule = try #require(RuleCatalogue.rule("SYN014"))
      settings.levels[rule.id] = .on(.warning)
      return lint("schema  S 1.0.0\n@Model class Trip { var a:Int }", settings)
    default:
      let rule = try #require(RuleCatalogue.rule(name))
      var settings = LintSettings(profiles: Set(LintProfile.allCases))
      settings.preset = .strict
      settings.levels[rule.id] = .on(rule.severity)
      let text = rule.example?.bad
      return lint(try #require(text), settings)
    }
  }

  @Test(arguments: casesOfSARIF) func sarif(_ name: String) throws {
    let result = try Self.report(name)
    let value = try JSONValue(ReportFormat.sarif.render(result, tool: "1.2.3"))
    #expect(ReportShape.sarif.problems(in: value) == [])
    guard case .object(let log) = value, case .list(let runs)? = log["runs"], case .object(let run)? = runs.first,
      case .list(let results)? = run["results"]
    else { return #expect(Bool(false), "there is no run") }
    #expect(results.count == result.findings.count)
  }

  @Test(arguments: cases) func gitlab(_ name: String) throws {
    let result = try Self.report(name)
    let value = try JSONValue(ReportFormat.gitlab.render(result))
    #expect(ReportShape.gitlab.problems(in: value) == [])
    guard case .list(let issues) = value else { return }
    // GitLab hides the second of two issues with equal fingerprints.
    let fingerprints = issues.map { issue -> JSONValue? in
      if case .object(let members) = issue { members["fingerprint"] } else { nil }
    }
    #expect(Set(fingerprints).count == result.open.count)
  }

  @Test(arguments: cases) func junit(_ name: String) throws {
    let result = try Self.report(name)
    let report = JUnitDocument(try ReportFormat.junit.render(result))
    #expect(report.problems == [])
    #expect(report.failures == result.open.count)
  }

  /// One line per finding, without characters that start another command.
  @Test(arguments: cases) func github(_ name: String) throws {
    let result = try Self.report(name)
    let text = try ReportFormat.github.render(result)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count == result.open.count)
    for line in lines {
      let command =
        /::(error|warning|notice) file=[^:,\r]*,line=\d+,endLine=\d+(,col=\d+,endColumn=\d+)?,title=[^:,\r]*::[^\r]+/
      #expect(line.wholeMatch(of: command) != nil, "\(line)")
    }
  }

  /// The shape tests must reject invalid reports.
  @Test(arguments: [
    #"{"runs": []}"#, #"{"version": "2.1.0", "runs": [], "more": 1}"#, #"{"version": "2.0.0", "runs": []}"#,
    #"{"version": "2.1.0", "runs": [{}]}"#,
    #"{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "t", "rules": [{"id": "A"}, {"id": "A"}]}}}]}"#,
    #"{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": 1}}}]}"#,
    #"{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "t"}}, "results": [{"level": "info", "message": {"text": "m"}}]}]}"#,
    #"{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "t"}}, "results": [{"message": {"text": "m"}, "fixes": [{"artifactChanges": []}]}]}]}"#,
    #"{"$schema": "a b", "version": "2.1.0", "runs": []}"#, #"{"$schema": "x%zz", "version": "2.1.0", "runs": []}"#,
  ]) func invalidReportsAreDetected(_ text: String) throws {
    #expect(ReportShape.sarif.problems(in: try JSONValue(text)).count == 1)
  }
}
