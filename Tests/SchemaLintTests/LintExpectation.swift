import SchemaDiagnostics
import SchemaLint
import SchemaModel
import SchemaVersions
import Testing

/// Lints text with caret comment lines, which specify the expected findings for the line above them:
///
///     var Name: String
///     //  ^~~~ warning[NAM002]: 'Trip.Name' is not in lowerCamelCase
///
/// Any other finding is a failure. With `fixed:`, all fixes are applied, and the result is compared and linted again.
/// It must have no new findings and no fixes. With `chosen:`, the first choice of every finding is applied, and the
/// result is compared.
///
/// - Parameters:
///   - rule: The code of the only rule to run, for a rule that is off by default.
///   - options: The options of that rule.
///   - released: The earlier versions, oldest first.
///   - promoted: The newest version that is deployed to CloudKit's production environment.
/// - testWords: The words in the package's tests.
func expectFindings(
  _ text: String, profiles: Set<LintProfile> = [], of rule: String? = nil, options: [String: RuleValue] = [:],
  released: [String] = [], promoted: String? = nil, testWords: Set<String>? = nil,
  path: String = "Test.schema", fixed: String? = nil, chosen: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let file = SourceFile(path: path, text: text)
  let expected = Set(expectations(in: text))
  let lint = { (file: SourceFile) -> [Diagnostic] in
    lintFindings(file, profiles, of: rule, options, released, promoted, testWords)
  }
  let findings = lint(file)
  let found = Set(findings.map { Expectation($0) })
  for expectation in found.subtracting(expected) {
    Issue.record("unexpected: \(expectation)", sourceLocation: sourceLocation)
  }
  for expectation in expected.subtracting(found) {
    Issue.record("missing: \(expectation)", sourceLocation: sourceLocation)
  }
  if let chosen {
    let choices = findings.filter { !isSafe($0) }.flatMap { $0.fixIts.first?.edits ?? [] }
    #expect(withoutAnnotations(file.applying(choices, file: 0)) == lines(chosen), sourceLocation: sourceLocation)
  }
  guard let fixed else {
    #expect(!offersFix(findings), "a fix is not compared", sourceLocation: sourceLocation)
    return
  }
  let result = file.applying(findings.filter(isSafe).flatMap { $0.fixIts.first?.edits ?? [] }, file: 0)
  #expect(withoutAnnotations(result) == lines(fixed), sourceLocation: sourceLocation)
  let left = lint(result)
  #expect(!offersFix(left), sourceLocation: sourceLocation)
  #expect(
    Set(left.map(\.message)).isSubset(of: Set(findings.map(\.message))),
    sourceLocation: sourceLocation)
}

private struct Expectation: Hashable, CustomStringConvertible {
  var start: Int
  var end: Int
  var text: String

  init(start: Int, end: Int, text: String) {
    self.start = start
    self.end = end
    self.text = text
  }

  init(_ diagnostic: Diagnostic) {
    self.init(
      start: diagnostic.range.start, end: diagnostic.range.end,
      text: "\(diagnostic.severity.rawValue)[\(diagnostic.id.code)]: \(diagnostic.message)")
  }

  var description: String { "\(start)..<\(end): \(text)" }
}

func lintFindings(
  _ file: SourceFile, _ profiles: Set<LintProfile> = [], of code: String? = nil,
  _ options: [String: RuleValue] = [:], _ released: [String] = [], _ promoted: String? = nil,
  _ testWords: Set<String>? = nil
) -> [Diagnostic] {
  var settings = LintSettings(profiles: profiles)
  settings.promoted[.cloudkit] = promoted
  let rule = code.flatMap { RuleCatalogue.rule($0) }
  if let rule {
    settings.preset = rule.presence == .comments ? .comments : .strict
    settings.options[rule.id] = options
  }
  let compilation = SchemaCompiler.compile([file])
  let versions = released.flatMap { SchemaCompiler.compile([SourceFile(path: "", text: $0)], firstIndex: 1).schemas }
  let histories: [SchemaHistory] =
    released.isEmpty
    ? []
    : compilation.schemas.map { schema in
      let lock = SchemaHistory(head: schema, frozen: versions).rebuiltLock
      return SchemaHistory(head: schema, frozen: versions, lock: lock)
    }
  let input = LintInput(
    compilation, histories: histories, diagnostics: compilation.diagnostics + histories.flatMap { $0.check() },
    testWords: testWords)
  let findings = SchemaLinter.lint(input, settings).findings.open
  return code == nil ? findings : findings.filter { $0.id == rule?.id }
}

private func offersFix(_ findings: [Diagnostic]) -> Bool {
  findings.contains { !$0.fixIts.isEmpty && isSafe($0) }
}

/// True if the first fix is applied without confirmation.
private func isSafe(_ finding: Diagnostic) -> Bool {
  RuleCatalogue.rule(finding.id.code)?.fix ?? .auto == .auto
}

private func expectations(in text: String) -> [Expectation] {
  var result: [Expectation] = []
  var lineStart = 0
  var next = 0
  for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
    if let (column, length, message) = annotation(line) {
      let start = lineStart + column
      result.append(Expectation(start: start, end: start + length, text: message))
    } else {
      lineStart = next
    }
    next += line.utf8.count + 1
  }
  return result
}

/// Parses `// ^~~ warning[X]: text` to the start and number of carets, and the text.
private func annotation(_ line: Substring) -> (Int, Int, String)? {
  guard line.drop(while: { $0 == " " }).hasPrefix("//"), let caret = line.firstIndex(of: "^")
  else { return nil }
  let tail = line[line.index(after: caret)...].prefix { $0 == "~" }
  let message = line[tail.endIndex...].drop { $0 == " " }
  return (line[..<caret].utf8.count, 1 + tail.utf8.count, String(message))
}

private func withoutAnnotations(_ file: SourceFile) -> [Substring] {
  lines(file.text(from: 0, to: file.bytes.count)).filter { annotation($0) == nil }
}

private func lines(_ text: String) -> [Substring] {
  text.split(separator: "\n", omittingEmptySubsequences: false)
}
