import SchemaDiagnostics
import SchemaLint
import SchemaModel
import SchemaVersions
import Testing

/// Lints text in which comment lines of carets say what is expected about the line above them:
///
///     var Name: String
///     //  ^~~~ warning[NAM002]: the name of 'Trip.Name' is not in lowerCamelCase
///
/// What is not announced must not be said, by any rule. With `fixed:` every fix-it is applied and
/// compared, and the result is linted again: nothing new may be found, and nothing to fix be left.
/// With `chosen:` the first of the choices of every finding is made, and compared.
///
/// - Parameters:
///   - rule: the one rule that is looked at, by its code: one that is off unless asked for.
///   - options: of that rule.
///   - released: the versions before this one, oldest first.
///   - promoted: the newest of them that CloudKit has in production.
///   - testWords: of the tests of the package.
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
  let histories: [SchemaHistory] = released.isEmpty ? [] : compilation.schemas.map { schema in
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

/// Whether the first fix is applied without anybody being asked.
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

/// `// ^~~ warning[X]: text`: where the carets begin, how many they are, and what is said.
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
